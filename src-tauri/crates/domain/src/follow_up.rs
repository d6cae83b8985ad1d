//! Messages that wait for the end of a turn: the user queues them while the agent works.
//!
//! The queue is part of the task's fold. It is drained by `user_message` events that carry the input id
//! of what was queued, so a message is either in the queue or said, never both. After a turn that did not
//! end plainly the queue is on hold until the user speaks again: what comes next was meant for another
//! ending.
//!
//! Start at [`Task::next_follow_up`].

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Attachment, Body, Event, InputId, Task, Timestamp, TurnOutcome};

/// A message that waits for the end of a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FollowUp {
    /// Its id; the `user_message` that delivers it has the same.
    pub input_id: InputId,
    /// What is to be said.
    #[schema(value_type = String)]
    pub content: Arc<str>,
    /// Files that go with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// When it was queued.
    pub queued_at: Timestamp,
    /// When it was last edited; absent until then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edited_at: Option<Timestamp>,
}

/// The messages that wait for the end of a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FollowUpQueue {
    /// The messages, the next first.
    pub items: Vec<FollowUp>,
    /// Why they do not go out by themselves; absent when the next follows a turn that ends plainly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold: Option<FollowUpHold>,
}

impl FollowUp {
    /// Most messages in one queue.
    pub const COUNT_MAX: usize = 32;
    /// Most text in one queue, in bytes.
    pub const BYTES_MAX: usize = 256 << 10;
}

/// Why a queue does not go on by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FollowUpHold {
    /// The last turn failed.
    Failed,
    /// The user interrupted the last turn.
    Interrupted,
    /// The run ended.
    RunEnded,
}

/// Why a queue cannot take what is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueueFull {
    /// There are too many messages.
    #[error("{} messages wait already: send or remove one", FollowUp::COUNT_MAX)]
    TooMany,
    /// They are too long together.
    #[error(
        "the messages that wait would have {bytes} bytes together, more than {}: put the text into a file and name it",
        FollowUp::BYTES_MAX
    )]
    TooLong {
        /// How many bytes there would be.
        bytes: usize,
    },
}

impl Task {
    /// What is to be said to an agent that rests: the first of the queue, unless the queue is on hold or
    /// something is under way.
    #[must_use]
    pub fn next_follow_up(&self) -> Option<&FollowUp> {
        let rests = self.turn.is_none() && !self.has_open_requests();
        let goes_on = rests && self.follow_ups_hold.is_none();
        self.follow_ups.first().filter(|_| goes_on)
    }

    /// The whole queue.
    #[must_use]
    pub fn follow_up_queue(&self) -> FollowUpQueue {
        FollowUpQueue {
            items: self.follow_ups.clone(),
            hold: self.follow_ups_hold,
        }
    }

    /// The message `id` of the queue.
    #[must_use]
    pub fn follow_up(&self, id: &InputId) -> Option<&FollowUp> {
        self.follow_ups.iter().find(|queued| queued.input_id == *id)
    }

    /// Whether the queue has room for `text`, in the place of the message `instead` where one is named.
    ///
    /// # Errors
    /// [`QueueFull`] when it has not.
    pub fn room_for_follow_up(
        &self,
        text: &str,
        instead: Option<&InputId>,
    ) -> Result<(), QueueFull> {
        let others = self
            .follow_ups
            .iter()
            .filter(|queued| Some(&queued.input_id) != instead);
        let (count, bytes) = others.fold((1, text.len()), |(count, bytes), queued| {
            (count + 1, bytes + queued.content.len())
        });
        if count > FollowUp::COUNT_MAX {
            return Err(QueueFull::TooMany);
        }
        if bytes > FollowUp::BYTES_MAX {
            return Err(QueueFull::TooLong { bytes });
        }
        Ok(())
    }

    /// Folds in what concerns the queue.
    pub(crate) fn record_follow_up(&mut self, event: &Event) {
        if let Body::FollowUpQueued {
            input_id,
            content,
            attachments,
        } = &event.body
        {
            if self.follow_up(input_id).is_none() {
                self.follow_ups.push(FollowUp {
                    input_id: input_id.clone(),
                    content: content.as_str().into(),
                    attachments: attachments.clone(),
                    queued_at: event.ts,
                    edited_at: None,
                });
            }
        } else if let Body::FollowUpEdited { input_id, content } = &event.body {
            let queued = self.follow_ups.iter_mut();
            for queued in queued.filter(|queued| queued.input_id == *input_id) {
                queued.content = content.as_str().into();
                queued.edited_at = Some(event.ts);
            }
        } else if let Body::FollowUpRemoved { input_id } = &event.body {
            self.drop_follow_up(input_id);
        } else if let Body::FollowUpsOrdered { input_ids } = &event.body {
            let place = |id: &InputId| input_ids.iter().position(|named| named == id);
            self.follow_ups
                .sort_by_key(|queued| place(&queued.input_id).unwrap_or(usize::MAX));
        } else if let Body::UserMessage { input_id, .. } = &event.body {
            self.drop_follow_up(input_id);
            self.follow_ups_hold = None;
        }
    }

    /// A turn is over: the queue goes on after a plain end alone.
    pub(crate) fn hold_follow_ups(&mut self, outcome: TurnOutcome) {
        self.follow_ups_hold = match outcome {
            TurnOutcome::Completed => None,
            TurnOutcome::Failed => Some(FollowUpHold::Failed),
            TurnOutcome::Interrupted => Some(FollowUpHold::Interrupted),
            TurnOutcome::RunEnded => Some(FollowUpHold::RunEnded),
        };
    }

