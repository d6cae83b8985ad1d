//! What users say to an agent: now, or after its turn.
//!
//! A message is in the queue, or said, or removed; each is one line of the journal, and the runner writes
//! them one after the other. So an edit that meets a delivery either comes first and is what is said, or
//! comes second and is refused. The runner sends the next message itself when the planner finds that it is
//! due ([`Runner::send_next`]); the `user_message` it writes takes it out of the queue, so a crash on either
//! side of that line neither loses nor doubles it.

use paddock_domain::{
    Action, Attachment, Body, EventId, FollowUpQueue, InputId, Message, TaskSpec, Transition,
};

use super::inbox::Fate;
use super::orders::{Reply, answer};
use super::run::LiveRun;
use super::{Runner, ids};
use crate::CommandError;

/// What a user asks of the messages to an agent.
#[derive(Debug)]
pub(crate) enum Saying {
    /// Say it now.
    Now(Message, Reply<Taken>),
    /// Say it after the turn.
    AfterTurn(Message, Reply<Taken>),
    /// Say what waits in the queue now.
    Queued(InputId, Reply<Taken>),
    /// Change what waits.
    Edit(InputId, String, Reply<FollowUpQueue>),
    /// Take it out of the queue.
    Remove(InputId, Reply<FollowUpQueue>),
    /// Put the queue in this order.
    Arrange(Vec<InputId>, Reply<FollowUpQueue>),
}

/// A message was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Its id.
    pub input_id: InputId,
    /// Whether it waits in the queue.
    pub queued: bool,
    /// The last event by then: the task that is shown has it.
    pub(crate) seq: u64,
}

impl Saying {
    /// Whether it may begin a run.
    pub(crate) fn needs_place(&self) -> bool {
        matches!(self, Self::Now(..) | Self::Queued(..))
    }

    /// What a user would call it.
    pub(crate) fn action(&self) -> Action {
        match self {
            Self::Now(..) | Self::Queued(..) => Action::Send,
            Self::AfterTurn(..) | Self::Edit(..) | Self::Remove(..) | Self::Arrange(..) => {
                Action::Queue
            }
        }
    }
}

impl Runner {
    pub(super) async fn obey_saying(&mut self, saying: Saying) {
        match saying {
            Saying::Now(message, reply) => answer(reply, self.say(message).await),
            Saying::AfterTurn(message, reply) => answer(reply, self.enqueue(message).await),
            Saying::Queued(id, reply) => answer(reply, self.say_queued(id).await),
            Saying::Edit(id, text, reply) => {
                let edited = self.edit(id, text).await;
                answer(reply, edited.map(|()| self.task().follow_up_queue()));
            }
            Saying::Remove(id, reply) => {
                let removed = self.remove(id).await;
                answer(reply, removed.map(|()| self.task().follow_up_queue()));
            }
            Saying::Arrange(order, reply) => {
                let arranged = self.arrange(order).await;
                answer(reply, arranged.map(|()| self.task().follow_up_queue()));
            }
        }
    }

    async fn say(&mut self, message: Message) -> Result<Taken, CommandError> {
        let (event_id, input_id) = match self.admit(&message, Action::Send).await? {
            Admitted::New(event_id, input_id) => (event_id, input_id),
            Admitted::Repeat(taken) => return Ok(taken),
        };
        self.tell_agent(event_id, input_id, message.text, message.attachments)
            .await
    }

    async fn enqueue(&mut self, message: Message) -> Result<Taken, CommandError> {
        let (event_id, input_id) = match self.admit(&message, Action::Queue).await? {
            Admitted::New(event_id, input_id) => (event_id, input_id),
            Admitted::Repeat(taken) => return Ok(taken),
        };
        let room = self.task().room_for_follow_up(&message.text, None);
        room.map_err(CommandError::conflict)?;
        let body = Body::FollowUpQueued {
            input_id: input_id.clone(),
            content: message.text,
            attachments: message.attachments,
        };
        self.write_as(event_id, body).await?;
        self.inbox.remember(&input_id, Fate::Queued);
        Ok(self.taken(input_id, true))
    }

    async fn say_queued(&mut self, input_id: InputId) -> Result<Taken, CommandError> {
        self.check(Action::Send)?;
        let Some(queued) = self.task().follow_up(&input_id).cloned() else {
            let gone = self.gone(&input_id).await?;
            return match gone {
                // Said already is as good as said now: a client that lost the answer asks again.
                Gone::Said => Ok(self.taken(input_id, false)),
                Gone::Removed => Err(gone.refusal(&input_id)),
            };
        };
        let (text, files) = (queued.content.to_string(), queued.attachments);
        self.tell_agent(ids::new_event(), input_id, text, files)
            .await
    }

    /// Sends the next message of the queue, which the planner found to be due.
    pub(super) async fn send_next(&mut self) {
        let Some(next) = self.task().next_follow_up().cloned() else {
            return;
        };
        let text = next.content.to_string();
        let sent = self
            .tell_agent(ids::new_event(), next.input_id, text, next.attachments)
            .await;
        if let Err(error) = sent {
            tracing::warn!(task.id = %self.task().task_id, %error, "a queued message cannot be sent; trying again");
            self.retry.failed();
        }
    }

    async fn edit(&mut self, id: InputId, text: String) -> Result<(), CommandError> {
        self.check(Action::Queue)?;
        check_text(&text)?;
        let Some(queued) = self.task().follow_up(&id) else {
            return Err(self.gone(&id).await?.refusal(&id));
        };
        if *queued.content == *text {
            return Ok(());
        }
        let room = self.task().room_for_follow_up(&text, Some(&id));
        room.map_err(CommandError::conflict)?;
        let (input_id, content) = (id, text);
        self.write_as(ids::new_event(), Body::FollowUpEdited { input_id, content })
            .await
    }

