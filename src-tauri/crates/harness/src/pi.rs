//! Pi, over its RPC mode: JSON lines both ways.
//!
//! We ask `get_state` for the session's name, then `prompt` for each message (`steer` during a turn).
//! What it calls an agent run, from `agent_start` to `agent_settled`, is a turn of ours; what it calls a
//! turn is one request to the model. It asks for no permissions: the box is the fence.
//!
//! Start at [`codec`].

mod clear;
mod codec;
mod decode;
mod launch;
mod offers;
mod wire;

use paddock_domain::{HarnessName, PermissionMode, ProgramRecipe};

use crate::{
    Abilities, Codec, CodecSetup, Harness, LaunchError, LaunchPlan, LaunchRequest, Models, registry,
};

/// The harness `pi`.
pub(crate) struct Pi;

/// Efforts, least first.
const EFFORTS: &[&str] = &["off", "minimal", "low", "medium", "high", "xhigh", "max"];

impl Harness for Pi {
    fn name(&self) -> HarnessName {
        registry::name("pi")
    }

    fn versions(&self) -> &'static [&'static str] {
        &["0.87.1"]
    }

    fn recipe(&self, version: &str) -> ProgramRecipe {
        ProgramRecipe {
            harness: self.name(),
            package: Some("@earendil-works/pi-coding-agent".to_owned()),
            version: version.to_owned(),
            candidates: vec!["@earendil-works/pi-coding-agent/dist/bundle/cli.js".to_owned()],
            node: Some(crate::NODE.to_owned()),
        }
    }

    fn provider_variables(&self) -> &'static [&'static str] {
        &[
            launch::OPENAI_KEY,
            launch::ANTHROPIC_KEY,
            launch::GEMINI_KEY,
            launch::BASE_URL,
        ]
    }

    fn base_url_variable(&self) -> Option<&'static str> {
        Some(launch::BASE_URL)
    }

    fn default_base_url(&self) -> Option<&'static str> {
        Some("https://api.openai.com/v1")
    }

    fn launch(&self, request: &LaunchRequest<'_>) -> Result<LaunchPlan, LaunchError> {
        launch::plan(request)
    }

    fn codec(&self, setup: CodecSetup) -> Box<dyn Codec> {
        Box::new(codec::PiCodec::new(setup))
    }

    fn abilities(&self) -> Abilities {
        Abilities {
            resume: true,
            interrupt: true,
            steer: true,
            approvals: &[],
            permission_modes: &[PermissionMode::FullAuto],
            questions: false,
            models: Models::Free {
                suggestions: &["gpt-5.5", "anthropic/claude-sonnet-5"],
            },
            model_switch: true,
            efforts: EFFORTS,
            effort_switch: true,
            mode_switch: false,
            compact: true,
            clear: true,
            edited_input: false,
            adopt: false,
            images: true,
        }
    }
}
