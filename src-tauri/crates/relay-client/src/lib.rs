//! Our half of the relay protocol over a byte stream; implements Place.
