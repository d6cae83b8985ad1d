//! Journeys: what a user does, through the API of a real `paddock serve`, with the `scripted` agent in
//! worktree boxes. Every journey ends with the host's checkout as it was, byte for byte.
//!
//! Start at [`chain`].

#![allow(clippy::unwrap_used)] // tests

mod chain;
mod dialogue;
mod leaving;
mod life;
mod refusals;
mod secrets;
mod streams;
mod world;
