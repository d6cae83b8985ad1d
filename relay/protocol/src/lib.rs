//! The relay protocol: handshake, stream headers, log records, limits.
