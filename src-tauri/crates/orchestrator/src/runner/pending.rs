//! What users have said that the agent may not have heard yet.
//!
//! Everything a user says is written into the journal before it is acknowledged. Whoever joins a run
//! therefore reads the journal since the run before, and says again what the run's log does not show
//! as delivered. The ids make a repeat harmless.

use paddock_domain::{
    Answer, ApprovalId, Attachment, Body, CondensePolicy, Decision, Event, InputId, PermissionMode,
    PlanDecision, PlanId, QuestionId, RunId,
};
use paddock_harness::{Codec, Outgoing};
use paddock_store::{JournalReader, StoreError};

use super::files::Spoken;
use super::judging::as_agents_hear;
use super::tuning;
use crate::brief;

/// Something a user said, with the id under which the agent is to hear it.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    pub(crate) id: InputId,
    word: Word,
}

/// What a user can say to an agent.
#[derive(Clone, Debug)]
enum Word {
    /// As the agent hears it, and the files that are not in the box yet.
    Message(Spoken, Vec<Attachment>),
    Answer(QuestionId, Answer),
    Decision(ApprovalId, Decision),
    /// With how it is to ask while it carries an approved plan out.
    Plan(PlanId, PlanDecision, PermissionMode),
    /// How it is to work, or what is to become of its context.
    Wish(Box<Body>),
}

impl Pending {
    /// What `event` has for the agent of `run`; nothing when it is not a user's word to it.
    fn of(event: Event, run: &RunId) -> Option<Self> {
        if let Body::UserMessage {
            input_id,
            content,
            attachments,
            ..
        } = event.body
        {
            return Some(Self {
                id: input_id,
                word: Word::Message(Spoken::words(content), attachments),
            });
        }
        // An answer is for the run that asked; what the agent itself withdrew has a source.
        if event.source.is_some() || event.run_id.as_ref() != Some(run) {
            return None;
        }
        let word = Word::of_answer(event.body)?;
        Some(Self {
            id: event.event_id.into(),
            word,
        })
    }

    /// The same as the codec puts it. An answer that the agent does not wait for any more is not said.
    ///
    /// # Errors
    /// What to tell of a wish that cannot be said any more.
    pub(crate) fn say(&self, codec: &mut dyn Codec) -> Result<Vec<Outgoing>, &'static str> {
        let said = match &self.word {
            Word::Message(spoken, _) => Ok(codec.prompt_with(&self.id, &spoken.as_input())),
            Word::Answer(question, answer) => codec.answer(&self.id, question, answer),
            Word::Decision(approval, decision) => codec.decide(&self.id, approval, decision),
            Word::Plan(plan, decision, then) => codec.decide_plan(&self.id, plan, decision, *then),
            Word::Wish(body) => {
                let said = tuning::say(codec, &self.id, body);
                return said.ok_or_else(|| tuning::not_said(body));
            }
        };
        Ok(said.unwrap_or_default())
    }

    /// Whether it is a message, which begins or joins a turn.
    pub(crate) fn is_message(&self) -> bool {
        matches!(self.word, Word::Message(..))
    }

    /// What it is where it is a wish.
    pub(crate) fn wish(&mut self) -> Option<&mut Body> {
        match &mut self.word {
            Word::Wish(body) => Some(body),
            Word::Message(..) | Word::Answer(..) | Word::Decision(..) | Word::Plan(..) => None,
        }
    }

    /// How the agent is to ask while it carries out the plan that this decides on.
    pub(crate) fn mode_after_planning(&mut self) -> Option<&mut PermissionMode> {
        match &mut self.word {
            Word::Plan(_, _, then) => Some(then),
            Word::Message(..) | Word::Answer(..) | Word::Decision(..) | Word::Wish(..) => None,
        }
    }

    /// Words whose files are not in the box yet.
    pub(crate) fn with_files(&mut self) -> Option<(&mut Spoken, &[Attachment])> {
        match &mut self.word {
            Word::Message(spoken, files) if !files.is_empty() => Some((spoken, files)),
            Word::Message(..)
            | Word::Answer(..)
            | Word::Decision(..)
            | Word::Plan(..)
            | Word::Wish(..) => None,
        }
    }
}

impl Word {
    fn of_answer(body: Body) -> Option<Self> {
        if let Body::QuestionAnswered {
            question_id,
            answer,
        } = body
        {
            return Some(Self::Answer(question_id, answer?));
        }
        if let Body::ApprovalResolved {
            approval_id,
            decision,
            rules,
            ..
        } = body
        {
            let decision = as_agents_hear(&decision?, !rules.is_empty());
            return Some(Self::Decision(approval_id, decision));
        }
        if let wish @ (Body::AgentTuned { .. } | Body::CondensingWished { .. }) = body {
            return Some(Self::Wish(Box::new(wish)));
        }
        if let Body::PlanResolved { plan_id, decision } = body {
            let then = PermissionMode::AcceptEdits;
            return Some(Self::Plan(plan_id, decision?, then));
        }
        None
    }
}

/// What users said to a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Said {
    /// Their words, oldest first.
    pub(crate) words: Vec<Pending>,
    /// What the first message is to begin with, where the run began a new session and has none yet.
    pub(crate) brief: Option<String>,
}

impl Said {
    fn take(&mut self, event: Event, run: &RunId) {
        if event.run_id.as_ref() == Some(run)
            && let Body::ContextCondensed {
                policy:
                    CondensePolicy::SessionLost
                    | CondensePolicy::ProviderHandoff
                    | CondensePolicy::Forked,
                summary_text: Some(text),
                ..
            } = event.body
        {
            self.brief = Some(text);
            return;
        }
        if let Body::WishFailed { wish, .. } = &event.body {
            return self.words.retain(|word| word.id != *wish);
        }
        self.words.extend(Pending::of(event, run));
    }

    /// Puts the brief before the first message, whether the agent has heard that or not.
    fn begin_with_brief(&mut self) {
        let messages = self.words.iter_mut().map(|pending| &mut pending.word);
        let mut texts = messages.filter_map(|word| match word {
            Word::Message(spoken, _) => Some(&mut spoken.text),
            Word::Answer(..) | Word::Decision(..) | Word::Plan(..) | Word::Wish(..) => None,
        });
        if let Some(first) = texts.next()
            && let Some(text) = self.brief.take()
        {
            *first = brief::before(&text, first);
        }
    }
}

/// Everything users said to `run` that is written after event `since`.
pub(crate) async fn pending(
    reader: JournalReader,
    since: u64,
    run: &RunId,
) -> Result<Said, StoreError> {
    let mut said = Said::default();
    let take = |json: &[u8]| {
        if let Ok(event) = serde_json::from_slice(json) {
            said.take(event, run);
        }
    };
    reader.each_line(since, reader.last_seq(), take).await?;
    said.begin_with_brief();
    Ok(said)
}

#[cfg(test)]
mod tests;
