//! The two ways of a conversation with an agent program, as bytes and events.
//!
//! A codec is fed the run's log: [`Codec::hear`] for each line that the program said,
//! [`Codec::said`] for each input that was delivered to it, in log order, live as well as in a replay
//! after a crash. [`Codec::prompt`] and its like are wishes: they give the bytes to deliver and may be
//! called at any time. Only the log decides which events are decoded.
//!
//! Everything a codec sends of its own accord carries an id that depends on the log alone, so what it
//! sends again in a replay is recognised by the relay as a repeat.

use paddock_domain::{
    Answer, ApprovalId, Body, Decision, Delta, InputId, PermissionMode, PlanDecision, PlanId,
    QuestionId, Usage,
};

use crate::UserInput;

/// What a codec has to know about its run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CodecSetup {
    /// The model that was asked for.
    pub model: Option<String>,
    /// The effort that was asked for.
    pub effort: Option<String>,
    /// What the agent may do without asking.
    pub permission_mode: PermissionMode,
    /// Where the agent works, in the box.
    pub work_dir: String,
    /// The agent's own id of the session that the run goes on with.
    pub resume: Option<String>,
    /// Whether that session stays as it is, and the run goes on with a copy of its own.
    pub fork: bool,
    /// What earlier runs of the task have used, for agents that count from zero in each run.
    pub usage_before: Usage,
}

/// One thing that a line of output meant, or that has to be done because of it.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant)] // short-lived, and events are the common case
pub enum Heard {
    /// Something happened; to be journalled.
    Event(Body),
    /// A piece of a message; to be passed on and forgotten.
    Delta(Delta),
    /// The codec has to say this.
    Send(Outgoing),
    /// The agent began a turn that nobody asked for.
    TurnBegan,
}

/// One line for the agent's stdin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// Its id; a repeated id is not delivered again.
    pub id: InputId,
    /// The line, with its newline.
    pub bytes: Vec<u8>,
}

impl Outgoing {
    /// `line` as JSON under the codec's own id `name`; nothing when that is no id.
    pub(crate) fn named(name: &str, line: &impl serde::Serialize) -> Option<Self> {
        Self::new(&InputId::parse(name).ok()?, line)
    }

    /// `line` as JSON under `id`.
    pub(crate) fn new(id: &InputId, line: &impl serde::Serialize) -> Option<Self> {
        let mut bytes = serde_json::to_vec(line).ok()?;
        bytes.push(b'\n');
        let id = id.clone();
        Some(Self { id, bytes })
    }
}

/// How full an agent's context is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextUse {
    /// Tokens in it.
    pub used: u64,
    /// Tokens that fit it, where the agent says so.
    pub limit: Option<u64>,
}

impl ContextUse {
    pub(crate) fn of(used: Option<u64>, limit: Option<u64>) -> Option<Self> {
        used.map(|used| Self { used, limit })
    }
}

/// What was to be said cannot be said.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotSay {
    /// The agent does not wait for this, or no more.
    #[error("the agent does not wait for `{id}` any more")]
    Gone {
        /// The id of the question, approval or plan.
        id: String,
    },
    /// The answer does not fit.
    #[error("this answer cannot be given: {reason}")]
    Unfit {
        /// Why, and what would fit.
        reason: &'static str,
    },
}

impl CannotSay {
    pub(crate) fn gone(id: &(impl ToString + ?Sized)) -> Self {
        Self::Gone { id: id.to_string() }
    }
}

/// The protocol of one run. See the head of this file for who calls what when.
pub trait Codec: Send {
    /// What to say right after the program was spawned.
    fn greet(&mut self) -> Vec<Outgoing>;

    /// Takes one complete line of output, without its newline, and appends what it means to `out`.
    /// Any bytes are taken; what is not understood becomes an error event that keeps the line.
    fn hear(&mut self, line: &[u8], out: &mut Vec<Heard>);

    /// How full the agent's context is by what it said until now; nothing where it does not tell.
    fn context(&self) -> Option<ContextUse> {
        None
    }

    /// Takes note of an input that was delivered to the agent: its id and its bytes from the log.
    fn said(&mut self, id: &InputId, bytes: &[u8]);

    /// A user's message; during a turn it steers. Held back until the agent can take it, then released
    /// through [`Heard::Send`] under the same id.
    fn prompt_with(&mut self, id: &InputId, input: &UserInput<'_>) -> Vec<Outgoing>;

    /// The same for words alone.
    fn prompt(&mut self, id: &InputId, text: &str) -> Vec<Outgoing> {
        self.prompt_with(id, &UserInput::words(text))
    }

    /// A user's answer to one question. Of several questions asked together the answers are sent with
    /// the last one; those before it are kept in the codec only, so a replay has to tell them again.
    ///
    /// # Errors
    /// [`CannotSay`] when the agent does not wait for it or it does not fit.
    fn answer(
        &mut self,
        id: &InputId,
        question: &QuestionId,
        answer: &Answer,
    ) -> Result<Vec<Outgoing>, CannotSay>;

    /// A user's decision on a permission.
    ///
    /// # Errors
    /// [`CannotSay`] when the agent does not wait for it or it does not fit.
    fn decide(
        &mut self,
        id: &InputId,
        approval: &ApprovalId,
        decision: &Decision,
    ) -> Result<Vec<Outgoing>, CannotSay>;

    /// A user's decision on a plan, and how the agent is to ask while it carries an approved one out: said
    /// with the decision where the program lets it, for a word after it can come too late.
    ///
    /// # Errors
    /// [`CannotSay`] when the agent does not wait for it or it does not fit.
    fn decide_plan(
        &mut self,
        id: &InputId,
        plan: &PlanId,
        decision: &PlanDecision,
        then: PermissionMode,
    ) -> Result<Vec<Outgoing>, CannotSay>;

    /// Ends the turn; the run lives on. Nothing when the agent cannot or has no turn to end; an empty
    /// list when it will be sent through [`Heard::Send`] as soon as it can be.
    fn interrupt(&mut self, id: &InputId) -> Option<Vec<Outgoing>>;

    /// Changes the model from the next turn on. Nothing when the agent cannot.
    fn set_model(&mut self, id: &InputId, model: &str) -> Option<Vec<Outgoing>>;

    /// Changes how hard the model thinks from the next turn on. Nothing when the agent cannot.
    fn set_effort(&mut self, _id: &InputId, _effort: &str) -> Option<Vec<Outgoing>> {
        None
    }

    /// Changes what the agent asks for from now on. Nothing when it cannot.
    fn set_permission_mode(
        &mut self,
        _id: &InputId,
        _mode: PermissionMode,
    ) -> Option<Vec<Outgoing>> {
        None
    }

    /// Has the agent shorten its context between two turns, minding `about`. Nothing when it cannot.
    fn compact(&mut self, _id: &InputId, _about: Option<&str>) -> Option<Vec<Outgoing>> {
        None
    }

    /// Has the agent forget the conversation between two turns. Nothing when it cannot.
    fn clear(&mut self, _id: &InputId) -> Option<Vec<Outgoing>> {
        None
    }

    /// What to say before the run is stopped, where the protocol has a farewell.
    fn stop(&self) -> Vec<Outgoing> {
        Vec::new()
    }
}
