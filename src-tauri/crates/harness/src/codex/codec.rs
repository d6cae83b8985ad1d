//! The state of one conversation with Codex, and what is said to it.
//!
//! What comes in is taken apart in [`super::decode`].

use std::collections::VecDeque;

use paddock_domain::{
    Answer, ApprovalId, Decision, InputId, PermissionMode, PlanDecision, PlanId, QuestionId,
};

use super::requests::Requests;
use super::say::{self, Collaboration, ThreadSpec};
use super::usage::Meter;
use super::wire::Said;
use crate::bounded::Bounded;
use crate::input::KeptInput;
use crate::mode;
use crate::offers::Offering;
use crate::{CannotSay, Codec, CodecSetup, ContextUse, Heard, Outgoing, UserInput, anew};

/// One conversation.
#[derive(Debug)]
pub(super) struct CodexCodec {
    pub(super) setup: CodecSetup,
    /// The thread of the conversation; others are its sub-agents'.
    pub(super) thread: Option<String>,
    /// The thread's name and model, told with its first turn, as other agents do.
    pub(super) introduction: Vec<Heard>,
    /// How often a thread was asked for.
    pub(super) attempts: u32,
    /// The last of those failed.
    pub(super) thread_failed: bool,
    /// A thread in place of this one was asked for, so that the agent knows nothing.
    pub(super) clearing: bool,
    /// Messages that wait for the thread.
    pub(super) held: VecDeque<(InputId, KeptInput)>,
    /// The turn under way.
    pub(super) turn: Option<String>,
    /// An interrupt that waits for the turn to have an id.
    pub(super) interrupt: Option<InputId>,
    /// The agent plans and changes nothing until a plan is approved.
    pub(super) planning: bool,
    /// The plan of this turn; shown when the turn is over.
    pub(super) plan: Option<(PlanId, String)>,
    /// The plan that waits for a decision.
    pub(super) proposed: Option<PlanId>,
    pub(super) requests: Requests,
    /// Tool calls that have no result yet.
    pub(super) tools: Bounded<OpenTool>,
    /// Sub-agents: the call that started each, by its thread.
    pub(super) agents: Bounded<Agent>,
    /// Limits as they were last told, by name.
    pub(super) limits: Bounded<(f64, Option<f64>, bool)>,
    pub(super) offers: Offering,
    pub(super) meter: Meter,
    pub(super) model: Option<String>,
    pub(super) effort: Option<String>,
    /// The log shows a message that began no turn yet.
    pub(super) told: bool,
    /// We have given out such a message.
    pub(super) wished: bool,
    /// The turn's failure has been told.
    pub(super) failure_told: bool,
}

/// A tool call that has no result yet.
#[derive(Debug)]
pub(super) struct OpenTool {
    /// The sub-agent's call that it belongs to.
    pub parent: Option<String>,
    /// The file it changes.
    pub path: Option<String>,
}

/// A sub-agent.
#[derive(Debug)]
pub(super) struct Agent {
    pub call: String,
    pub at_work: bool,
}

impl CodexCodec {
    pub(super) fn new(setup: CodecSetup) -> Self {
        Self {
            meter: Meter::new(setup.usage_before),
            planning: setup.permission_mode == PermissionMode::Plan,
            effort: setup.effort.clone(),
            setup,
            thread: None,
            introduction: Vec::new(),
            attempts: 0,
            thread_failed: false,
            clearing: false,
            offers: Offering::default(),
            held: VecDeque::new(),
            turn: None,
            interrupt: None,
            plan: None,
            proposed: None,
            requests: Requests::default(),
            tools: Bounded::default(),
            agents: Bounded::default(),
            limits: Bounded::default(),
            model: None,
            told: false,
            wished: false,
            failure_told: false,
        }
    }

    /// Asks for a thread: the setup's, or a new one.
    pub(super) fn open_thread(&mut self) -> Option<Outgoing> {
        self.attempts += 1;
        self.thread_failed = false;
        let spec = ThreadSpec {
            resume: self.setup.resume.as_deref(),
            fork: self.setup.fork,
            work_dir: &self.setup.work_dir,
            model: self.setup.model.as_deref(),
            effort: self.setup.effort.as_deref(),
            mode: self.setup.permission_mode,
        };
        say::thread(&spec, self.attempts)
    }

    /// The thread is there: what was held back can be said.
    pub(super) fn release(&mut self, out: &mut Vec<Heard>) {
        for (id, input) in std::mem::take(&mut self.held) {
            out.extend(self.say(&id, &input.as_input()).map(Heard::Send));
        }
    }

    fn say(&mut self, id: &InputId, input: &UserInput<'_>) -> Option<Outgoing> {
        let how = match self.planning {
            true => Collaboration::Plan,
            false => Collaboration::Unchanged,
        };
        self.say_as(id, input, how)
    }

    fn say_as(
        &mut self,
        id: &InputId,
        input: &UserInput<'_>,
        how: Collaboration,
    ) -> Option<Outgoing> {
        self.wished |= self.turn.is_none();
        let thread = self.thread.as_deref()?;
        let model = self.model.as_deref().unwrap_or_default();
        say::prompt(id, thread, input, how, model, self.effort.as_deref())
    }
}

impl Codec for CodexCodec {
    fn greet(&mut self) -> Vec<Outgoing> {
        say::initialize().into_iter().collect()
    }

    fn hear(&mut self, line: &[u8], out: &mut Vec<Heard>) {
        self.decode(line, out);
    }

    fn context(&self) -> Option<ContextUse> {
        self.meter.context()
    }

