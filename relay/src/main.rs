//! The relay: owns the agent process in a box and outlives every connection.

fn main() {}
