//! The walls of the house: what the code must stay like, held by tests.
//!
//! Every wall is a function from plain input to a list of breaches, so that each proves here, on a
//! made-up input, that it can fail, before it is held against the tree.
//!
//! Start at [`floors`].

#![allow(clippy::unwrap_used)] // tests

mod agents;
mod drift;
mod files;
mod floors;
mod names;
mod owners;
mod shell;
mod top_level;
mod tree;
mod words;

/// Fails with every breach, one a line.
#[track_caller]
fn hold(breaches: &[String]) {
    assert!(
        breaches.is_empty(),
        "{} breach(es):\n  {}",
        breaches.len(),
        breaches.join("\n  ")
    );
}
