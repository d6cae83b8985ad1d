//! The chaos bench: a real server, real relays and real agents, killed, stalled, starved and cut off at
//! any instant; and after every round the proof that nothing was lost, doubled or left over.
//!
//! Invariant: what is held up against the product is independent of it: the agent's own record of what
//! it read and said, the relay's log read byte by byte, what the user was answered, git, and `/proc`.
//!
//! A [`plan`] says what happens in a round, by chance and yet the same for the same seed. A [`lane`]
//! has a server and plays rounds on it, one after another. Start at [`bench`].

mod account;
mod bench;
mod check;
mod dice;
mod door;
mod engine;
mod fault;
mod journal;
mod lane;
mod observer;
mod options;
mod plan;
mod processes;
mod report;
mod round;
mod server;
mod user;
mod workshop;

pub use bench::run;
pub use options::Options;
pub use plan::Kind;