    async fn remove(&mut self, id: InputId) -> Result<(), CommandError> {
        if self.task().follow_up(&id).is_none() {
            return match self.gone(&id).await? {
                Gone::Removed => Ok(()),
                said @ Gone::Said => Err(said.refusal(&id)),
            };
        }
        self.check(Action::Queue)?;
        let input_id = id;
        self.write_as(ids::new_event(), Body::FollowUpRemoved { input_id })
            .await
    }

    async fn arrange(&mut self, order: Vec<InputId>) -> Result<(), CommandError> {
        self.check(Action::Queue)?;
        let now: Vec<_> = self.task().follow_ups.iter().map(|f| &f.input_id).collect();
        let all = now.len() == order.len() && now.iter().all(|id| order.contains(id));
        if !all {
            let message = "the queue has changed meanwhile: look at it and order what is there";
            return Err(CommandError::conflict(message));
        }
        if now.into_iter().eq(&order) {
            return Ok(());
        }
        let input_ids = order;
        self.write_as(ids::new_event(), Body::FollowUpsOrdered { input_ids })
            .await
    }

    /// Holds a message against the rules; a repeated one is passed through whatever the task's state.
    async fn admit(&mut self, message: &Message, action: Action) -> Result<Admitted, CommandError> {
        let event_id = ids::new_event();
        let Some(input_id) = message.input_id.clone() else {
            self.check(action)?;
            check_text(&message.text)?;
            self.take_files(&message.attachments).await?;
            let input_id = event_id.clone().into();
            return Ok(Admitted::New(event_id, input_id));
        };
        if self.fate(&input_id).await?.is_some() {
            let queued = self.task().follow_up(&input_id).is_some();
            return Ok(Admitted::Repeat(self.taken(input_id, queued)));
        }
        self.check(action)?;
        check_text(&message.text)?;
        self.take_files(&message.attachments).await?;
        Ok(Admitted::New(event_id, input_id))
    }

    /// Writes a message down and says it: in the turn under way, or in one that it begins.
    async fn tell_agent(
        &mut self,
        event_id: EventId,
        input_id: InputId,
        text: String,
        files: Vec<Attachment>,
    ) -> Result<Taken, CommandError> {
        if self.run.as_ref().is_some_and(LiveRun::is_crowded) {
            return Err(CommandError::Overloaded {
                what: "the line of messages to the agent",
            });
        }
        if self.task().allowed.contains(&Action::Revive) {
            self.go(Action::Revive, Transition::ReviveRequested).await?;
        }
        let during_turn = self.turn.is_some();
        if !during_turn {
            self.turn = Some(ids::new_turn());
        }
        let body = Body::UserMessage {
            input_id: input_id.clone(),
            content: text.clone(),
            during_turn,
            attachments: files.clone(),
        };
        self.write_as(event_id, body).await?;
        if let Some(notice) = self.told_of_files(&files)
            && let Err(error) = self.write(vec![notice]).await
        {
            self.cannot_write(&error);
        }
        self.inbox.remember(&input_id, Fate::Said);
        if self.talking().is_some()
            && let Some(spoken) = self.spoken(text, &files).await
            && let Some(run) = self.talking()
        {
            let messages = run.prompt(&input_id, spoken);
            if !run.say(messages) {
                // Joined again, the run hears all that the journal has for it.
                self.lose_box();
            }
        }
        Ok(self.taken(input_id, false))
    }

    fn taken(&self, input_id: InputId, queued: bool) -> Taken {
        let seq = self.task().last_seq;
        Taken {
            input_id,
            queued,
            seq,
        }
    }

    async fn fate(&mut self, id: &InputId) -> Result<Option<Fate>, CommandError> {
        let journal = self.rooms.store.reader(&self.journal.task().task_id);
        let fate = self.inbox.fate(id, journal).await;
        fate.map_err(CommandError::failed)
    }

    /// What became of a message that is not in the queue.
    async fn gone(&mut self, id: &InputId) -> Result<Gone, CommandError> {
        match self.fate(id).await? {
            Some(Fate::Said) => Ok(Gone::Said),
            Some(Fate::Queued) => Ok(Gone::Removed),
            None => Err(CommandError::NotFound {
                what: "follow_up",
                message: format!("there is no message {id} in the queue"),
            }),
        }
    }
}

/// A message that may be taken.
enum Admitted {
    New(EventId, InputId),
    /// It was taken before.
    Repeat(Taken),
}

/// Where a message went that was in the queue.
#[derive(Clone, Copy)]
enum Gone {
    Said,
    Removed,
}

impl Gone {
    fn refusal(self, id: &InputId) -> CommandError {
        CommandError::conflict(match self {
            Self::Said => format!("message {id} went to the agent already: say what is to change"),
            Self::Removed => format!("message {id} was removed from the queue: queue it anew"),
        })
    }
}

fn check_text(text: &str) -> Result<(), CommandError> {
    let (len, max) = (text.len(), TaskSpec::PROMPT_MAX);
    if text.trim().is_empty() {
        return Err(paddock_domain::InvalidSpec::EmptyPrompt.into());
    }
    if len > max {
        return Err(paddock_domain::InvalidSpec::LongPrompt { len, max }.into());
    }
    Ok(())
}
