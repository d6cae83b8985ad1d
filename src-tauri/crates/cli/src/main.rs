//! The `paddock` program: verbs through the client; `paddock serve` runs the server headless.

fn main() {}
