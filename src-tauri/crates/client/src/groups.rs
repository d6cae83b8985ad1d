//! Forks, hand-offs, groups, and the files that go with messages.

use bytes::Bytes;
use paddock_api::{
    Accepted, CheckRequest, GroupChecks, GroupRequest, GroupView, Page, UploadQuery, paths,
};
use paddock_domain::{
    Attachment, ForkRequest, GroupId, HandOffRequest, PickRequest, RequestKey, Task, TaskId,
};

use crate::call::of;
use crate::query::with_query;
use crate::retry::{again, new_key};
use crate::{Client, ClientError};

type Answer<T> = Result<T, ClientError>;

impl Client {
    /// Uploads a file for a message to name.
    ///
    /// # Errors
    /// [`ClientError`]; [`paddock_api::ErrorCode::TooLarge`] over [`Attachment::SIZE_MAX`].
    pub async fn upload(&self, name: &str, content: Bytes) -> Answer<Attachment> {
        let name = name.to_owned();
        let path = with_query(paths::ATTACHMENTS, &UploadQuery { name });
        again(async || self.post_file(&path, content.clone()).await).await
    }

    /// Forks a task. Tried again when the answer is lost: the request's key, made when absent, keeps a second
    /// fork from being made.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn fork(&self, task: &TaskId, request: &ForkRequest) -> Answer<Task> {
        let mut request = request.clone();
        if request.request_key.is_none() {
            request.request_key = RequestKey::parse(&new_key()).ok();
        }
        let path = of(paths::TASK_FORK, task);
        again(async || self.post(&path, &request).await).await
    }

    /// Hands a task to another agent.
    ///
    /// # Errors
    /// [`ClientError`]; [`paddock_api::ErrorCode::Conflict`] when the box cannot run it.
    pub async fn hand_off(&self, task: &TaskId, request: &HandOffRequest) -> Answer<Accepted> {
        self.post(&of(paths::TASK_HAND_OFF, task), request).await
    }

    /// Groups, newest first.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn groups(&self) -> Answer<Vec<GroupView>> {
        Ok(self.get::<Page<GroupView>>(paths::GROUPS).await?.items)
    }

    /// Runs one prompt on several agents; tried again as [`Client::create`] is.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn create_group(&self, request: &GroupRequest) -> Answer<GroupView> {
        let mut request = request.clone();
        if request.task.request_key.is_none() {
            request.task.request_key = RequestKey::parse(&new_key()).ok();
        }
        again(async || self.post(paths::GROUPS, &request).await).await
    }

    /// One group.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn group(&self, group: &GroupId) -> Answer<GroupView> {
        self.get(&paths::fill(paths::GROUP, &[group.as_str()]))
            .await
    }

    /// Checks the work of every task of a group; answers when all have ended.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn check_group(
        &self,
        group: &GroupId,
        request: &CheckRequest,
    ) -> Answer<GroupChecks> {
        let path = paths::fill(paths::GROUP_CHECK, &[group.as_str()]);
        self.post(&path, request).await
    }

    /// Chooses one task of a group.
    ///
    /// # Errors
    /// [`ClientError`]; [`paddock_api::ErrorCode::WouldLose`] when the others hold work.
    pub async fn pick(&self, group: &GroupId, request: &PickRequest) -> Answer<GroupView> {
        let path = paths::fill(paths::GROUP_PICK, &[group.as_str()]);
        self.post(&path, request).await
    }
}
