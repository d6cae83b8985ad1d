//! Real boxes: containers on a real engine, worktrees with a real relay.
//!
//! Needs the relay (`cargo xtask relay`, or its path in `PADDOCK_RELAY`) and git. The tests of
//! containers skip, loudly, where no engine answers; `tests/engines/setup` starts one and makes the image.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test says by panicking that it failed"
)]

mod adoption;
mod container;
mod engine_lost;
mod hardening;
mod meter;
mod packages;
mod speed;
mod support;
mod worktree;
