//! The state of one conversation with Claude Code, and what is said to it.
//!
//! What comes in is taken apart in [`super::decode`].

use std::collections::VecDeque;

use paddock_domain::{
    Answer, ApprovalId, Decision, InputId, PermissionMode, PlanDecision, PlanId, QuestionId,
    ToolKind,
};

use super::requests::Requests;
use super::say;
use super::usage::Meter;
use super::wire::Said;
use crate::bounded::Bounded;
use crate::input::KeptInput;
use crate::offers::Offering;
use crate::{CannotSay, Codec, CodecSetup, ContextUse, Heard, Outgoing, UserInput};

/// One conversation.
#[derive(Debug)]
pub(super) struct ClaudeCodec {
    pub(super) setup: CodecSetup,
    /// The program has answered our greeting, or speaks already.
    pub(super) ready: bool,
    /// Messages that wait for that.
    pub(super) held: VecDeque<(InputId, KeptInput)>,
    pub(super) requests: Requests,
    /// Tool calls that are shown as questions and plans instead, with the plan's text.
    pub(super) hidden: Bounded<String>,
    /// Tool calls that have no result yet.
    pub(super) tools: Bounded<OpenTool>,
    /// Sub-agents at work, by the call that started them.
    pub(super) agents: Bounded<()>,
    /// Limits that were told of and of which all is not well.
    pub(super) limits: Bounded<()>,
    pub(super) offers: Offering,
    pub(super) meter: Meter,
    pub(super) session: Option<String>,
    /// The program said that it forgot the conversation, and has not named the next.
    pub(super) reset: bool,
    pub(super) model: Option<String>,
    pub(super) in_turn: bool,
    /// The log shows a message that began no turn yet.
    pub(super) told: bool,
    /// We have given out such a message.
    pub(super) wished: bool,
    /// The error that the program last spoke of in the model's name.
    pub(super) spoken_error: Option<String>,
    /// The message that streams.
    pub(super) streaming: String,
}

/// A tool call that has no result yet.
#[derive(Debug)]
pub(super) struct OpenTool {
    pub tool: ToolKind,
    pub parent: Option<String>,
}

impl ClaudeCodec {
    pub(super) fn new(setup: CodecSetup) -> Self {
        Self {
            meter: Meter::new(setup.usage_before),
            setup,
            ready: false,
            held: VecDeque::new(),
            requests: Requests::default(),
            hidden: Bounded::default(),
            tools: Bounded::default(),
            agents: Bounded::default(),
            offers: Offering::default(),
            limits: Bounded::default(),
            session: None,
            reset: false,
            model: None,
            in_turn: false,
            told: false,
            wished: false,
            spoken_error: None,
            streaming: String::new(),
        }
    }

    /// A command of the program's own; only between two turns, or it would be read as words.
    fn slash(&mut self, id: &InputId, command: &str) -> Option<Vec<Outgoing>> {
        if self.in_turn || !self.ready {
            return None;
        }
        Some(
            say::user(id, &UserInput::words(command))
                .into_iter()
                .collect(),
        )
    }

    /// The program can take messages now.
    pub(super) fn become_ready(&mut self, out: &mut Vec<Heard>) {
        self.ready = true;
        for (id, input) in std::mem::take(&mut self.held) {
            self.wished |= !self.in_turn;
            out.extend(say::user(&id, &input.as_input()).map(Heard::Send));
        }
    }
}

impl Codec for ClaudeCodec {
    fn greet(&mut self) -> Vec<Outgoing> {
        say::greeting().into_iter().collect()
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
        if &*said.kind == "user" {
            self.told |= !self.in_turn;
        }
        if let Some(request_id) = said.response.and_then(|response| response.request_id) {
            self.requests.close(&request_id);
        }
    }

    fn prompt_with(&mut self, id: &InputId, input: &UserInput<'_>) -> Vec<Outgoing> {
        if !self.ready {
            self.held.push_back((id.clone(), input.into()));
            return Vec::new();
        }
        self.wished |= !self.in_turn;
        say::user(id, input).into_iter().collect()
    }

    fn answer(
        &mut self,
        id: &InputId,
        question: &QuestionId,
        answer: &Answer,
    ) -> Result<Vec<Outgoing>, CannotSay> {
        self.requests.answer(id, question, answer)
    }

    fn decide(
        &mut self,
        id: &InputId,
        approval: &ApprovalId,
        decision: &Decision,
    ) -> Result<Vec<Outgoing>, CannotSay> {
        self.requests.decide(id, approval, decision)
    }

    fn decide_plan(
        &mut self,
        id: &InputId,
        plan: &PlanId,
        decision: &PlanDecision,
        then: PermissionMode,
    ) -> Result<Vec<Outgoing>, CannotSay> {
        self.requests.decide_plan(id, plan, decision, then)
    }

    /// Sent even where no turn seems open: the program ignores what it has no use for.
    fn interrupt(&mut self, id: &InputId) -> Option<Vec<Outgoing>> {
        Some(say::interrupt(id).into_iter().collect())
    }

    fn set_model(&mut self, id: &InputId, model: &str) -> Option<Vec<Outgoing>> {
        Some(say::set_model(id, model).into_iter().collect())
    }

    fn set_permission_mode(&mut self, id: &InputId, mode: PermissionMode) -> Option<Vec<Outgoing>> {
        let mode = super::launch::permission_mode(mode);
        Some(say::set_permission_mode(id, mode).into_iter().collect())
    }

    fn compact(&mut self, id: &InputId, about: Option<&str>) -> Option<Vec<Outgoing>> {
        let command = match about {
            Some(about) => format!("/compact {about}"),
            None => "/compact".to_owned(),
        };
        self.slash(id, &command)
    }

    fn clear(&mut self, id: &InputId) -> Option<Vec<Outgoing>> {
        self.slash(id, "/clear")
    }
}
