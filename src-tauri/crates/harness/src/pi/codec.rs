//! The state of one conversation with Pi, and what is said to it.
//!
//! What comes in is taken apart in [`super::decode`].

use std::collections::{BTreeSet, VecDeque};

use paddock_domain::{
    Answer, ApprovalId, Cost, Decision, InputId, PermissionMode, PlanDecision, PlanId, QuestionId,
    Usage,
};
use serde_json::{Value, json};

use super::offers;
use super::wire::{Said, Tokens};
use crate::base64::Base64;
use crate::bounded::Bounded;
use crate::input::KeptInput;
use crate::offers::Offering;
use crate::{CannotSay, Codec, CodecSetup, ContextUse, Heard, Image, Outgoing, UserInput};

/// The id of the request for the session's name.
pub(super) const STATE: &str = "state";

/// One conversation.
#[derive(Debug)]
pub(super) struct PiCodec {
    pub(super) setup: CodecSetup,
    /// The session is there: what is said is heard.
    pub(super) ready: bool,
    /// Messages that wait for it.
    pub(super) held: VecDeque<(InputId, KeptInput)>,
    /// The session's name and model, told with its first turn, as other agents do.
    pub(super) introduction: Vec<Heard>,
    pub(super) model: Option<String>,
    /// How hard it says that it thinks.
    pub(super) effort: Option<String>,
    pub(super) provider: String,
    /// Those whose models it can be told to use.
    pub(super) providers: BTreeSet<String>,
    pub(super) offers: Offering,
    /// Another session was asked for, so that it knows nothing; and how often one was had.
    pub(super) clearing: bool,
    pub(super) clears: u32,
    pub(super) in_turn: bool,
    /// The log shows a message that began no turn yet.
    pub(super) told: bool,
    /// We have given out such a message.
    pub(super) wished: bool,
    /// The user ended the turn.
    pub(super) aborted: bool,
    /// The last request to the model failed; it may be tried again.
    pub(super) failure: Option<String>,
    /// Messages that the agent has begun; makes the keys of deltas.
    pub(super) messages: u64,
    pub(super) calls: Bounded<OpenCall>,
    pub(super) usage: Usage,
}

/// A call that has no result yet.
#[derive(Debug, Default)]
pub(super) struct OpenCall {
    /// How much of its output was passed on, in bytes.
    pub shown: usize,
    /// The file that it makes, with what it writes into it.
    pub makes: Option<(String, String)>,
}

impl PiCodec {
    pub(super) fn new(setup: CodecSetup) -> Self {
        Self {
            usage: setup.usage_before,
            setup,
            ready: false,
            held: VecDeque::new(),
            introduction: Vec::new(),
            model: None,
            effort: None,
            provider: String::new(),
            providers: BTreeSet::new(),
            offers: Offering::default(),
            clearing: false,
            clears: 0,
            in_turn: false,
            told: false,
            wished: false,
            aborted: false,
            failure: None,
            messages: 0,
            calls: Bounded::default(),
        }
    }

    /// The session is there: what was held back can be said.
    pub(super) fn release(&mut self, out: &mut Vec<Heard>) {
        self.ready = true;
        for (id, input) in std::mem::take(&mut self.held) {
            out.extend(self.say(&id, &input.as_input()).map(Heard::Send));
        }
    }

    /// Outside a turn a message begins one; during a turn it joins it. The agent refuses to be prompted
    /// at work without being told which, and takes the word at rest.
    fn say(&mut self, id: &InputId, input: &UserInput<'_>) -> Option<Outgoing> {
        self.wished |= !self.in_turn;
        let text = input.text;
        let mut line =
            json!({"id": id, "type": "prompt", "message": text, "streamingBehavior": "steer"});
        if !input.images.is_empty() {
            line["images"] = input.images.iter().map(image).collect();
        }
        Outgoing::new(id, &line)
    }

    /// One of its own commands, where the session is there to take it.
    fn command(&self, id: &InputId, line: &Value) -> Option<Vec<Outgoing>> {
        (self.ready && !self.clearing).then(|| Outgoing::new(id, line).into_iter().collect())
    }