    fn said(&mut self, id: &InputId, bytes: &[u8]) {
        self.held.retain(|(held, _)| held != id);
        let Ok(said) = serde_json::from_slice::<Said<'_>>(bytes) else {
            return;
        };
        match (said.method.as_deref(), said.id) {
            (Some("turn/start"), _) => {
                self.told |= self.turn.is_none();
                let mode = said.params.and_then(|params| params.collaboration_mode);
                if mode.is_some_and(|mode| &*mode.mode == "default") {
                    self.planning = false;
                    self.proposed = None;
                }
            }
            (Some("thread/settings/update"), Some(rpc_id)) => {
                let rpc_id: String = serde_json::from_str(rpc_id.get()).unwrap_or_default();
                if let Some(mode) = mode::asked_for(&rpc_id) {
                    self.setup.permission_mode = mode;
                    self.planning = mode == PermissionMode::Plan;
                }
            }
            (Some("thread/start"), Some(rpc_id)) => self.clearing |= anew::asks(rpc_id.get()),
            (None, Some(rpc_id)) => drop(self.requests.close(rpc_id.get())),
            (_, _) => {}
        }
    }

    fn prompt_with(&mut self, id: &InputId, input: &UserInput<'_>) -> Vec<Outgoing> {
        if self.thread.is_some() && !self.clearing {
            return self.say(id, input).into_iter().collect();
        }
        self.held.push_back((id.clone(), input.into()));
        match self.thread_failed {
            true => self.open_thread().into_iter().collect(),
            false => Vec::new(),
        }
    }

    fn answer(
        &mut self,
        id: &InputId,
        question: &QuestionId,
        answer: &Answer,
    ) -> Result<Vec<Outgoing>, CannotSay> {
        self.requests.answer(id, question, answer)
    }

    /// A refusal carries no words in this protocol: they follow as a message that joins the turn.
    fn decide(
        &mut self,
        id: &InputId,
        approval: &ApprovalId,
        decision: &Decision,
    ) -> Result<Vec<Outgoing>, CannotSay> {
        let mut outgoing = self.requests.decide(id, approval, decision)?;
        if let Decision::Deny {
            message: Some(message),
            interrupt: false,
        } = decision
        {
            let tail: String = id.as_str().chars().take(56).collect();
            if let Ok(id) = InputId::parse(&format!("denial-{tail}")) {
                outgoing.extend(self.say_as(
                    &id,
                    &UserInput::words(message),
                    Collaboration::Unchanged,
                ));
            }
        }
        Ok(outgoing)
    }

    /// A plan ends its turn; the decision on it begins the next.
    fn decide_plan(
        &mut self,
        id: &InputId,
        plan: &PlanId,
        decision: &PlanDecision,
        then: PermissionMode,
    ) -> Result<Vec<Outgoing>, CannotSay> {
        if self.proposed.as_ref() != Some(plan) {
            return Err(CannotSay::gone(plan));
        }
        self.proposed = None;
        let outgoing = match decision {
            PlanDecision::Approve { text } => {
                self.planning = false;
                // What it asks in the turn is answered by this.
                self.setup.permission_mode = then;
                let changed = text
                    .as_deref()
                    .map(|text| format!("I changed the plan. Carry out this one:\n\n{text}"));
                let text = changed
                    .as_deref()
                    .unwrap_or("I approve the plan. Carry it out.");
                self.say_as(id, &UserInput::words(text), Collaboration::Default)
            }
            PlanDecision::Reject { comment } => {
                let text = comment
                    .as_deref()
                    .unwrap_or("I reject the plan. Think again.");
                self.say_as(id, &UserInput::words(text), Collaboration::Plan)
            }
        };
        Ok(outgoing.into_iter().collect())
    }

    fn interrupt(&mut self, id: &InputId) -> Option<Vec<Outgoing>> {
        match (&self.thread, &self.turn) {
            (Some(thread), Some(turn)) => {
                Some(say::interrupt(id, thread, turn).into_iter().collect())
            }
            // A turn was asked for and has no id yet.
            (Some(_), None) if self.told || self.wished => {
                self.interrupt = Some(id.clone());
                Some(Vec::new())
            }
            (_, _) => None,
        }
    }

    fn set_model(&mut self, id: &InputId, model: &str) -> Option<Vec<Outgoing>> {
        let thread = self.thread.as_deref()?;
        Some(say::set_model(id, thread, model).into_iter().collect())
    }

    fn set_effort(&mut self, id: &InputId, effort: &str) -> Option<Vec<Outgoing>> {
        let thread = self.thread.as_deref()?;
        Some(say::set_effort(id, thread, effort).into_iter().collect())
    }

    fn set_permission_mode(&mut self, id: &InputId, mode: PermissionMode) -> Option<Vec<Outgoing>> {
        let (thread, effort) = (self.thread.as_deref()?, self.effort.as_deref());
        let model = self.model.as_deref().unwrap_or_default();
        let outgoing = say::set_mode(id, thread, mode, model, effort);
        Some(outgoing.into_iter().collect())
    }

    /// It takes no word on what to keep.
    fn compact(&mut self, id: &InputId, _: Option<&str>) -> Option<Vec<Outgoing>> {
        let thread = self.thread.as_deref().filter(|_| self.turn.is_none())?;
        Some(say::compact(id, thread).into_iter().collect())
    }

    /// Another thread in the same process.
    fn clear(&mut self, id: &InputId) -> Option<Vec<Outgoing>> {
        self.begin_anew(id)
    }
}
