//! The `scripted` agent program: a tiny deterministic agent for tests and rehearsal.

fn main() {}