    /// Counts what one request used.
    pub(super) fn count(&mut self, tokens: &Tokens) {
        let usage = &mut self.usage;
        let sum = |to: &mut u64, n: Option<u64>| *to = to.saturating_add(n.unwrap_or_default());
        sum(&mut usage.input_tokens, tokens.input);
        sum(&mut usage.cached_tokens, tokens.cache_read);
        sum(&mut usage.cache_write_tokens, tokens.cache_write);
        sum(&mut usage.output_tokens, tokens.output);
        sum(&mut usage.reasoning_tokens, tokens.reasoning);
        if tokens.total_tokens.is_some_and(|total| total > 0) {
            usage.context_used = tokens.total_tokens;
        }
        let price = tokens.cost.as_ref().map_or(0.0, |cost| cost.total);
        if price.is_finite() && price > 0.0 {
            let before = usage.cost.map_or(0.0, |cost| cost.usd);
            usage.cost = Some(Cost::reported(before + price));
        }
    }
}

fn image(image: &Image) -> Value {
    json!({"type": "image", "data": Base64(&image.data), "mimeType": image.media_type})
}

impl Codec for PiCodec {
    fn greet(&mut self) -> Vec<Outgoing> {
        let line = json!({"id": STATE, "type": "get_state"});
        let state = Outgoing::named(STATE, &line);
        state.into_iter().chain(offers::ask()).collect()
    }

    fn hear(&mut self, line: &[u8], out: &mut Vec<Heard>) {
        self.decode(line, out);
    }

    fn context(&self) -> Option<ContextUse> {
        ContextUse::of(self.usage.context_used, self.usage.context_limit)
    }

    fn said(&mut self, id: &InputId, bytes: &[u8]) {
        self.held.retain(|(held, _)| held != id);
        let Ok(said) = serde_json::from_slice::<Said<'_>>(bytes) else {
            return;
        };
        match &*said.kind {
            "prompt" => self.told |= !self.in_turn,
            "new_session" => self.clearing = true,
            // Its answer comes after the end of the turn.
            "abort" => self.aborted = self.in_turn || self.told,
            _ => {}
        }
    }

    fn prompt_with(&mut self, id: &InputId, input: &UserInput<'_>) -> Vec<Outgoing> {
        if self.ready && !self.clearing {
            return self.say(id, input).into_iter().collect();
        }
        self.held.push_back((id.clone(), input.into()));
        Vec::new()
    }

    /// It asks no questions.
    fn answer(
        &mut self,
        _: &InputId,
        question: &QuestionId,
        _: &Answer,
    ) -> Result<Vec<Outgoing>, CannotSay> {
        Err(CannotSay::gone(question))
    }

    /// It asks for no permissions.
    fn decide(
        &mut self,
        _: &InputId,
        approval: &ApprovalId,
        _: &Decision,
    ) -> Result<Vec<Outgoing>, CannotSay> {
        Err(CannotSay::gone(approval))
    }

    /// It proposes no plans.
    fn decide_plan(
        &mut self,
        _: &InputId,
        plan: &PlanId,
        _: &PlanDecision,
        _: PermissionMode,
    ) -> Result<Vec<Outgoing>, CannotSay> {
        Err(CannotSay::gone(plan))
    }

    fn interrupt(&mut self, id: &InputId) -> Option<Vec<Outgoing>> {
        if !self.in_turn && !self.told && !self.wished {
            return None;
        }
        let line = json!({"id": id, "type": "abort"});
        Some(Outgoing::new(id, &line).into_iter().collect())
    }

    fn set_model(&mut self, id: &InputId, model: &str) -> Option<Vec<Outgoing>> {
        let (provider, model) = self.place_of(model);
        let line = json!({"id": id, "type": "set_model", "provider": provider, "modelId": model});
        self.command(id, &line)
    }

    fn set_effort(&mut self, id: &InputId, effort: &str) -> Option<Vec<Outgoing>> {
        let line = json!({"id": id, "type": "set_thinking_level", "level": effort});
        self.command(id, &line)
    }

    fn compact(&mut self, id: &InputId, about: Option<&str>) -> Option<Vec<Outgoing>> {
        let mut line = json!({"id": id, "type": "compact"});
        if let Some(about) = about {
            line["customInstructions"] = json!(about);
        }
        self.command(id, &line).filter(|_| !self.in_turn)
    }

    /// Another session in the same process.
    fn clear(&mut self, id: &InputId) -> Option<Vec<Outgoing>> {
        self.begin_anew(id)
    }
}
