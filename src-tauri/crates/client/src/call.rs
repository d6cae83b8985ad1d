//! Every action of the API, one method each.

use bytes::Bytes;
use paddock_api::{
    Accepted, AnswerRequest, ApprovalRequest, Check, CommitMade, CommitPreviewList,
    CommitPreviewQuery, EventsQuery, HarnessView, Health, HostView, InspectQuery, InstallRequest,
    KnownRepository, Page, PairingCode, PlanRequest, RepositoryInfo, SettingsView, SquashList,
    TaskQuery, TaskSummary, TaskView, VersionInfo, paths,
};
use paddock_domain::{
    CommitRequest, DiffRequest, HarnessName, PurgePreview, PurgeRequest, RequestKey, SyncReport,
    SyncRequest, Task, TaskId, TaskSpec,
};
use reqwest::Method;

use crate::query::with_query;
use crate::retry::{again, new_key};
use crate::{Client, ClientError, EventFeed, InstallFeed};

type Answer<T> = Result<T, ClientError>;

/// The path of a task's own.
pub(crate) fn of(path: &str, task: &TaskId) -> String {
    paths::fill(path, &[task.as_str()])
}

/// What is around the tasks.
impl Client {
    /// Whether it serves.
    ///
    /// # Errors
    /// [`ClientError`], as for every call.
    pub async fn health(&self) -> Answer<Health> {
        self.get(paths::HEALTH).await
    }

    /// Which Paddock it is.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn version(&self) -> Answer<VersionInfo> {
        self.get(paths::VERSION).await
    }

    /// A code that pairs a browser.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn pairing_code(&self) -> Answer<PairingCode> {
        self.tell(paths::AUTH_CODES).await
    }

    /// Machines that hold boxes.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn hosts(&self) -> Answer<Vec<HostView>> {
        Ok(self.get::<Page<HostView>>(paths::HOSTS).await?.items)
    }

    /// Repositories that tasks have used, last used first.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn repositories(&self) -> Answer<Vec<KnownRepository>> {
        Ok(self.get::<Page<KnownRepository>>(paths::REPOS).await?.items)
    }

    /// A look at one repository.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn inspect(&self, query: &InspectQuery) -> Answer<RepositoryInfo> {
        self.get(&with_query(paths::REPOS_INSPECT, query)).await
    }

    /// Agent programs.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn harnesses(&self) -> Answer<Vec<HarnessView>> {
        Ok(self.get::<Page<HarnessView>>(paths::HARNESSES).await?.items)
    }

    /// Installs an agent program and tells how it goes.
    ///
    /// # Errors
    /// [`ClientError`] when it does not even begin.
    pub async fn install(
        &self,
        harness: &HarnessName,
        request: &InstallRequest,
    ) -> Answer<InstallFeed> {
        let path = paths::fill(paths::HARNESS_INSTALL, &[harness.as_str()]);
        let response = self
            .send(Method::POST, &path, Some(request), "text/event-stream")
            .await?;
        Ok(InstallFeed::new(self.url().to_owned(), response))
    }

    /// What is missing on the server's machine.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn doctor(&self) -> Answer<Vec<Check>> {
        Ok(self.get::<Page<Check>>(paths::DOCTOR).await?.items)
    }

    /// What is chosen.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn settings(&self) -> Answer<SettingsView> {
        self.get(paths::SETTINGS).await
    }

    /// What happens to every task, from the cursor `since` on, or from now.
    #[must_use]
    pub fn all_events(&self, since: Option<String>) -> EventFeed {
        EventFeed::new(self.clone(), paths::EVENTS.to_owned(), since)
    }
}

