//! What was kept before something destructive, and what a review asks for.

use paddock_api::{BranchQuery, RepositoryQuery, TrashEntryQuery, TrashQuery, paths};
use paddock_domain::{
    BranchNames, TaskCommits, TaskId, TrashDetail, TrashDropped, TrashList, TrashRestoreRequest,
    TrashRestored,
};
use reqwest::Method;

use crate::query::with_query;
use crate::{Client, ClientError};

type Answer<T> = Result<T, ClientError>;

fn of(path: &str, task: &TaskId, number: u64) -> String {
    paths::fill(path, &[task.as_str(), &number.to_string()])
}

impl Client {
    /// What was kept, newest first.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn trash(&self, query: &TrashQuery) -> Answer<TrashList> {
        self.get(&with_query(paths::TRASH, query)).await
    }

    /// One entry, looked into.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn trash_entry(
        &self,
        task: &TaskId,
        number: u64,
        query: &TrashEntryQuery,
    ) -> Answer<TrashDetail> {
        let path = of(paths::TRASH_ENTRY, task, number);
        self.get(&with_query(&path, query)).await
    }

    /// Brings an entry back onto a branch of its own.
    ///
    /// # Errors
    /// [`ClientError`]; [`paddock_api::ErrorCode::Conflict`] when there is such a branch.
    pub async fn trash_restore(
        &self,
        task: &TaskId,
        number: u64,
        request: &TrashRestoreRequest,
    ) -> Answer<TrashRestored> {
        self.post(&of(paths::TRASH_RESTORE, task, number), request)
            .await
    }

    /// Lets go of an entry.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn trash_drop(
        &self,
        task: &TaskId,
        number: u64,
        query: &RepositoryQuery,
    ) -> Answer<TrashDropped> {
        let path = with_query(&of(paths::TRASH_ENTRY, task, number), query);
        self.call(Method::DELETE, &path, None::<&()>).await
    }

    /// The commits of a task.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn commits(&self, task: &TaskId, query: &RepositoryQuery) -> Answer<TaskCommits> {
        let path = paths::fill(paths::TASK_COMMITS, &[task.as_str()]);
        self.get(&with_query(&path, query)).await
    }

    /// Names that a task can start from.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn branch_names(&self, query: &BranchQuery) -> Answer<BranchNames> {
        self.get(&with_query(paths::REPOS_BRANCHES, query)).await
    }
}
