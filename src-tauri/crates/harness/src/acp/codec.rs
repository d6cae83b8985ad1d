//! The state of one conversation with an ACP agent, and what is said to it.
//!
//! What comes in is taken apart in [`super::decode`].

use std::collections::{BTreeSet, VecDeque};

use paddock_domain::{
    Answer, ApprovalId, Decision, InputId, PermissionMode, PlanDecision, PlanId, QuestionId,
};

use serde_json::value::RawValue;

use super::calls::Call;
use super::clear;
use super::profile::Profile;
use super::requests::Requests;
use super::say;
use super::speech::Speech;
use super::usage::Meter;
use super::wire::Said;
use crate::bounded::Bounded;
use crate::input::KeptInput;
use crate::mode;
use crate::offers::Offering;
use crate::{CannotSay, Codec, CodecSetup, ContextUse, Heard, Outgoing, UserInput, anew};

/// One conversation.
#[derive(Debug)]
pub(super) struct AcpCodec {
    pub(super) profile: &'static Profile,
    pub(super) setup: CodecSetup,
    /// The session of the conversation.
    pub(super) session: Option<String>,
    /// Those before it, which the agent was told to forget: what it still says there is not heard.
    pub(super) former: Bounded<()>,
    /// Another session was asked for, so that the agent knows nothing.
    pub(super) clearing: bool,
    /// How often one was had.
    pub(super) clears: u32,
    /// How often a session was asked for.
    pub(super) attempts: u32,
    /// The last of those failed.
    pub(super) session_failed: bool,
    /// It said that it looks at images.
    pub(super) takes_images: bool,
    /// The agent tells the past of a session that it loads.
    pub(super) telling_the_past: bool,
    /// How often it was asked whether that is over, and whether it told more of it since.
    pub(super) rounds: u32,
    pub(super) told_more: bool,
    /// Choices for the session that the agent has not taken yet.
    pub(super) settings: BTreeSet<String>,
    /// How the model is chosen, where it can be: an option's name, or the protocol's own way.
    pub(super) model_way: Option<ModelWay>,
    /// How the permission mode is chosen, and the modes that the agent has.
    pub(super) mode_way: Option<(ModeWay, Vec<String>)>,
    /// The session's name and model, told with its first turn, as other agents do.
    pub(super) introduction: Vec<Heard>,
    pub(super) model: Option<String>,
    /// The model that a user chose in the session and the agent took.
    pub(super) chosen_model: Option<String>,
    /// Models that were asked for, by the request, until the agent answers.
    pub(super) asked_models: Bounded<String>,
    pub(super) offers: Offering,
    /// How hard it thinks, as far as it says.
    pub(super) effort: Option<String>,
    /// How often it has said since its last word that it tries again.
    pub(super) retries: u32,
    /// Messages that wait for the session, or for the end of the turn.
    pub(super) held: VecDeque<Held>,
    /// The log shows a prompt that is not answered yet.
    pub(super) in_turn: bool,
    /// A prompt was given out that the log does not show yet.
    pub(super) wished: bool,
    /// What is under way is no turn: the agent was asked to shorten its context.
    pub(super) is_compacting: bool,
    /// It was asked to, and has not said that it did.
    pub(super) will_be_compact: bool,
    pub(super) speech: Speech,
    pub(super) calls: Bounded<Call>,
    pub(super) requests: Requests,
    pub(super) meter: Meter,
}

/// A message that waits.
#[derive(Debug)]
pub(super) struct Held {
    pub id: InputId,
    pub input: KeptInput,
    /// The codec says it for a user who said it with something else.
    pub is_own: bool,
}

/// How the model is chosen in a session.
#[derive(Debug)]
pub(super) enum ModelWay {
    Protocol,
    Option(String),
}

impl ModelWay {
    pub(super) fn as_way(&self) -> say::Way<'_> {
        match self {
            Self::Protocol => say::Way::Model,
            Self::Option(option) => say::Way::Option(option),
        }
    }
}

