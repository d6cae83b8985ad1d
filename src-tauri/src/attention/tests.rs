//! What is told, once, and what the tray shows of it.
