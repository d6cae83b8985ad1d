//! The room against real git, in directories that are thrown away.
//!
//! Every file is one theme; [`world`] makes the repositories and boxes.

mod bases;
mod boxes;
mod branches;
mod inspecting;
mod work;
mod world;
