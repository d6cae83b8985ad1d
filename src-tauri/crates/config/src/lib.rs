//! What is chosen: defaults, then a file, then the environment, then flags; typed and checked.
//!
//! Every setting is declared once, in the table of `key.rs`, with its name, its meaning, what is
//! allowed and its default; file, environment, flags and documentation all go by that table. The
//! environment, the flags and the user's directories are given by the program, so loading reads one
//! file and nothing else, and loading the same [`Sources`] again shows what a changed file changes.
//!
//! Start at [`Settings::load`].

mod agents;
mod closest;
mod dirs;
mod document;
mod error;
mod given;
mod key;
mod load;
mod provider;
mod saved;
mod secret;
mod settings;

pub use agents::{AgentSettings, Agents};
pub use dirs::UserDirs;
pub use error::{ConfigError, Origin};
pub use key::{Documented, Shown};
pub use load::Sources;
pub use provider::Providers;
pub use saved::{Refusals, Saved};
pub use secret::Secret;
pub use settings::{
    BoxSettings, CostSettings, EngineSettings, GitSettings, JournalSettings, Limits, PurgeSettings,
    ScanSettings, SessionSettings, Settings, StopSettings, TaskSettings, TrashSettings,
    VaultSettings,
};
