//! Messages to agents: said now, or queued for after the turn.

use paddock_domain::{FollowUpQueue, InputId, Message, TaskId};

use crate::runner::{Order, Reply, Saying, Taken};
use crate::{CommandError, Orchestrator};

impl Orchestrator {
    /// Says something to a task's agent; a stopped task is revived for it.
    ///
    /// # Errors
    /// [`CommandError::NotNow`].
    pub async fn send(&self, id: &TaskId, message: Message) -> Result<Taken, CommandError> {
        self.say(id, |reply| Saying::Now(message, reply)).await
    }

    /// Queues a message for after the turn.
    ///
    /// # Errors
    /// [`CommandError::NotNow`], [`CommandError::Conflict`] when the queue has no room.
    pub async fn send_after_turn(
        &self,
        id: &TaskId,
        message: Message,
    ) -> Result<Taken, CommandError> {
        self.say(id, |reply| Saying::AfterTurn(message, reply))
            .await
    }

    /// Says a queued message now: it joins the turn under way, or begins one.
    ///
    /// # Errors
    /// [`CommandError::NotFound`], [`CommandError::Conflict`] when it was removed.
    pub async fn send_queued(&self, id: &TaskId, input: InputId) -> Result<Taken, CommandError> {
        self.say(id, |reply| Saying::Queued(input, reply)).await
    }

    /// Who reads after this has its answer sees what came of it.
    async fn say(
        &self,
        id: &TaskId,
        saying: impl FnOnce(Reply<Taken>) -> Saying,
    ) -> Result<Taken, CommandError> {
        let taken = self.order(id, |reply| Order::Say(saying(reply))).await?;
        self.shown(id, taken.seq).await?;
        Ok(taken)
    }

    /// The messages that wait for the end of a task's turn.
    ///
    /// # Errors
    /// [`CommandError::NoSuchTask`].
    pub fn follow_ups(&self, id: &TaskId) -> Result<FollowUpQueue, CommandError> {
        Ok(self.task(id)?.follow_up_queue())
    }

    /// Changes a queued message; gives the queue.
    ///
    /// # Errors
    /// [`CommandError::NotFound`], [`CommandError::Conflict`] when it is not queued any more.
    pub async fn edit_follow_up(
        &self,
        id: &TaskId,
        input: InputId,
        text: String,
    ) -> Result<FollowUpQueue, CommandError> {
        self.order(id, |reply| Order::Say(Saying::Edit(input, text, reply)))
            .await
    }

    /// Takes a message out of the queue; gives the queue.
    ///
    /// # Errors
    /// [`CommandError::NotFound`], [`CommandError::Conflict`] when it was said already.
    pub async fn remove_follow_up(
        &self,
        id: &TaskId,
        input: InputId,
    ) -> Result<FollowUpQueue, CommandError> {
        self.order(id, |reply| Order::Say(Saying::Remove(input, reply)))
            .await
    }

    /// Puts the queue in another order; gives the queue.
    ///
    /// # Errors
    /// [`CommandError::Conflict`] when `order` does not name exactly what is queued.
    pub async fn order_follow_ups(
        &self,
        id: &TaskId,
        order: Vec<InputId>,
    ) -> Result<FollowUpQueue, CommandError> {
        self.order(id, |reply| Order::Say(Saying::Arrange(order, reply)))
            .await
    }
}
