//! What was kept in the trash of users' repositories: listed, looked into, brought back, let go.
//!
//! Nothing here needs a journal: the entries stand in the repositories and tell all there is to know.
//! A repository is looked into when a task has used it, or when it is named.
//!
//! Start at [`Orchestrator::trash`].

use std::collections::BTreeSet;
use std::time::Duration;

use paddock_domain::{
    KeptRef, RepositorySpec, TaskId, Timestamp, TrashDetail, TrashDropped, TrashEntry, TrashList,
    TrashRestoreRequest, TrashRestored, UnreadableTrash,
};
use paddock_git::{Branch, DiffLimits, Kept, Repository, TrashError};

use crate::rooms::Rooms;
use crate::{CommandError, Orchestrator, Snapshot, ids};

/// How much text of a diff an entry is shown with.
const SHOWN: DiffLimits = DiffLimits {
    bytes: 1 << 20,
    context: 3,
};

/// How often entries that have expired are looked for.
const SWEEP: Duration = Duration::from_secs(6 * 60 * 60);

/// An entry with the repository that holds it.
struct Found {
    repository: Repository,
    path: String,
    kept: Kept,
}

impl Orchestrator {
    /// What is in the trash of one repository, or of every one that a task has used; of one task alone
    /// when it is named. Newest first.
    ///
    /// # Errors
    /// [`CommandError::NotFound`] when the repository that is named cannot be read.
    pub async fn trash(
        &self,
        repository: Option<&str>,
        task: Option<&TaskId>,
    ) -> Result<TrashList, CommandError> {
        let mut list = TrashList::default();
        if let Some(path) = repository {
            for found in read(&self.rooms, path, task).await? {
                list.items.push(self.entry(&found));
            }
        } else {
            for path in used(&self.snapshot(), task) {
                match read(&self.rooms, &path, task).await {
                    Ok(found) => list.items.extend(found.iter().map(|f| self.entry(f))),
                    Err(error) => list.unreadable.push(UnreadableTrash {
                        repository: path,
                        reason: error.to_string(),
                    }),
                }
            }
        }
        list.items
            .sort_by_key(|entry| std::cmp::Reverse((entry.kept_at, entry.number)));
        Ok(list)
    }

    /// One entry, looked into; the text of its changes is that of the file `path` alone if given.
    ///
    /// # Errors
    /// [`CommandError::NotFound`], [`CommandError::Bad`] when two repositories have an entry of that
    /// number.
    pub async fn trash_entry(
        &self,
        task: &TaskId,
        number: u64,
        repository: Option<&str>,
        path: Option<&str>,
    ) -> Result<TrashDetail, CommandError> {
        let found = self.find(task, number, repository).await?;
        let host = &self.rooms.host;
        let seen = paddock_git::look_into(host, &found.repository, &found.kept, path, SHOWN)
            .await
            .map_err(CommandError::failed)?;
        Ok(TrashDetail {
            entry: self.entry(&found),
            files: seen.files,
            commits: seen.commits,
            more_commits: seen.more_commits,
            diff: seen.diff.text,
            truncated: seen.diff.truncated,
        })
    }

    /// Brings an entry back onto a branch of its own, and begins a task on it when one is asked for.
    ///
    /// # Errors
    /// [`CommandError::Conflict`] when there is such a branch, and what keeps the task from beginning:
    /// the branch is there then.
    pub async fn trash_restore(
        &self,
        task: &TaskId,
        number: u64,
        request: TrashRestoreRequest,
    ) -> Result<TrashRestored, CommandError> {
        if let Some(spec) = &request.task {
            spec.check()?;
        }
        let found = self
            .find(task, number, request.repository.as_deref())
            .await?;
        let (host, repository) = (&self.rooms.host, &found.repository);
        let branch = match &request.branch {
            Some(name) => Branch::parse(name).map_err(CommandError::bad)?,
            None => paddock_git::free_branch(host, repository, &found.kept)
                .await
                .map_err(refused)?,
        };
        let back = paddock_git::bring_back(host, repository, &found.kept, &branch, request.others)
            .await
            .map_err(refused)?;
        let others = back.others.iter().map(|(branch, oid)| KeptRef {
            name: branch.as_str().to_owned(),
            commit: oid.as_str().to_owned(),
        });
        let mut restored = TrashRestored {
            repository: found.path.clone(),
            branch: branch.as_str().to_owned(),
            commit: back.commit.as_str().to_owned(),
            others: others.collect(),
            task_id: None,
        };
        if let Some(mut spec) = request.task {
            spec.repositories = vec![RepositorySpec {
                path: found.path,
                base: None,
                branch: Some(restored.branch.clone()),
            }];
            restored.task_id = Some(self.create(spec).await?.task.task_id.clone());
        }
        Ok(restored)
    }

    /// Lets go of an entry.
    ///
    /// # Errors
    /// [`CommandError::NotFound`], [`CommandError::Bad`] when two repositories have an entry of that
    /// number.
    pub async fn trash_drop(
        &self,
        task: &TaskId,
        number: u64,
        repository: Option<&str>,
    ) -> Result<TrashDropped, CommandError> {
        let found = self.find(task, number, repository).await?;
        let dropped = paddock_git::drop_kept(&self.rooms.host, &found.repository, &found.kept)
            .await
            .map_err(CommandError::failed)?;
        if !dropped {
            return Err(no_such_entry(task, number));
        }
        Ok(TrashDropped {
            ref_name: found.kept.name,
            commit: found.kept.commit.as_str().to_owned(),
        })
    }

