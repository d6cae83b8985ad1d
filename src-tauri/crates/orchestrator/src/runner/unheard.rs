//! What a run took the end of before its agent got it: the next run hears messages first, and of wishes that
//! were for this run alone the user is told that they failed.
//!
//! What a user says is acknowledged when it is in the journal. Whether the agent got it is shown by the run's log
//! alone, so it is the log that is held against the journal when the run is over. Messages are delivered
//! in order: behind the first that was not, none was.
//!
//! Start at [`unheard`].

use std::collections::BTreeSet;

use paddock_domain::{Body, CondensePolicy, Condensing, Event, InputId, NoticeLevel, RunId};
use paddock_store::{JournalReader, StoreError};

/// What never reached the agent.
#[derive(Debug, Default)]
pub(super) struct Unheard {
    /// The last event before the first message.
    pub(super) since: Option<u64>,
    messages: u64,
    wishes: Vec<(InputId, Condensing)>,
}

impl Unheard {
    /// What the user is told.
    pub(super) fn told(self) -> Vec<Body> {
        let messages = self.since.map(|_| notice(self.messages));
        let wishes = self
            .wishes
            .into_iter()
            .map(|(wish, what)| failed(wish, what));
        wishes.chain(messages).collect()
    }

    /// Takes one event of the journal. Where nobody knows what was `delivered`, every message counts as heard, and a
    /// wish by what came of it.
    fn take(&mut self, event: Event, run: &RunId, delivered: Option<&BTreeSet<InputId>>) {
        let was_delivered = |id| delivered.map(|delivered| delivered.contains(id));
        if let Body::UserMessage { input_id, .. } = &event.body {
            if self.since.is_none() && was_delivered(input_id) == Some(false) {
                self.since = Some(event.seq.saturating_sub(1));
            }
            self.messages += u64::from(self.since.is_some());
        } else if let Body::CondensingWished { what, .. } = event.body {
            let wish = InputId::from(event.event_id);
            if event.run_id.as_ref() == Some(run) && was_delivered(&wish) != Some(true) {
                self.wishes.push((wish, what));
            }
        } else if let Body::WishFailed { wish, .. } = &event.body {
            self.wishes.retain(|(id, _)| id != wish);
        } else if let Body::ContextCondensed {
            policy: CondensePolicy::Requested | CondensePolicy::Cleared,
            ..
        } = event.body
        {
            self.wishes.clear();
        }
    }
}

fn notice(messages: u64) -> Body {
    let what = match messages {
        1 => "a message".to_owned(),
        n => format!("{n} messages"),
    };
    let text = format!(
        "The run ended before the agent got {what}; it is told after the next revival, before anything else"
    );
    Body::Notice {
        level: NoticeLevel::Warning,
        phase: None,
        text,
    }
}

fn failed(wish: InputId, what: Condensing) -> Body {
    let what = match what {
        Condensing::Compact => "shorten",
        Condensing::Clear => "empty",
    };
    let why = format!(
        "The run ended before the agent was told to {what} its context. Ask for it again after the next revival"
    );
    Body::WishFailed { wish, why }
}

/// What users said to `run` after the event `since` that is not among what was `delivered`, as far as its log tells.
pub(super) async fn unheard(
    reader: JournalReader,
    since: u64,
    run: &RunId,
    delivered: Option<BTreeSet<InputId>>,
) -> Result<Unheard, StoreError> {
    let mut unheard = Unheard::default();
    let take = |json: &[u8]| {
        if let Ok(event) = serde_json::from_slice(json) {
            unheard.take(event, run, delivered.as_ref());
        }
    };
    reader.each_line(since, reader.last_seq(), take).await?;
    Ok(unheard)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn event(seq: u64, run: &str, body: &Value) -> Event {
        let mut event = json!({
            "event_id": format!("e{seq}"), "ts": "2026-11-22T12:00:00.000Z", "seq": seq,
            "task_id": "t1", "run_id": run,
        });
        let (all, body) = (event.as_object_mut().unwrap(), body.as_object().unwrap());
        all.extend(body.clone());
        serde_json::from_value(event).unwrap()
    }

    /// What is told of a run `r1` that was delivered `delivered`; nobody knows what where that is nothing.
    fn told(delivered: Option<&[&str]>, events: &[(&str, Value)]) -> (Option<u64>, Vec<String>) {
        let run = RunId::parse("r1").unwrap();
        let id = |id: &&str| InputId::parse(id).unwrap();
        let delivered = delivered.map(|ids| ids.iter().map(id).collect());
        let mut unheard = Unheard::default();
        for (seq, (run_id, body)) in (1..).zip(events) {
            unheard.take(event(seq, run_id, body), &run, delivered.as_ref());
        }
        let (since, told) = (unheard.since, unheard.told());
        let names = told.iter().map(|body| body.type_name().to_owned());
        (since, names.collect())
    }

    fn message(id: &str) -> (&'static str, Value) {
        (
            "r1",
            json!({"type": "user_message", "input_id": id, "content": "x"}),
        )
    }

    fn wish(what: &str) -> (&'static str, Value) {
        ("r1", json!({"type": "condensing_wished", "what": what}))
    }

    #[test]
    fn messages_from_the_first_that_was_not_delivered_on_are_heard_by_the_next_run() {
        let events = [message("a"), message("b"), message("c")];
        let (since, names) = told(Some(&["a"]), &events);
        assert_eq!((since, &names[..]), (Some(1), &["notice".to_owned()][..]));
        assert_eq!(told(Some(&["a", "b", "c"]), &events), (None, vec![]));
        assert_eq!(told(None, &events), (None, vec![]));
    }

    #[test]
    fn a_wish_that_the_agent_never_got_is_told_as_failed() {
        let failed = (None, vec!["wish_failed".to_owned()]);
        assert_eq!(told(Some(&[]), &[wish("clear")]), failed);
        assert_eq!(told(None, &[wish("compact")]), failed);
        assert_eq!(told(Some(&["e1"]), &[wish("clear")]), (None, vec![]));
    }

    #[test]
    fn a_wish_of_an_earlier_run_one_that_came_about_and_one_that_failed_already_are_not() {
        let earlier = ("r0", wish("clear").1);
        assert_eq!(told(Some(&[]), &[earlier]), (None, vec![]));
        let cleared = json!({"type": "context_condensed", "policy": "cleared"});
        assert_eq!(
            told(None, &[wish("clear"), ("r1", cleared)]),
            (None, vec![])
        );
        let failed = json!({"type": "wish_failed", "wish": "e1", "why": "busy"});
        assert_eq!(told(None, &[wish("clear"), ("r1", failed)]), (None, vec![]));
    }
}
