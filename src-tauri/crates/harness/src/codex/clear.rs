//! Starting anew with an empty context: another thread in the same process. The one before is left alone.
//!
//! What is said meanwhile waits for it, and its figures are added to those of the thread before.

use paddock_domain::{Body, CondensePolicy, InputId};
use serde_json::value::RawValue;

use super::codec::CodexCodec;
use super::decode::{Out, event};
use super::say::{self, ThreadSpec};
use super::wire::ThreadOpened;
use crate::bodies::condensed;
use crate::bounded::Bounded;
use crate::{Outgoing, anew};

impl CodexCodec {
    /// Asks for a thread that works as this one does and knows nothing.
    pub(super) fn begin_anew(&mut self, id: &InputId) -> Option<Vec<Outgoing>> {
        let at_rest = self.turn.is_none() && !self.told && !self.wished && !self.clearing;
        if self.thread.is_none() || !at_rest {
            return None;
        }
        let spec = ThreadSpec {
            resume: None,
            fork: false,
            work_dir: &self.setup.work_dir,
            model: self.model.as_deref().or(self.setup.model.as_deref()),
            effort: self.effort.as_deref(),
            mode: self.setup.permission_mode,
        };
        let (method, params) = say::opening(&spec);
        let rpc_id = anew::request_id(id);
        let line = say::request(&rpc_id, method, &params);
        let outgoing = Outgoing::new(id, &line)?;
        self.clearing = true;
        Some(vec![outgoing])
    }

    /// The program's answer: the thread, or why there is none.
    pub(super) fn cleared(
        &mut self,
        answer: Option<&RawValue>,
        failure: Option<&str>,
        out: &mut Out,
    ) {
        if !std::mem::take(&mut self.clearing) {
            return;
        }
        let opened = answer.and_then(|it| serde_json::from_str::<ThreadOpened<'_>>(it.get()).ok());
        if let Some(opened) = opened {
            let session_id = opened.thread.id.to_string();
            self.thread = Some(session_id.clone());
            self.meter.begins_anew();
            self.agents = Bounded::default();
            self.proposed = None;
            anew::forget_name(&mut self.introduction);
            event(out, condensed(CondensePolicy::Cleared));
            event(out, Body::AgentSessionNamed { session_id });
            if let Some(model) = &opened.model {
                self.select_model(model, opened.reasoning_effort.as_deref(), out);
            }
            event(out, Body::UsageUpdated(self.meter.usage()));
        } else {
            let why = failure.unwrap_or("its answer names no thread");
            event(out, anew::refused("codex", why));
        }
        self.release(out);
    }
}
