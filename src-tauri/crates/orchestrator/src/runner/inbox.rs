//! Exactly-once messages: which ids users have named for a task, and whether the agent was told.
//!
//! A client that lost an answer repeats its last messages, also to another life of Paddock. What is
//! written here while the runner lives is therefore completed from the journal the first time an id is
//! looked for that is not known: one look through it, not one a message. A client repeats only what it has
//! not seen acknowledged, so remembering [`Inbox::REMEMBERED`] ids is enough.
//!
//! Start at [`Inbox::fate`].

use std::collections::{HashMap, VecDeque};

use paddock_domain::InputId;
use paddock_store::{JournalReader, StoreError};
use serde::Deserialize;

/// What became of a message that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It was put in the queue; it waits there or was removed.
    Queued,
    /// It was said to the agent, or will be.
    Said,
}

/// The last message ids of a task, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    order: VecDeque<InputId>,
    fates: HashMap<InputId, Fate>,
    /// Whether what was taken before this runner lived is known too.
    whole: bool,
}

impl Inbox {
    /// How many ids are remembered: more than clients may have in flight.
    pub(crate) const REMEMBERED: usize = 1024;

    /// Takes note of a message that is written.
    pub(crate) fn remember(&mut self, id: &InputId, fate: Fate) {
        if self.fates.insert(id.clone(), fate).is_some() {
            return;
        }
        self.order.push_back(id.clone());
        while self.order.len() > Self::REMEMBERED
            && let Some(old) = self.order.pop_front()
        {
            self.fates.remove(&old);
        }
    }

    /// What became of the message `id`; nothing when it was never taken.
    pub(crate) async fn fate(
        &mut self,
        id: &InputId,
        journal: JournalReader,
    ) -> Result<Option<Fate>, StoreError> {
        if !self.whole && !self.fates.contains_key(id) {
            self.complete(journal).await?;
        }
        Ok(self.fates.get(id).copied())
    }

    /// Reads what was taken before: older than all that is known here.
    async fn complete(&mut self, journal: JournalReader) -> Result<(), StoreError> {
        let mut before = Self::default();
        let take = |json: &[u8]| {
            if let Some((id, fate)) = named(json) {
                before.remember(&id, fate);
            }
        };
        journal.each_line(0, journal.last_seq(), take).await?;
        for id in &self.order {
            if let Some(fate) = self.fates.get(id) {
                before.remember(id, *fate);
            }
        }
        *self = Self {
            whole: true,
            ..before
        };
        Ok(())
    }
}

/// The id that a journal line takes, and what it makes of it.
fn named(json: &[u8]) -> Option<(InputId, Fate)> {
    /// All other fields are passed over.
    #[derive(Deserialize)]
    struct Named {
        #[serde(rename = "type")]
        kind: String,
        input_id: Option<InputId>,
    }
    let named: Named = serde_json::from_slice(json).ok()?;
    let fate = match named.kind.as_str() {
        "user_message" => Fate::Said,
        "follow_up_queued" => Fate::Queued,
        _ => return None,
    };
    Some((named.input_id?, fate))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> InputId {
        InputId::parse(text).unwrap()
    }

    #[test]
    fn a_queued_message_that_is_said_changes_its_fate_and_keeps_its_place() {
        let mut inbox = Inbox::default();
        inbox.remember(&id("a"), Fate::Queued);
        inbox.remember(&id("b"), Fate::Said);
        inbox.remember(&id("a"), Fate::Said);
        assert_eq!(inbox.fates.get(&id("a")), Some(&Fate::Said));
        assert_eq!(inbox.order, [id("a"), id("b")]);
    }

    #[test]
    fn the_oldest_are_forgotten_beyond_the_bound() {
        let mut inbox = Inbox::default();
        for n in 0..=Inbox::REMEMBERED {
            inbox.remember(&id(&format!("m{n}")), Fate::Said);
        }
        assert_eq!(inbox.fates.len(), Inbox::REMEMBERED);
        assert!(!inbox.fates.contains_key(&id("m0")));
        assert!(inbox.fates.contains_key(&id("m1")));
    }

    #[test]
    fn lines_that_take_an_id_are_told_from_all_others() {
        let line = |kind: &str| format!(r#"{{"seq":1,"type":"{kind}","input_id":"a","x":[1]}}"#);
        assert_eq!(
            named(line("user_message").as_bytes()),
            Some((id("a"), Fate::Said))
        );
        assert_eq!(
            named(line("follow_up_queued").as_bytes()),
            Some((id("a"), Fate::Queued))
        );
        assert_eq!(named(line("follow_up_removed").as_bytes()), None);
        assert_eq!(named(b"{\"type\":\"notice\"}"), None);
    }
}