/// Tasks.
impl Client {
    /// One page of tasks, newest first.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn tasks(&self, query: &TaskQuery) -> Answer<Page<TaskSummary>> {
        self.get(&with_query(paths::TASKS, query)).await
    }

    /// One task, whole.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn task(&self, task: &TaskId) -> Answer<TaskView> {
        self.get(&of(paths::TASK, task)).await
    }

    /// Creates a task. Tried again when the answer is lost: the request's key, made when absent, keeps a
    /// second task from being made.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn create(&self, spec: &TaskSpec) -> Answer<Task> {
        let mut spec = spec.clone();
        if spec.request_key.is_none() {
            spec.request_key = RequestKey::parse(&new_key()).ok();
        }
        again(async || self.post(paths::TASKS, &spec).await).await
    }

    /// What happened to the task after the event `since_seq`, and what happens.
    #[must_use]
    pub fn events(&self, task: &TaskId, since_seq: u64) -> EventFeed {
        EventFeed::new(
            self.clone(),
            of(paths::TASK_EVENTS, task),
            Some(since_seq.to_string()),
        )
    }

    /// Answers a question.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn answer(&self, task: &TaskId, request: &AnswerRequest) -> Answer<Accepted> {
        self.post(&of(paths::TASK_ANSWER, task), request).await
    }

    /// Decides on a permission.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn decide(&self, task: &TaskId, request: &ApprovalRequest) -> Answer<Accepted> {
        self.post(&of(paths::TASK_APPROVAL, task), request).await
    }

    /// Decides on a plan.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn decide_plan(&self, task: &TaskId, request: &PlanRequest) -> Answer<Accepted> {
        self.post(&of(paths::TASK_PLAN, task), request).await
    }

    /// Ends the turn.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn interrupt(&self, task: &TaskId) -> Answer<Accepted> {
        self.tell(&of(paths::TASK_INTERRUPT, task)).await
    }

    /// Ends the run.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn stop(&self, task: &TaskId) -> Answer<Accepted> {
        self.tell(&of(paths::TASK_STOP, task)).await
    }

    /// Starts the agent again.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn revive(&self, task: &TaskId) -> Answer<Accepted> {
        self.tell(&of(paths::TASK_REVIVE, task)).await
    }

    /// What a purge would take.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn purge_preview(&self, task: &TaskId) -> Answer<PurgePreview> {
        self.get(&of(paths::TASK_PURGE, task)).await
    }

    /// Removes the box after its recovery window.
    ///
    /// # Errors
    /// [`ClientError`]; [`paddock_api::ErrorCode::WouldLose`] asks for `force`.
    pub async fn purge(&self, task: &TaskId, request: &PurgeRequest) -> Answer<Accepted> {
        self.post(&of(paths::TASK_PURGE, task), request).await
    }

    /// Takes a purge back.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn restore(&self, task: &TaskId) -> Answer<Accepted> {
        self.tell(&of(paths::TASK_RESTORE, task)).await
    }

    /// What changed, as a unified diff.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn diff(&self, task: &TaskId, request: &DiffRequest) -> Answer<Bytes> {
        let path = with_query(&of(paths::TASK_DIFF, task), request);
        self.bytes(Method::GET, &path, None::<&()>).await
    }

    /// What would be committed.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn commit_preview(
        &self,
        task: &TaskId,
        query: &CommitPreviewQuery,
    ) -> Answer<CommitPreviewList> {
        self.get(&with_query(&of(paths::TASK_COMMIT, task), query))
            .await
    }

    /// Commits what was previewed.
    ///
    /// # Errors
    /// [`ClientError`]; [`paddock_api::ErrorCode::Conflict`] when the tree has changed since.
    pub async fn commit(&self, task: &TaskId, request: &CommitRequest) -> Answer<CommitMade> {
        self.post(&of(paths::TASK_COMMIT, task), request).await
    }

    /// What a squash onto the default branch would do.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn squash_preview(&self, task: &TaskId) -> Answer<SquashList> {
        self.get(&of(paths::TASK_SQUASH, task)).await
    }

    /// Brings commits out and pushes them.
    ///
    /// # Errors
    /// [`ClientError`]; [`paddock_api::ErrorCode::Findings`] names what to let pass.
    pub async fn sync(&self, task: &TaskId, request: &SyncRequest) -> Answer<SyncReport> {
        self.post(&of(paths::TASK_SYNC, task), request).await
    }

    /// A large output.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn artifact(&self, task: &TaskId, sha256: &str) -> Answer<Bytes> {
        let path = paths::fill(paths::TASK_ARTIFACT, &[task.as_str(), sha256]);
        self.bytes(Method::GET, &path, None::<&()>).await
    }
}

pub(crate) fn events_path(path: &str, since: Option<&str>) -> String {
    with_query(
        path,
        &EventsQuery {
            since_seq: since.map(str::to_owned),
        },
    )
}
