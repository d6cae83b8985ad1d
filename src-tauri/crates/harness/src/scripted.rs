//! The `scripted` agent: a tiny program of ours that does what the prompt says, for tests and
//! rehearsal. Its protocol is set down beside it, in `tests/agent/README.md`.
//!
//! Start at [`codec`].

mod codec;
mod history;
mod wire;

use std::collections::BTreeMap;

use paddock_domain::{ApprovalScope, HarnessName, PermissionMode, ProgramRecipe};

use crate::launch::plain;
use crate::{
    Abilities, Codec, CodecSetup, Harness, History, LaunchError, LaunchPlan, LaunchRequest, Models,
    SessionFiles, registry,
};

/// The harness `scripted`.
pub(crate) struct Scripted;

/// The file in which the program keeps its own account of a run, for tests.
const RECORD: &str = "SCRIPTED_RECORD";

impl Harness for Scripted {
    fn name(&self) -> HarnessName {
        registry::name("scripted")
    }

    fn versions(&self) -> &'static [&'static str] {
        &[env!("CARGO_PKG_VERSION")]
    }

    fn recipe(&self, version: &str) -> ProgramRecipe {
        ProgramRecipe {
            harness: self.name(),
            package: None,
            version: version.to_owned(),
            candidates: vec!["scripted".to_owned()],
            node: None,
        }
    }

    fn provider_variables(&self) -> &'static [&'static str] {
        &[RECORD]
    }

    fn base_url_variable(&self) -> Option<&'static str> {
        None
    }

    fn default_base_url(&self) -> Option<&'static str> {
        None
    }

    fn launch(&self, request: &LaunchRequest<'_>) -> Result<LaunchPlan, LaunchError> {
        let mut args = Vec::new();
        let options = [("--resume", request.resume), ("--model", request.model)];
        for (option, value) in options {
            if let Some(value) = value {
                plain("scripted", "session or model", value)?;
                args.extend([option.to_owned(), value.to_owned()]);
            }
        }
        if request.fork {
            args.push("--fork".to_owned());
        }
        let mut env = BTreeMap::from([("HOME".to_owned(), request.home.to_owned())]);
        if let Some(record) = request.provided(RECORD) {
            env.extend([(RECORD.to_owned(), record.to_owned())]);
        }
        Ok(LaunchPlan {
            args,
            env,
            files: Vec::new(),
            notices: Vec::new(),
        })
    }

    fn codec(&self, setup: CodecSetup) -> Box<dyn Codec> {
        Box::new(codec::ScriptedCodec::new(setup))
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
            steer: false,
            approvals: &[ApprovalScope::Once],
            permission_modes: &[PermissionMode::FullAuto],
            questions: true,
            models: Models::Free { suggestions: &[] },
            model_switch: true,
            efforts: &[],
            effort_switch: false,
            mode_switch: false,
            compact: true,
            clear: true,
            edited_input: true,
            adopt: true,
            images: false,
        }
    }
}
