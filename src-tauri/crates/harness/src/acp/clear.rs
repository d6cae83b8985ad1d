//! Starting anew with an empty context: another session in the same process, chosen as the one before was.
//!
//! What is said meanwhile waits for it. What the agent still says of the session before is not heard.

use paddock_domain::{Body, CondensePolicy, InputId};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::codec::AcpCodec;
use super::decode::{Out, event};
use super::errors;
use super::say;
use super::session::{CHOOSES_EFFORT as EFFORT, CHOOSES_MODEL as MODEL};
use super::wire::{Opened, RpcError};
use crate::bodies::{broken_off, condensed};
use crate::{Heard, Outgoing, anew};

/// The model that a request chooses, in either of the protocol's ways.
pub(super) fn chosen(request: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Line {
        params: Params,
    }
    #[derive(Deserialize)]
    struct Params {
        #[serde(alias = "modelId")]
        value: String,
    }
    let line: Line = serde_json::from_slice(request).ok()?;
    Some(line.params.value)
}

impl AcpCodec {
    /// Asks for a session that knows nothing.
    pub(super) fn begin_anew(&mut self, id: &InputId) -> Option<Vec<Outgoing>> {
        if !self.profile.clears || !self.is_ready() || !self.held.is_empty() {
            return None;
        }
        let params = json!({"cwd": self.setup.work_dir, "mcpServers": []});
        let rpc_id = anew::request_id(id);
        let line = say::request(&rpc_id, "session/new", &params);
        let outgoing = Outgoing::new(id, &line)?;
        self.clearing = true;
        Some(vec![outgoing])
    }

    /// The agent's answer: the session, or why there is none.
    pub(super) fn cleared(
        &mut self,
        answer: Option<&RawValue>,
        failure: Option<&RpcError>,
        out: &mut Out,
    ) {
        if !std::mem::take(&mut self.clearing) {
            return;
        }
        let raw = answer.map_or("null", RawValue::get);
        let opened = serde_json::from_str::<Opened>(raw).ok();
        let opened = opened.and_then(|opened| Some((opened.session_id.clone()?, opened)));
        if let (Some((session_id, opened)), None) = (opened, failure) {
            self.former.remove(&session_id);
            if let Some(former) = self.session.replace(session_id.clone()) {
                self.former.insert(&former, (), 0);
            }
            self.clears += 1;
            self.meter.begins_anew();
            self.will_be_compact = false;
            self.forget_asked(out);
            event(out, condensed(CondensePolicy::Cleared));
            event(out, Body::AgentSessionNamed { session_id });
            self.learn_models(raw);
            self.choose_as_before(&opened, out);
            self.offers.tell(out);
            event(out, Body::UsageUpdated(self.meter.end_turn()));
        } else {
            let why = failure.map(errors::words);
            let why = why.unwrap_or_else(|| "its answer names no session".to_owned());
            event(out, anew::refused(self.profile.name, &why));
        }
        self.release(out);
    }

    /// What the agent asked in the session before is not asked any more, and what it did there is not done.
    fn forget_asked(&mut self, out: &mut Out) {
        let (outgoing, withdrawn) = self.requests.withdraw();
        out.extend(outgoing.into_iter().map(Heard::Send));
        for body in withdrawn {
            event(out, body);
        }
        for (id, call) in self.calls.drain() {
            if call.started {
                event(out, broken_off(id, None));
            }
        }
    }

    /// Mode, effort and model as they were; so there is nothing to tell of them.
    fn choose_as_before(&mut self, opened: &Opened, out: &mut Out) {
        let (model, introduction) = (self.model.clone(), std::mem::take(&mut self.introduction));
        self.configure(opened, out);
        self.model = model;
        self.introduction = introduction;
        anew::forget_name(&mut self.introduction);
        let asked = self.asked_models.keys().next_back();
        let asked = asked.and_then(|id| self.asked_models.get(id));
        let (Some(model), Some(way)) = (asked.or(self.chosen_model.as_ref()), &self.model_way)
        else {
            return;
        };
        let session = self.session.as_deref().unwrap_or_default();
        let name = self.setting_name(MODEL);
        if let Some(outgoing) = say::setting(&name, session, way.as_way(), model) {
            self.settings.insert(name);
            out.push(Heard::Send(outgoing));
        }
    }

    /// The name of a setting of this session: what has the name of one before would not be delivered.
    pub(super) fn setting_name(&self, what: &str) -> String {
        match self.clears {
            0 => what.to_owned(),
            nth => format!("{what}-{nth}"),
        }
    }

    /// Whether this is a session that the agent was told to forget.
    pub(super) fn is_former(&self, session: Option<&str>) -> bool {
        session.is_some_and(|session| self.former.contains(session))
    }

    /// The agent's answer to a model that a user asked for: one that it refused is not asked for again.
    pub(super) fn model_answered(&mut self, id: &str, was_taken: bool) {
        let model = self.asked_models.remove(id);
        if was_taken && model.is_some() {
            self.chosen_model = model;
        }
    }

    /// What was chosen for a session and is refused there is not asked for in the next; the mode is, since what the
    /// agent may do hangs on it.
    pub(super) fn choice_refused(&mut self, what: &str) {
        match what {
            MODEL => self.chosen_model = None,
            EFFORT => self.setup.effort = None,
            _ => {}
        }
    }
}
