//! Claude Code, over `stream-json` both ways with its control protocol.
//!
//! The program says one JSON object per line: `system` (init at the start of every turn, and news),
//! `assistant` (one content block each), `user` (tool results), `stream_event` (partial messages),
//! `control_request` (permissions, questions, plans) and `result` (the end of a turn). We say user
//! messages, control requests (initialise, interrupt, set the model) and control responses.
//!
//! Start at [`codec`].

mod asked;
mod codec;
mod decode;
mod ending;
mod errors;
mod history;
mod launch;
mod messages;
mod offers;
mod quiet;
mod requests;
mod say;
mod tools;
mod usage;
mod wire;

use paddock_domain::{ApprovalScope, HarnessName, PermissionMode, ProgramRecipe};

use crate::{
    Abilities, Codec, CodecSetup, Harness, History, LaunchError, LaunchPlan, LaunchRequest, Models,
    SessionFiles, registry,
};

/// The harness `claude`.
pub(crate) struct Claude;

/// Efforts, least first.
const EFFORTS: &[&str] = &["low", "medium", "high", "xhigh", "max"];

impl Harness for Claude {
    fn name(&self) -> HarnessName {
        registry::name("claude")
    }

    fn versions(&self) -> &'static [&'static str] {
        &["2.1.197", "2.1.330"]
    }

    fn recipe(&self, version: &str) -> ProgramRecipe {
        ProgramRecipe {
            harness: self.name(),
            package: Some("@anthropic-ai/claude-code".to_owned()),
            version: version.to_owned(),
            // The native program comes in a package per platform; the main package's own file is a
            // stub until its install script ran, so it comes last.
            candidates: [
                "@anthropic-ai/claude-code-linux-{arch}/claude",
                "@anthropic-ai/claude-code/node_modules/@anthropic-ai/claude-code-linux-{arch}/claude",
                "@anthropic-ai/claude-code-linux-{arch}-musl/claude",
                "@anthropic-ai/claude-code/bin/claude.exe",
            ]
            .map(str::to_owned)
            .to_vec(),
            node: None,
        }
    }

    fn provider_variables(&self) -> &'static [&'static str] {
        &[
            launch::API_KEY,
            launch::AUTH_TOKEN,
            launch::OAUTH_TOKEN,
            launch::BASE_URL,
        ]
    }

    fn base_url_variable(&self) -> Option<&'static str> {
        Some(launch::BASE_URL)
    }

    fn default_base_url(&self) -> Option<&'static str> {
        Some("https://api.anthropic.com")
    }

    fn launch(&self, request: &LaunchRequest<'_>) -> Result<LaunchPlan, LaunchError> {
        launch::plan(request)
    }

    fn codec(&self, setup: CodecSetup) -> Box<dyn Codec> {
        Box::new(codec::ClaudeCodec::new(setup))
    }

    fn session_files(&self, session: &str) -> Option<SessionFiles> {
        SessionFiles::named(history::DIR, session)
    }

    fn history(&self) -> Option<History> {
        Some(history::HISTORY)
    }

    fn abilities(&self) -> Abilities {
        Abilities {
            resume: true,
            interrupt: true,
            steer: true,
            approvals: &[ApprovalScope::Once, ApprovalScope::Task],
            permission_modes: &[
                PermissionMode::FullAuto,
                PermissionMode::AcceptEdits,
                PermissionMode::Ask,
                PermissionMode::Plan,
            ],
            questions: true,
            models: Models::Free {
                suggestions: &["opus", "sonnet", "haiku"],
            },
            model_switch: true,
            efforts: EFFORTS,
            effort_switch: false,
            mode_switch: true,
            compact: true,
            clear: true,
            edited_input: true,
            adopt: true,
            images: true,
        }
    }
}
