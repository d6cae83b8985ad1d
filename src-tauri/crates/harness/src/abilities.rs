//! What users can do with a harness, as data that a client shows.

use paddock_domain::{ApprovalScope, PermissionMode};
use serde::Serialize;

/// What a harness can do. A client offers nothing that is not here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(clippy::struct_excessive_bools)] // independent facts, each shown by itself
pub struct Abilities {
    /// A later run can go on with the session of an earlier one.
    pub resume: bool,
    /// A turn can be ended while the run lives on.
    pub interrupt: bool,
    /// A message during a turn reaches the agent within that turn.
    pub steer: bool,
    /// How far an approval can reach; empty when the agent never asks.
    pub approvals: &'static [ApprovalScope],
    /// Which permission modes it has.
    pub permission_modes: &'static [PermissionMode],
    /// The agent can ask questions of its own.
    pub questions: bool,
    /// Which models can be chosen.
    pub models: Models,
    /// The model can be changed while the run lives.
    pub model_switch: bool,
    /// How hard it can be told to think, least first; empty when it cannot be told.
    pub efforts: &'static [&'static str],
    /// The effort can be changed while the run lives.
    pub effort_switch: bool,
    /// The permission mode can be changed while the run lives.
    pub mode_switch: bool,
    /// Its context can be shortened on request.
    pub compact: bool,
    /// Its context can be emptied on request.
    pub clear: bool,
    /// The input of a call that it asks for can be edited.
    pub edited_input: bool,
    /// Sessions that a user had with the program outside Paddock can be gone on with.
    pub adopt: bool,
    /// It takes images.
    pub images: bool,
}

/// Which models a harness takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "choice", rename_all = "snake_case")]
pub enum Models {
    /// None can be chosen.
    Fixed,
    /// Any name that the provider knows; these are known to work.
    Free {
        /// Names or aliases to suggest.
        suggestions: &'static [&'static str],
    },
}
