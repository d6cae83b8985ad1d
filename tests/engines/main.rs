//! Real things: a Docker Engine, and Claude Code and Codex from their packages, against the scripted
//! model. `cargo xtask setup` gets them; `setup/` has the scripts for an engine and an image.
//!
//! The test runner leaves out by name what a machine cannot do: `…_in_a_container` needs an engine,
//! `real_…` the agent programs. Start at [`agents`].

#![allow(clippy::wildcard_enum_match_arm)] // tests look for one kind of event among forty

mod added_agents;
mod adopting;
mod agents;
mod by_hand;
mod continuity;
mod contract;
mod handing;
mod hardening;
mod lost_sessions;
mod memory;
mod refusals;
mod terminals;
mod world;
