//! An engine as it is seen through its API: one that is scripted here, and a real one.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test says by panicking that it failed"
)]

mod fake;
mod real;
mod scripted;
