//! Messages that a run took the end of before its agent got them: the next run hears them first.
//!
//! A message is acknowledged when it is in the journal. Whether the agent got it is shown by the run's log
//! alone, so it is the log that is held against the journal when the run is over. Messages are delivered
//! in order: behind the first that was not, none was.
//!
//! Start at [`unheard`].

use std::collections::BTreeSet;

use paddock_domain::{Body, Event, InputId, NoticeLevel};
use paddock_store::{JournalReader, StoreError};

/// Messages that never reached the agent.
#[derive(Debug)]
pub(super) struct Unheard {
    /// The last event before the first of them.
    pub(super) since: u64,
    count: u64,
}

impl Unheard {
    /// What the user is told.
    pub(super) fn notice(&self) -> Body {
        let what = match self.count {
            1 => "a message".to_owned(),
            n => format!("{n} messages"),
        };
        let text = format!(
            "The run ended before the agent got {what}; it is told after the next revival, before anything else"
        );
        let level = NoticeLevel::Warning;
        Body::Notice {
            level,
            phase: None,
            text,
        }
    }
}

/// What of the messages after the event `since` is not among those `delivered`.
pub(super) async fn unheard(
    reader: JournalReader,
    since: u64,
    delivered: BTreeSet<InputId>,
) -> Result<Option<Unheard>, StoreError> {
    let mut unheard: Option<Unheard> = None;
    let take = |json: &[u8]| {
        let Ok(event) = serde_json::from_slice::<Event>(json) else {
            return;
        };
        let Body::UserMessage { input_id, .. } = &event.body else {
            return;
        };
        if let Some(unheard) = &mut unheard {
            unheard.count += 1;
        } else if !delivered.contains(input_id) {
            let since = event.seq.saturating_sub(1);
            unheard = Some(Unheard { since, count: 1 });
        }
    };
    reader.each_line(since, reader.last_seq(), take).await?;
    Ok(unheard)
}
