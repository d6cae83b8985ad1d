//! One module per harness: launch plan, decode, encode. Codecs do no IO and read no clock.
//!
//! A [`Harness`] says how its agent program is had and launched; its [`Codec`] turns the program's
//! output into journal events and what a user says into lines for its stdin. What a codec decodes
//! depends on the run's log alone (lines it said, lines it was told), so decoding a log again gives
//! the same events in the same order: that is how Paddock recovers.
//!
//! A new harness is one module, one fixture folder and one line in [`registry`]. Start at
//! [`Harness`], then [`Codec`].

mod abilities;
mod acp;
mod anew;
mod at_most;
mod base64;
mod bodies;
mod bounded;
mod claude;
mod codec;
mod codex;
mod failure;
mod given;
mod harness;
mod history;
mod input;
mod json;
mod launch;
mod mode;
mod offers;
mod patch;
mod pi;
mod prices;
mod recording;
mod registry;
mod scripted;
mod sessions;
mod tally;
mod terminal;
mod unknown;

pub use abilities::{Abilities, Models};
pub use acp::custom::{AcpAgent, BadAcpAgent};
pub use codec::{CannotSay, Codec, CodecSetup, ContextUse, Heard, Outgoing};
pub use harness::Harness;
pub use history::{History, PastLine};
pub use input::{Image, UserInput};
pub use launch::{LaunchError, LaunchPlan, LaunchRequest, PlanFile};
pub use prices::Prices;
pub use recording::decode_recording;
pub use registry::{add_acp_agents, find, registry};
pub use sessions::SessionFiles;
pub use tally::Tallied;
pub use terminal::{has_terminal, terminal};

/// The Node runtime of agents that are scripts: one for all, so that a machine gets it once.
pub(crate) const NODE: &str = "22.23.3";
