//! What the running program of a task offers: read from the journal, where the task says that it stands.
//!
//! The task itself carries only the number of that event, so that lists and snapshots stay small. What a
//! program says again in its next run is not written again.

use paddock_domain::{Body, Event, Offers, Task, TaskId};
use paddock_store::{Draft, JournalReader, Store, StoreError};

use crate::{CommandError, Orchestrator};

impl Orchestrator {
    /// What the program of a task offers, as it last said; nothing where it said nothing yet.
    ///
    /// # Errors
    /// [`CommandError::NoSuchTask`], and [`CommandError::Failed`] when the journal cannot be read.
    pub async fn offers(&self, id: &TaskId) -> Result<Offers, CommandError> {
        let Some(seq) = self.task(id)?.offers_seq else {
            return Ok(Offers::default());
        };
        told(&self.rooms.store.reader(id), seq)
            .await
            .map_err(|error| {
                tracing::warn!(task.id = %id, %error, "what the program offers cannot be told");
                CommandError::failed(error)
            })
    }
}

/// What a program offers stands in the journal and cannot be told.
#[derive(Debug, thiserror::Error)]
enum Untold {
    #[error("what the program offers cannot be read: {0}")]
    Journal(#[from] StoreError),
    #[error(
        "event {seq} of the journal, in which the program says what it offers, cannot be read: check the journal (`paddock journal verify`)"
    )]
    Event { seq: u64 },
}

/// What was told in event `seq`.
async fn told(journal: &JournalReader, seq: u64) -> Result<Offers, Untold> {
    let (page, _) = journal.page(seq.saturating_sub(1), 1).await?;
    page.first()
        .and_then(|line| offers_in(line))
        .ok_or(Untold::Event { seq })
}

fn offers_in(line: &[u8]) -> Option<Offers> {
    let event: Event = serde_json::from_slice(line).ok()?;
    let Body::AgentOffers(offers) = event.body else {
        return None;
    };
    Some(offers)
}

/// Leaves out of `drafts` what the journal of `task` says already.
pub(crate) async fn without_repeated(drafts: &mut Vec<Draft>, store: &Store, task: &Task) {
    let tells = |draft: &Draft| matches!(draft.body, Body::AgentOffers(_));
    let (Some(seq), true) = (task.offers_seq, drafts.iter().any(tells)) else {
        return;
    };
    let mut last = match told(&store.reader(&task.task_id), seq).await {
        Ok(last) => last,
        Err(error) => {
            tracing::warn!(task.id = %task.task_id, %error, "what the program offers is told once more");
            return;
        }
    };
    drafts.retain(|draft| {
        let Body::AgentOffers(offers) = &draft.body else {
            return true;
        };
        let news = *offers != last;
        last.clone_from(offers);
        news
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_cannot_be_read_or_tells_something_else_tells_no_offers() {
        let line = |body: &str| {
            format!(
                r#"{{"event_id":"e7","ts":"2026-11-22T12:00:00.000Z","seq":7,"task_id":"t1",{body}}}"#
            )
        };
        let told = line(r#""type":"agent_offers","commands":[{"name":"/review"}]"#);
        let offers = offers_in(told.as_bytes()).expect("offers");
        assert_eq!(offers.commands[0].name, "/review");
        let torn = &told.as_bytes()[..told.len() - 9];
        assert_eq!(offers_in(torn), None);
        let other = line(r#""type":"taken_up""#);
        assert_eq!(offers_in(other.as_bytes()), None);
        let error = Untold::Event { seq: 7 }.to_string();
        assert!(error.contains("event 7"), "{error}");
    }
}
