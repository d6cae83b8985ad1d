//! The store held against its promises on real files.
// Tests: what cannot be is a failure, wherever it is met.
#![allow(clippy::unwrap_used, clippy::wildcard_enum_match_arm)]

mod archive;
mod artifacts;
mod by_hand;
mod damage;
mod exactly_once;
mod full_disk;
mod history;
mod index;
mod kept;
mod search;
mod settled;
mod support;
mod torn;
mod who_writes;
