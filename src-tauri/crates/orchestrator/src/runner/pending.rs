//! What users have said that the agent may not have heard yet.
//!
//! Everything a user says is written into the journal before it is acknowledged. Whoever joins a run
//! therefore reads the journal since the run before, and says again what the run's log does not show
//! as delivered. The ids make a repeat harmless.

use paddock_domain::{Body, Event, InputId, RunId};
use paddock_harness::{Codec, Outgoing};
use paddock_store::{JournalReader, StoreError};

use crate::ids;

/// How much of the journal is read at a time, in bytes.
const PAGE: usize = 1 << 20;

/// Something a user said, with the id under which the agent is to hear it.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    pub(crate) id: InputId,
    body: Body,
}

impl Pending {
    /// What `event` has for the agent of `run`; nothing when it is not a user's word to it.
    fn of(event: Event, run: &RunId) -> Option<Self> {
        let for_run = event.source.is_none() && event.run_id.as_ref() == Some(run);
        let id = match &event.body {
            Body::UserMessage { input_id, .. } => Some(input_id.clone()),
            Body::QuestionAnswered {
                answer: Some(_), ..
            }
            | Body::ApprovalResolved {
                decision: Some(_), ..
            }
            | Body::PlanResolved {
                decision: Some(_), ..
            } if for_run => ids::input_of(&event.event_id),
            _ => None,
        };
        Some(Self {
            id: id?,
            body: event.body,
        })
    }

    /// The same as the codec puts it. What the agent does not wait for any more is not said.
    pub(crate) fn say(&self, codec: &mut dyn Codec) -> Vec<Outgoing> {
        if let Body::UserMessage { content, .. } = &self.body {
            return codec.prompt(&self.id, content);
        }
        let said = match &self.body {
            Body::QuestionAnswered {
                question_id,
                answer: Some(answer),
            } => codec.answer(&self.id, question_id, answer),
            Body::ApprovalResolved {
                approval_id,
                decision: Some(decision),
            } => codec.decide(&self.id, approval_id, decision),
            Body::PlanResolved {
                plan_id,
                decision: Some(decision),
            } => codec.decide_plan(&self.id, plan_id, decision),
            _ => Ok(Vec::new()),
        };
        said.unwrap_or_default()
    }

    /// Whether it is a message, which begins or joins a turn.
    pub(crate) fn is_message(&self) -> bool {
        matches!(self.body, Body::UserMessage { .. })
    }
}

/// Everything users said to `run` that is written after event `since`, oldest first.
pub(crate) async fn pending(
    reader: JournalReader,
    mut since: u64,
    run: &RunId,
) -> Result<Vec<Pending>, StoreError> {
    let last = reader.last_seq();
    let mut found = Vec::new();
    while since < last {
        let (page, reached) = reader.page(since, PAGE).await?;
        if page.is_empty() {
            break;
        }
        since = reached;
        let events = page
            .iter()
            .filter_map(|json| serde_json::from_slice(json).ok());
        found.extend(events.filter_map(|event| Pending::of(event, run)));
    }
    Ok(found)
}
