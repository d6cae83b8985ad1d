//! Conversations with the real programs, as they were recorded, and what could go wrong in them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::wildcard_enum_match_arm
)]

mod acp;
mod clearing;
mod fuzzed;
mod hostile;
mod images;
mod launching;
mod lost;
mod offers;
mod pi;
mod saying;
mod scripted;
mod story;
mod switching;
mod transcripts;
mod traps;
