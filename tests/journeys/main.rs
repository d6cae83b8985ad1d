//! Journeys: what a user does, through the API of a real `paddock serve`, with the `scripted` agent in
//! worktree boxes. Every journey ends with the host's checkout as it was, byte for byte.
//!
//! Start at [`chain`].

#![allow(clippy::unwrap_used)] // tests
#![allow(clippy::wildcard_enum_match_arm)] // tests look for one kind of event among forty

mod accounts;
mod adopting;
mod bad_repository;
mod boxes;
mod broken_box;
mod chain;
mod chosen;
mod dialogue;
mod disk_full;
mod handing;
mod keeping;
mod kinds;
mod leaving;
mod life;
mod line;
mod links;
mod marks;
mod moved;
mod offers;
mod policy;
mod queue;
mod refusals;
mod relays;
mod removal;
mod review;
mod search;
mod secrets;
mod sessions;
mod standing;
mod strays;
mod streams;
mod terminals;
mod trash;
mod waiting;
mod wishes;
mod world;
