//! Append-only journals (the truth) and the SQLite index (rebuildable).
