//! `paddock-desktop`: the desktop window. Everything is in the library.

// No console window beside ours.
#![cfg_attr(windows, windows_subsystem = "windows")]

use std::process::ExitCode;

fn main() -> ExitCode {
    paddock_desktop::run(std::env::args_os().skip(1))
}
