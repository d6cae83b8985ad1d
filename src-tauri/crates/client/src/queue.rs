//! What waits: messages for after a turn, and tasks for a place.

use paddock_api::{
    FollowUpEdit, FollowUpOrder, HostRequest, HostView, PlaceRequest, SendRequest, SendWhen, Sent,
    TaskPlace, paths,
};
use paddock_domain::{FollowUpQueue, HostName, InputId, LineEnd, Message, TaskId};
use reqwest::Method;

use crate::call::of;
use crate::retry::{again, new_key};
use crate::{Client, ClientError};

type Answer<T> = Result<T, ClientError>;

fn of_queued(path: &str, task: &TaskId, input: &InputId) -> String {
    paths::fill(path, &[task.as_str(), input.as_str()])
}

/// Messages to agents.
impl Client {
    /// Says something to the agent now. Tried again when the answer is lost: the message's id, made when
    /// absent, keeps it from being said twice.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn say(&self, task: &TaskId, message: &Message) -> Answer<Sent> {
        self.take(task, message, SendWhen::Now).await
    }

    /// Queues a message for after the turn; tried again as [`Self::say`] is.
    ///
    /// # Errors
    /// [`ClientError`]; [`paddock_api::ErrorCode::Conflict`] when the queue has no room.
    pub async fn say_after_turn(&self, task: &TaskId, message: &Message) -> Answer<Sent> {
        self.take(task, message, SendWhen::AfterTurn).await
    }

    async fn take(&self, task: &TaskId, message: &Message, when: SendWhen) -> Answer<Sent> {
        let made = || InputId::parse(&new_key()).ok();
        let request = SendRequest {
            input_id: message.input_id.clone().or_else(made),
            text: message.text.clone(),
            attachments: message.attachments.clone(),
            when,
        };
        let path = of(paths::TASK_SEND, task);
        again(async || self.post(&path, &request).await).await
    }

    /// What waits to be said after the turn.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn follow_ups(&self, task: &TaskId) -> Answer<FollowUpQueue> {
        self.get(&of(paths::TASK_QUEUE, task)).await
    }

    /// Puts the queue in another order.
    ///
    /// # Errors
    /// [`ClientError`]; [`paddock_api::ErrorCode::Conflict`] when the queue has changed meanwhile.
    pub async fn order_follow_ups(
        &self,
        task: &TaskId,
        order: Vec<InputId>,
    ) -> Answer<FollowUpQueue> {
        let request = FollowUpOrder { order };
        self.call(Method::PATCH, &of(paths::TASK_QUEUE, task), Some(&request))
            .await
    }

    /// Changes a queued message.
    ///
    /// # Errors
    /// [`ClientError`]; [`paddock_api::ErrorCode::Conflict`] when it is not queued any more.
    pub async fn edit_follow_up(
        &self,
        task: &TaskId,
        input: &InputId,
        text: String,
    ) -> Answer<FollowUpQueue> {
        let (path, request) = (
            of_queued(paths::TASK_QUEUED, task, input),
            FollowUpEdit { text },
        );
        self.call(Method::PATCH, &path, Some(&request)).await
    }

    /// Takes a message out of the queue.
    ///
    /// # Errors
    /// [`ClientError`]; [`paddock_api::ErrorCode::Conflict`] when it was said already.
    pub async fn remove_follow_up(&self, task: &TaskId, input: &InputId) -> Answer<FollowUpQueue> {
        let path = of_queued(paths::TASK_QUEUED, task, input);
        self.call(Method::DELETE, &path, None::<&()>).await
    }

    /// Says a queued message now; a queue on hold goes on behind it.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn send_queued(&self, task: &TaskId, input: &InputId) -> Answer<Sent> {
        let path = of_queued(paths::TASK_QUEUED_SEND, task, input);
        again(async || self.tell(&path).await).await
    }
}

/// Places on hosts.
impl Client {
    /// Where a task stands in the line for a place.
    ///
    /// # Errors
    /// [`ClientError`]; [`paddock_api::ErrorCode::Conflict`] when it does not wait (any more).
    pub async fn place(&self, task: &TaskId) -> Answer<TaskPlace> {
        self.get(&of(paths::TASK_PLACE, task)).await
    }

    /// Moves a task in the line for a place.
    ///
    /// # Errors
    /// [`ClientError`]; [`paddock_api::ErrorCode::Conflict`] when it does not wait any more.
    pub async fn move_in_line(&self, task: &TaskId, to: LineEnd) -> Answer<TaskPlace> {
        self.post(&of(paths::TASK_PLACE, task), &PlaceRequest { to })
            .await
    }

    /// Changes how many tasks work at once on `host`, for good.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn set_parallel_tasks(
        &self,
        host: &HostName,
        parallel_tasks: u64,
    ) -> Answer<HostView> {
        let path = paths::fill(paths::HOST, &[host.as_str()]);
        self.call(Method::PATCH, &path, Some(&HostRequest { parallel_tasks }))
            .await
    }
}
