//! Provision a box, put the relay in it, connect, reconnect, stop, revive, purge.
//!
//! A box is the isolated place of one task: a container of any image, or a directory of the host whose
//! processes may write nowhere else. Nothing is baked and nothing is copied per task: the relay, the
//! agent program and the repository's objects are mounted read-only, and the box owns only its work
//! tree, its home and the logs of its runs.
//!
//! Invariant: everything that a box consists of is found again from its task's id, by the directory
//! `<data>/boxes/<task-id>` and by the labels of its container. `box.json` is written before the first
//! thing is made and removed after the last, so a crash between any two lines leaves something that
//! [`Boxes::find_besides`] shows and [`Boxes::remove`] ends.
//!
//! Start at [`Boxes`]; [`Toolbox`] holds the agent programs.

mod boxes;
mod carrier;
mod confined;
mod container;
mod dirs;
mod doctor;
mod engine_link;
mod equip;
mod error;
mod find;
mod forward;
mod home;
mod last_words;
mod layout;
mod limit;
mod live;
mod locate;
mod meter;
mod provision;
mod reach;
mod record;
mod relink;
mod remove;
mod request;
mod seeding;
mod settings;
mod step;
mod toolbox;
mod watch;
mod worktree;

pub use boxes::Boxes;
pub use dirs::BoxDirs;
pub use doctor::Check;
pub use equip::{pack_home, unpack_home};
pub use error::BoxError;
pub use find::{BoxState, FoundBox};
pub use home::HomeFile;
pub use last_words::KeptLog;
pub use live::LiveBox;
pub use meter::{DiskCount, Measured, Meter, Reading};
pub use record::{BoxRecord, RecordedRepository, Stage};
pub use request::{BoxRepository, BoxRequest};
pub use settings::{BoxDefaults, BoxesSettings};
pub use step::Step;
pub use toolbox::{InstallStep, Toolbox, ToolboxError};
pub use watch::BoxEvent;
