//! Real boxes: containers on a real engine, worktrees with a real relay.
//!
//! Needs the relay (`cargo xtask relay`, or its path in `PADDOCK_RELAY`) and git. The tests of
//! containers skip, loudly, where no engine answers; `tests/engines/setup` starts one and makes the image.

mod adoption;
mod container;
mod engine_lost;
mod hardening;
mod speed;
mod support;
mod worktree;
