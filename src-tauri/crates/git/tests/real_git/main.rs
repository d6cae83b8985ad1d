//! The room against real git, in directories that are thrown away.
//!
//! Every file is one theme; [`world`] makes the repositories and boxes.

#![allow(clippy::unwrap_used)] // What the tests share is test code too.

mod bases;
mod boxes;
mod branches;
mod chance;
mod cleaning;
mod hostile;
mod inspecting;
mod keeping;
mod leaving;
mod odd;
mod rescuing;
mod scanning;
mod work;
mod world;