/// How the permission mode is chosen in a session.
#[derive(Debug)]
pub(super) enum ModeWay {
    Protocol,
    Option(String),
}

impl ModeWay {
    fn as_way(&self) -> say::Way<'_> {
        match self {
            Self::Protocol => say::Way::Mode,
            Self::Option(option) => say::Way::Option(option),
        }
    }
}

impl AcpCodec {
    pub(super) fn new(profile: &'static Profile, setup: CodecSetup) -> Self {
        Self {
            profile,
            meter: Meter::new(setup.usage_before),
            setup,
            session: None,
            former: Bounded::default(),
            clearing: false,
            clears: 0,
            attempts: 0,
            session_failed: false,
            takes_images: false,
            telling_the_past: false,
            rounds: 0,
            told_more: false,
            settings: BTreeSet::new(),
            model_way: None,
            mode_way: None,
            introduction: Vec::new(),
            model: None,
            chosen_model: None,
            asked_models: Bounded::default(),
            offers: Offering::default(),
            effort: None,
            retries: 0,
            held: VecDeque::new(),
            in_turn: false,
            wished: false,
            is_compacting: false,
            will_be_compact: false,
            speech: Speech::default(),
            calls: Bounded::default(),
            requests: Requests::default(),
        }
    }

    /// Whether a prompt can be said now: the session is there, as it was asked for, and at rest.
    pub(super) fn is_ready(&self) -> bool {
        let is_there = self.session.is_some() && !self.clearing;
        is_there && self.settings.is_empty() && !self.in_turn && !self.wished
    }

    /// Says the next message that was held back, if it can be said now.
    pub(super) fn release(&mut self, out: &mut Vec<Heard>) {
        if !self.is_ready() {
            return;
        }
        let Some(held) = self.held.pop_front() else {
            return;
        };
        if let Some(outgoing) = self.say(&held.id, &held.input.as_input()) {
            out.push(Heard::Send(outgoing));
            if held.is_own {
                out.push(Heard::TurnBegan);
            }
        }
    }

    fn say(&mut self, id: &InputId, input: &UserInput<'_>) -> Option<Outgoing> {
        let images = match self.takes_images {
            true => input.images,
            false => &[],
        };
        let text = input.text;
        let input = UserInput { text, images };
        let outgoing = say::prompt(say::PROMPT, id, self.session.as_deref()?, &input);
        self.wished |= outgoing.is_some();
        outgoing
    }
}

