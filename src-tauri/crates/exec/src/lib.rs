//! Run this command in that place.
//!
//! A [`Place`] is anything that can run a [`Command`] and move files: this machine ([`Here`]), the
//! inside of a box (the relay's client), a host over SSH. Rooms that build commands (git) and rooms
//! that combine places (boxes) speak only this trait, so that neither knows where it runs.
//!
//! Start at [`Place`].

mod command;
mod error;
mod here;
mod place;
mod process;

pub use command::Command;
pub use error::ExecError;
pub use here::Here;
pub use place::{Limits, Place};
pub use process::{Exit, Output, Process};
