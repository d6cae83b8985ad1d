//! The store held against its promises on real files.
// Tests: what cannot be is a failure, wherever it is met.
#![allow(clippy::unwrap_used, clippy::wildcard_enum_match_arm)]

mod archive;
mod artifacts;
mod damage;
mod exactly_once;
mod full_disk;
mod history;
mod index;
mod support;
mod torn;
mod who_writes;