    async fn find(
        &self,
        task: &TaskId,
        number: u64,
        repository: Option<&str>,
    ) -> Result<Found, CommandError> {
        let paths = match repository {
            Some(path) => vec![path.to_owned()],
            None => used(&self.snapshot(), Some(task)),
        };
        let mut all = Vec::new();
        for path in paths {
            let found = read(&self.rooms, &path, Some(task)).await?;
            all.extend(found.into_iter().filter(|f| f.kept.number == number));
        }
        let Some(found) = all.pop() else {
            return Err(no_such_entry(task, number));
        };
        if let Some(other) = all.pop() {
            return Err(CommandError::bad(format!(
                "{} and {} both have an entry {number}: name the repository",
                other.path, found.path
            )));
        }
        Ok(found)
    }

    fn entry(&self, found: &Found) -> TrashEntry {
        let kept = &found.kept;
        let snapshot = self.snapshot();
        let others = kept.others.iter().map(|(name, oid)| KeptRef {
            name: name.clone(),
            commit: oid.as_str().to_owned(),
        });
        TrashEntry {
            task_id: kept.task.clone(),
            number: kept.number,
            repository: found.path.clone(),
            ref_name: kept.name.clone(),
            commit: kept.commit.as_str().to_owned(),
            kept_at: kept.at,
            reason: kept.reason,
            title: snapshot.tasks.get(&kept.task).map(|t| t.title.clone()),
            branch: kept.branch.clone(),
            head: kept.head.as_ref().map(|head| head.as_str().to_owned()),
            uncommitted: kept.uncommitted,
            ignored: kept.ignored,
            others: others.collect(),
            expires_at: expires_at(&self.rooms, kept),
        }
    }
}

fn no_such_entry(task: &TaskId, number: u64) -> CommandError {
    CommandError::NotFound {
        what: "trash",
        message: format!(
            "the trash has no {task}/{number}: `paddock trash ls` lists what it has, and `--repository PATH` looks into a repository that no task has used"
        ),
    }
}

fn refused(error: TrashError) -> CommandError {
    if matches!(error, TrashError::BranchTaken { .. }) {
        return CommandError::conflict(error);
    }
    CommandError::failed(error)
}

/// The repositories that tasks have used, or that one task has.
fn used(snapshot: &Snapshot, task: Option<&TaskId>) -> Vec<String> {
    let known = task.filter(|task| snapshot.tasks.contains_key(task));
    let tasks = snapshot.tasks.values();
    let tasks = tasks.filter(|one| known.is_none_or(|id| one.task_id == *id));
    let paths: BTreeSet<_> = tasks
        .flat_map(|task| task.repositories.iter().map(|view| view.path.clone()))
        .collect();
    paths.into_iter().collect()
}

async fn read(
    rooms: &Rooms,
    path: &str,
    task: Option<&TaskId>,
) -> Result<Vec<Found>, CommandError> {
    let repository = paddock_git::inspect(&rooms.host, path)
        .await
        .map_err(|error| CommandError::missing_or_failed("repository", true, error))?;
    let kept = paddock_git::trash(&rooms.host, &repository.git_dir, task)
        .await
        .map_err(CommandError::failed)?;
    let found = kept.into_iter().map(|kept| Found {
        repository: repository.clone(),
        path: path.to_owned(),
        kept,
    });
    Ok(found.collect())
}

fn expires_at(rooms: &Rooms, kept: &Kept) -> Option<Timestamp> {
    let keep = rooms.chosen().trash_keep?;
    let ms = i64::try_from(keep.as_millis()).unwrap_or(i64::MAX);
    Some(kept.at.plus_ms(ms))
}

/// Lets go of what has expired, now and then; never, unless the user has set how long things are kept.
pub(crate) async fn sweep(orchestrator: Orchestrator) {
    let mut due = tokio::time::interval(SWEEP);
    loop {
        due.tick().await;
        if orchestrator.rooms.chosen().trash_keep.is_none() {
            continue; // it may be set meanwhile
        }
        let mut published = orchestrator.published.clone();
        if published
            .wait_for(|now| !now.snapshot.loading)
            .await
            .is_err()
        {
            return;
        }
        for path in used(&orchestrator.snapshot(), None) {
            sweep_one(&orchestrator.rooms, &path).await;
        }
    }
}

async fn sweep_one(rooms: &Rooms, path: &str) {
    let found = match read(rooms, path, None).await {
        Ok(found) => found,
        Err(error) => return tracing::warn!(%error, "expired work was not looked for"),
    };
    for Found {
        repository, kept, ..
    } in found
    {
        let expired = expires_at(rooms, &kept).is_some_and(|at| at <= ids::now());
        if !expired {
            continue;
        }
        let number = kept.number;
        match paddock_git::drop_kept(&rooms.host, &repository, &kept).await {
            Ok(_) => tracing::info!(task.id = %kept.task, number, "expired work was let go"),
            Err(error) => {
                tracing::warn!(task.id = %kept.task, number, %error, "expired work was not let go");
            }
        }
    }
}
