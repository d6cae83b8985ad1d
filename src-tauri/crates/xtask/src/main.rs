//! Set up, run, test, relay, bench, demo: the commands of the README and CI.

fn main() {}
