//! The changes of a task as text, and its commits. Where the box does not answer, what came out of it
//! is shown from the repository.

use paddock_domain::{DiffRequest, DiffWhat, RepositoryCommits, TaskCommits};
use paddock_git::{Diff, DiffLimits, Oid, Whose};

use super::{Checkout, Work};
use crate::CommandError;

/// What changed in one repository, as a unified diff.
pub(crate) async fn diff(work: &Work, request: &DiffRequest) -> Result<String, CommandError> {
    if request.commit.is_some() && request.what != DiffWhat::All {
        return Err(CommandError::bad(
            "ask for one commit, or for what is committed or not: not for both",
        ));
    }
    let checkout = work.pick(request.repository.as_deref()).await?;
    let path = request.path.as_deref();
    let diff = match &request.commit {
        Some(commit) => of_commit(work, &checkout, commit, path).await?,
        None => since_base(work, &checkout, request.what, path).await?,
    };
    if diff.truncated {
        return Ok(format!(
            "{}\n# more follows: ask for single files\n",
            diff.text
        ));
    }
    Ok(diff.text)
}

async fn since_base(
    work: &Work,
    checkout: &Checkout,
    what: DiffWhat,
    path: Option<&str>,
) -> Result<Diff, CommandError> {
    let limits = DiffLimits::default();
    let diff = match (work.place(), what) {
        (Ok(live), _) => {
            let (place, dir) = (live.place(), &checkout.dir);
            paddock_git::diff(place, dir, &checkout.base, what, path, limits).await
        }
        (Err(_), DiffWhat::Committed) => {
            let (host, git_dir) = (&work.rooms.host, &checkout.repository.git_dir);
            let tip = delivered(work, checkout).await;
            paddock_git::diff_here(host, git_dir, &checkout.base, &tip, path, limits).await
        }
        (Err(unreached), DiffWhat::All | DiffWhat::Uncommitted) => return Err(unreached),
    };
    diff.map_err(CommandError::failed)
}

async fn of_commit(
    work: &Work,
    checkout: &Checkout,
    commit: &str,
    path: Option<&str>,
) -> Result<Diff, CommandError> {
    let commit = Oid::parse(commit)
        .ok_or_else(|| CommandError::bad("a commit is named by its full id, in lower case"))?;
    let limits = DiffLimits::default();
    let host = &work.rooms.host;
    let diff = if let Ok(live) = work.place() {
        let tip = head(work, checkout).await?;
        let dir = &checkout.dir;
        let range = (&checkout.base, &tip);
        let whose = Whose::Box { dir };
        paddock_git::diff_of_commit(live.place(), whose, range, &commit, path, limits).await
    } else {
        let tip = delivered(work, checkout).await;
        let git_dir = &checkout.repository.git_dir;
        let range = (&checkout.base, &tip);
        let whose = Whose::Host { git_dir };
        paddock_git::diff_of_commit(host, whose, range, &commit, path, limits).await
    };
    let diff = diff.map_err(CommandError::failed)?;
    diff.ok_or_else(|| CommandError::NotFound {
        what: "commit",
        message: format!("{commit} is no commit of this task"),
    })
}

async fn head(work: &Work, checkout: &Checkout) -> Result<Oid, CommandError> {
    let place = work.place()?.place();
    let status = paddock_git::status(place, &checkout.dir, &checkout.base)
        .await
        .map_err(CommandError::failed)?;
    Ok(status.head.unwrap_or_else(|| checkout.base.clone()))
}

/// The commit that came out of the box last; the base before the first.
pub(crate) async fn delivered(work: &Work, checkout: &Checkout) -> Oid {
    let delivered = paddock_git::delivered(
        &work.rooms.host,
        &checkout.repository,
        &work.task.task_id,
        &checkout.branch,
    );
    let delivered = delivered.await.ok().flatten();
    delivered.unwrap_or_else(|| checkout.base.clone())
}

/// The commits of a task, in one repository or in all.
pub(crate) async fn commits(
    work: &Work,
    repository: Option<&str>,
) -> Result<TaskCommits, CommandError> {
    let checkouts = match repository {
        Some(path) => vec![work.pick(Some(path)).await?],
        None => work.checkouts().await?,
    };
    let mut repositories = Vec::new();
    for checkout in checkouts {
        repositories.push(commits_of(work, checkout).await?);
    }
    Ok(TaskCommits { repositories })
}

async fn commits_of(work: &Work, checkout: Checkout) -> Result<RepositoryCommits, CommandError> {
    let mut views = work.task.repositories.iter();
    let view = views.find(|view| view.path == checkout.path);
    let base = &checkout.base;
    let log = match work.place() {
        Ok(live) => paddock_git::commits(live.place(), &checkout.dir, base).await,
        Err(_) => {
            let tip = delivered(work, &checkout).await;
            let git_dir = &checkout.repository.git_dir;
            paddock_git::commits_here(&work.rooms.host, git_dir, &tip, base).await
        }
    };
    let log = log.map_err(CommandError::failed)?;
    Ok(RepositoryCommits {
        branch: checkout.branch.as_str().to_owned(),
        base: view.and_then(|view| view.base.clone()),
        base_commit: base.as_str().to_owned(),
        commits: log.commits,
        more: log.more > 0,
        uncommitted: view.map_or(0, |view| view.diff.uncommitted),
        path: checkout.path,
    })
}
