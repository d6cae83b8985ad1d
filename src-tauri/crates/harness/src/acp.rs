//! Agents that speak the Agent Client Protocol, version 1: JSON-RPC, one message a line, both ways.
//!
//! We ask `initialize`, then for a session (new, resumed, or loaded), choose mode and model, then
//! `session/prompt` for each message; its response ends the turn. The agent tells what it does in
//! `session/update` and asks in `session/request_permission`. A message during a turn waits for its end:
//! the protocol has no steering.
//!
//! One codec serves them all; in what they differ is data in [`profile`]. Start at [`codec`].

mod calls;
mod clear;
mod codec;
pub(crate) mod custom;
mod decode;
mod errors;
mod launch;
mod offers;
pub(crate) mod profile;
mod requests;
mod retries;
mod say;
mod session;
mod speech;
mod usage;
mod wire;

use paddock_domain::{ApprovalScope, HarnessName, PermissionMode, ProgramRecipe};

use crate::{
    Abilities, Codec, CodecSetup, Harness, LaunchError, LaunchPlan, LaunchRequest, Models, registry,
};
use profile::Profile;

/// A harness of the protocol.
pub(crate) struct Acp {
    profile: &'static Profile,
}

impl Acp {
    pub(crate) const fn new(profile: &'static Profile) -> Self {
        Self { profile }
    }
}

impl Harness for Acp {
    fn name(&self) -> HarnessName {
        registry::name(self.profile.name)
    }

    fn versions(&self) -> &'static [&'static str] {
        self.profile.versions
    }

    fn recipe(&self, version: &str) -> ProgramRecipe {
        let candidates = self.profile.candidates.iter();
        ProgramRecipe {
            harness: self.name(),
            package: self.profile.package.map(str::to_owned),
            version: version.to_owned(),
            candidates: candidates.copied().map(str::to_owned).collect(),
            node: self.profile.node.map(str::to_owned),
        }
    }

    fn local_program(&self) -> Option<&'static str> {
        let local = self.profile.package.is_none();
        self.profile.candidates.first().copied().filter(|_| local)
    }

    fn provider_variables(&self) -> &'static [&'static str] {
        self.profile.variables
    }

    fn base_url_variable(&self) -> Option<&'static str> {
        self.profile.base_url
    }

    fn default_base_url(&self) -> Option<&'static str> {
        self.profile.default_base_url
    }

    fn launch(&self, request: &LaunchRequest<'_>) -> Result<LaunchPlan, LaunchError> {
        launch::plan(self.profile, request)
    }

    fn codec(&self, setup: CodecSetup) -> Box<dyn Codec> {
        Box::new(codec::AcpCodec::new(self.profile, setup))
    }

    fn abilities(&self) -> Abilities {
        Abilities {
            resume: true,
            interrupt: true,
            steer: false,
            approvals: &[ApprovalScope::Once, ApprovalScope::Task],
            permission_modes: &[
                PermissionMode::FullAuto,
                PermissionMode::AcceptEdits,
                PermissionMode::Ask,
                PermissionMode::Plan,
            ],
            questions: self.profile.questions,
            models: Models::Free {
                suggestions: self.profile.models,
            },
            model_switch: true,
            efforts: &[],
            effort_switch: false,
            mode_switch: self.profile.switches_mode,
            compact: self.profile.compact.is_some(),
            clear: self.profile.clears,
            edited_input: false,
            adopt: false,
            images: true,
        }
    }
}