    fn drop_follow_up(&mut self, id: &InputId) {
        self.follow_ups.retain(|queued| queued.input_id != *id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EventId, RunExit, RunId, TaskId, TurnId};

    /// A task to which `bodies` happened, the letters of `turns` being open turns.
    fn told(bodies: Vec<(Option<&str>, Body)>) -> Task {
        let spec: crate::TaskSpec =
            serde_json::from_str(r#"{"prompt":"x","harness":"scripted"}"#).unwrap();
        let event = |seq, turn: Option<&str>, body| Event {
            event_id: EventId::new(seq, 0),
            ts: Timestamp::from_unix_ms(0),
            seq,
            task_id: TaskId::parse("t1").unwrap(),
            run_id: Some(RunId::parse("r1").unwrap()),
            turn_id: turn.map(|turn| TurnId::parse(turn).unwrap()),
            source: None,
            body,
        };
        let begun = Body::SessionStarted {
            task_description: "x".into(),
            project_path: None,
            coding_provider: spec.harness.clone(),
            spec: Box::new(spec),
        };
        let mut task = Task::begin(&event(1, None, begun)).unwrap();
        for (seq, (turn, body)) in (2..).zip(bodies) {
            task.record(&event(seq, turn, body));
        }
        task
    }

    fn id(text: &str) -> InputId {
        InputId::parse(text).unwrap()
    }

    fn queued(text: &str) -> (Option<&'static str>, Body) {
        let content = format!("do {text}");
        let input_id = id(text);
        let attachments = Vec::new();
        (
            None,
            Body::FollowUpQueued {
                input_id,
                content,
                attachments,
            },
        )
    }

    fn said(text: &str) -> (Option<&'static str>, Body) {
        let body = Body::UserMessage {
            input_id: id(text),
            content: text.to_owned(),
            during_turn: false,
            attachments: Vec::new(),
        };
        (Some("turn"), body)
    }

    fn ended(outcome: TurnOutcome) -> (Option<&'static str>, Body) {
        let duration_ms = None;
        let body = Body::TurnFinished {
            outcome,
            duration_ms,
        };
        (Some("turn"), body)
    }

    fn next(task: &Task) -> Option<&str> {
        task.next_follow_up().map(|next| next.input_id.as_str())
    }

    #[test]
    fn the_first_is_due_when_the_turn_ended_plainly_and_leaves_the_queue_when_it_is_said() {
        let story = vec![said("p"), queued("a"), queued("b")];
        assert_eq!(next(&told(story.clone())), None, "a turn is under way");
        let over = [story, vec![ended(TurnOutcome::Completed)]].concat();
        assert_eq!(next(&told(over.clone())), Some("a"));
        let on = [over, vec![said("a")]].concat();
        assert_eq!(next(&told(on.clone())), None);
        let over = [on, vec![ended(TurnOutcome::Completed)]].concat();
        assert_eq!(next(&told(over)), Some("b"));
    }

    #[test]
    fn a_turn_that_did_not_end_plainly_holds_the_queue_until_the_user_speaks() {
        let holds = [
            (TurnOutcome::Failed, FollowUpHold::Failed),
            (TurnOutcome::Interrupted, FollowUpHold::Interrupted),
            (TurnOutcome::RunEnded, FollowUpHold::RunEnded),
        ];
        for (outcome, hold) in holds {
            let story = vec![said("p"), queued("a"), ended(outcome)];
            let task = told(story.clone());
            assert_eq!((next(&task), task.follow_ups_hold), (None, Some(hold)));
            let spoken = vec![said("other"), ended(TurnOutcome::Completed)];
            assert_eq!(next(&told([story, spoken].concat())), Some("a"));
        }
    }

    #[test]
    fn the_end_of_a_run_holds_the_queue_even_between_two_turns() {
        let exit = RunExit::Code { code: 0 };
        let stderr_tail = String::new();
        let unheard_since = None;
        let over = Body::RunEnded {
            exit,
            stderr_tail,
            unheard_since,
        };
        let gone = (None, over);
        let story = vec![said("p"), ended(TurnOutcome::Completed), gone, queued("a")];
        assert_eq!(told(story).follow_ups_hold, Some(FollowUpHold::RunEnded));
    }

    #[test]
    fn what_waits_can_be_edited_moved_and_removed_and_an_order_may_forget_some() {
        let task = told(vec![
            queued("a"),
            queued("b"),
            queued("c"),
            queued("a"),
            (
                None,
                Body::FollowUpEdited {
                    input_id: id("b"),
                    content: "do it well".into(),
                },
            ),
            (None, Body::FollowUpRemoved { input_id: id("a") }),
            (
                None,
                Body::FollowUpsOrdered {
                    input_ids: vec![id("c"), id("gone")],
                },
            ),
        ]);
        let left: Vec<_> = task
            .follow_ups
            .iter()
            .map(|queued| (queued.input_id.as_str(), &*queued.content))
            .collect();
        assert_eq!(left, [("c", "do c"), ("b", "do it well")]);
        assert!(task.follow_up(&id("b")).unwrap().edited_at.is_some());
    }

    #[test]
    fn a_queue_is_bounded_in_number_and_in_bytes() {
        let names: Vec<String> = (0..FollowUp::COUNT_MAX).map(|n| format!("m{n}")).collect();
        let full = told(names.iter().map(|name| queued(name)).collect());
        assert_eq!(full.room_for_follow_up("x", None), Err(QueueFull::TooMany));
        assert_eq!(full.room_for_follow_up("x", Some(&id("m3"))), Ok(()));
        let text = "x".repeat(FollowUp::BYTES_MAX);
        assert_eq!(told(vec![]).room_for_follow_up(&text, None), Ok(()));
        assert_eq!(
            told(vec![queued("a")]).room_for_follow_up(&text, None),
            Err(QueueFull::TooLong {
                bytes: FollowUp::BYTES_MAX + 4
            })
        );
    }
}