impl Codec for AcpCodec {
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
        self.held.retain(|held| held.id != *id);
        let Ok(said) = serde_json::from_slice::<Said<'_>>(bytes) else {
            return;
        };
        match (said.method.as_deref(), said.id) {
            (Some("session/prompt"), rpc_id) => {
                self.in_turn = true;
                self.wished = false;
                let is_own = |id: &RawValue| id.get().trim_matches('"').starts_with(say::COMPACT);
                self.is_compacting = rpc_id.is_some_and(is_own);
                self.will_be_compact |= self.is_compacting;
            }
            // Our own say so themselves; this is for recordings.
            (Some("session/load"), _) => self.telling_the_past = true,
            (Some("session/new"), Some(rpc_id)) => self.clearing |= anew::asks(rpc_id.get()),
            (
                Some("session/set_mode" | "session/set_model" | "session/set_config_option"),
                Some(rpc_id),
            ) => {
                let rpc_id: String = serde_json::from_str(rpc_id.get()).unwrap_or_default();
                if let Some(mode) = mode::asked_for(&rpc_id) {
                    self.setup.permission_mode = mode;
                } else if rpc_id.starts_with(say::MODEL)
                    && let Some(model) = clear::chosen(bytes)
                {
                    let weight = model.len();
                    self.asked_models.insert(&rpc_id, model, weight);
                }
            }
            (None, Some(rpc_id)) => {
                self.requests.close(rpc_id);
                let meta = said.result.and_then(|result| result.meta);
                let words = meta.and_then(|meta| meta.paddock_then_say);
                if let (Some(text), Some(id)) = (words, say::words_id(rpc_id)) {
                    let is_own = true;
                    let input = text.into();
                    self.held.push_back(Held { id, input, is_own });
                }
            }
            (_, _) => {}
        }
    }

    fn prompt_with(&mut self, id: &InputId, input: &UserInput<'_>) -> Vec<Outgoing> {
        if self.is_ready() && self.held.is_empty() {
            return self.say(id, input).into_iter().collect();
        }
        self.held.push_back(Held {
            id: id.clone(),
            input: input.into(),
            is_own: false,
        });
        match self.session_failed {
            true => self.open_session(say::Opening::New).into_iter().collect(),
            false => Vec::new(),
        }
    }

    fn answer(
        &mut self,
        id: &InputId,
        question: &QuestionId,
        answer: &Answer,
    ) -> Result<Vec<Outgoing>, CannotSay> {
        let outgoing = self.requests.answer(id, question, answer)?;
        Ok(outgoing.into_iter().collect())
    }

    /// A refusal carries no words in this protocol: they follow as a message when the turn is over.
    fn decide(
        &mut self,
        id: &InputId,
        approval: &ApprovalId,
        decision: &Decision,
    ) -> Result<Vec<Outgoing>, CannotSay> {
        let outgoing = self.requests.decide(id, approval, decision)?;
        Ok(outgoing.into_iter().collect())
    }

    fn decide_plan(
        &mut self,
        id: &InputId,
        plan: &PlanId,
        decision: &PlanDecision,
        _: PermissionMode,
    ) -> Result<Vec<Outgoing>, CannotSay> {
        let outgoing = self.requests.decide_plan(id, plan, decision)?;
        Ok(outgoing.into_iter().collect())
    }

    /// Whatever waits for an answer is answered with the protocol's word for a cancelled turn.
    fn interrupt(&mut self, id: &InputId) -> Option<Vec<Outgoing>> {
        let session = self.session.as_deref()?;
        if !self.in_turn && !self.wished {
            return None;
        }
        let mut outgoing: Vec<Outgoing> = say::cancel(id, session).into_iter().collect();
        outgoing.extend(self.requests.cancel());
        Some(outgoing)
    }

    fn set_model(&mut self, id: &InputId, model: &str) -> Option<Vec<Outgoing>> {
        let (session, way) = (self.session.as_deref()?, self.model_way.as_ref()?);
        let outgoing = say::set_model(id, session, way.as_way(), model);
        Some(outgoing.into_iter().collect())
    }

    fn set_permission_mode(&mut self, id: &InputId, mode: PermissionMode) -> Option<Vec<Outgoing>> {
        let session = self
            .session
            .as_deref()
            .filter(|_| self.profile.switches_mode)?;
        let (way, offered) = self.mode_way.as_ref()?;
        let value = self.profile.mode(mode);
        if !offered.iter().any(|offered| offered == value) {
            return None;
        }
        let outgoing = say::set_mode(id, session, way.as_way(), mode, value);
        Some(outgoing.into_iter().collect())
    }

    /// A command of the agent's own; what it says then is shown.
    fn compact(&mut self, id: &InputId, about: Option<&str>) -> Option<Vec<Outgoing>> {
        let command = self.profile.compact.as_ref()?.command;
        if !self.is_ready() || !self.held.is_empty() {
            return None;
        }
        let text = match about {
            Some(about) => format!("{command} {about}"),
            None => command.to_owned(),
        };
        let words = UserInput::words(&text);
        let outgoing = say::prompt(say::COMPACT, id, self.session.as_deref()?, &words);
        self.wished |= outgoing.is_some();
        Some(outgoing.into_iter().collect())
    }

    /// Another session in the same process.
    fn clear(&mut self, id: &InputId) -> Option<Vec<Outgoing>> {
        self.begin_anew(id)
    }
}
