//! One module per harness: launch plan, decode, encode; a codec without IO.
