//! Codex, over its app-server: JSON-RPC without the version field, one message per line, both ways.
//!
//! We ask `initialize`, then `thread/start` or `thread/resume`, then `turn/start` for every message
//! (during a turn it joins that turn, so there is no race to lose). The ids of our requests are texts
//! that say what they were for, so that a response is understood without remembering the request.
//! The program tells of `item/…` started and completed, and asks for approvals and answers.
//!
//! Start at [`codec`].

mod asked;
mod clear;
mod codec;
mod decode;
mod errors;
mod history;
mod items;
mod launch;
mod offers;
mod quiet;
mod requests;
mod say;
mod turns;
mod usage;
mod wire;
mod work;

use paddock_domain::{ApprovalScope, HarnessName, PermissionMode, ProgramRecipe};

use crate::{
    Abilities, Codec, CodecSetup, Harness, History, LaunchError, LaunchPlan, LaunchRequest, Models,
    SessionFiles, registry,
};

/// The harness `codex`.
pub(crate) struct Codex;

/// Efforts, least first; not every model has the last ones.
const EFFORTS: &[&str] = &["low", "medium", "high", "xhigh", "max", "ultra"];

impl Harness for Codex {
    fn name(&self) -> HarnessName {
        registry::name("codex")
    }

    fn versions(&self) -> &'static [&'static str] {
        &["0.169.0"]
    }

    fn recipe(&self, version: &str) -> ProgramRecipe {
        ProgramRecipe {
            harness: self.name(),
            package: Some("@openai/codex".to_owned()),
            version: version.to_owned(),
            // Linked statically, whatever the machine's C library; the program needs the files that
            // lie beside it in `vendor`.
            candidates: [
                "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
                "@openai/codex-linux-arm64/vendor/aarch64-unknown-linux-musl/bin/codex",
                "@openai/codex/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
                "@openai/codex/node_modules/@openai/codex-linux-arm64/vendor/aarch64-unknown-linux-musl/bin/codex",
            ]
            .map(str::to_owned)
            .to_vec(),
            node: None,
        }
    }

    fn provider_variables(&self) -> &'static [&'static str] {
        &[launch::API_KEY, launch::BASE_URL]
    }

    fn base_url_variable(&self) -> Option<&'static str> {
        Some(launch::BASE_URL)
    }

    fn default_base_url(&self) -> Option<&'static str> {
        Some(launch::DEFAULT_BASE_URL)
    }

    fn launch(&self, request: &LaunchRequest<'_>) -> Result<LaunchPlan, LaunchError> {
        launch::plan(request)
    }

    fn codec(&self, setup: CodecSetup) -> Box<dyn Codec> {
        Box::new(codec::CodexCodec::new(setup))
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
                suggestions: &["gpt-5.5", "gpt-6.1-sol"],
            },
            model_switch: true,
            efforts: EFFORTS,
            effort_switch: true,
            mode_switch: true,
            compact: true,
            clear: true,
            edited_input: false,
            adopt: true,
            images: true,
        }
    }
}
