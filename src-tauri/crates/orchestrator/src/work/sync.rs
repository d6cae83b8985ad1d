//! Sync: commits out of the box, a look for secrets, then to a remote branch or, squashed, onto the
//! default branch. Refuses rather than overwrites: a moved branch, a conflict or a finding stops it with
//! everything kept.

use paddock_domain::{
    Body, RepositoryFinding, SquashPreview, SyncReport, SyncRequest, SyncTarget, SyncedRepository,
    Transition,
};
use paddock_git::{Branch, Finding, Oid, Onto, RemoteError, SquashError, blocking};

use super::bring_out::{BroughtOut, bring_out};
use super::{Checkout, Work};
use crate::CommandError;
use crate::runner::Note;

/// Carries `request` out. The runner is told when it is over, whatever came of it.
pub(crate) async fn sync(work: &Work, request: &SyncRequest) -> Result<SyncReport, CommandError> {
    let _one = work.one_at_a_time.lock().await;
    work.record(Transition::PullStarted).await?;
    let checkouts = work.checkouts().await?;
    let mut out = Vec::new();
    for checkout in &checkouts {
        out.push(bring_out(work, checkout).await?);
    }
    if request.target == SyncTarget::Local {
        let done = checkouts
            .iter()
            .zip(out)
            .map(|(checkout, out)| report(checkout, out, None));
        return Ok(SyncReport {
            repositories: done.collect(),
        });
    }
    check_findings(work, &checkouts, &out, &request.allow).await?;
    work.record(Transition::PushStarted).await?;
    let mut repositories = Vec::new();
    for (checkout, out) in checkouts.iter().zip(out) {
        repositories.push(send_off(work, request, checkout, out).await?);
    }
    Ok(SyncReport { repositories })
}

async fn send_off(
    work: &Work,
    request: &SyncRequest,
    checkout: &Checkout,
    out: BroughtOut,
) -> Result<SyncedRepository, CommandError> {
    if out.tip == checkout.base {
        let note = Some("there are no commits to push".to_owned());
        return Ok(report(checkout, BroughtOut { note, ..out }, None));
    }
    let chosen = work.rooms.chosen();
    let remote = request.remote.as_deref().unwrap_or(&chosen.remote);
    let has_remote = checkout
        .repository
        .remotes
        .iter()
        .any(|known| known.name == remote);
    if !has_remote && request.remote.is_some() {
        let remote = remote.to_owned();
        return Err(CommandError::failed(RemoteError::NoSuchRemote { remote }));
    }
    match request.target {
        SyncTarget::Default => {
            squash(work, request, checkout, out, has_remote.then_some(remote)).await
        }
        SyncTarget::Branch | SyncTarget::Local if has_remote => {
            push(work, checkout, out, remote).await
        }
        SyncTarget::Branch | SyncTarget::Local => {
            let note =
                format!("there is no remote `{remote}`; the commits are on the local branch");
            Ok(report(
                checkout,
                BroughtOut {
                    note: Some(note),
                    ..out
                },
                None,
            ))
        }
    }
}

async fn push(
    work: &Work,
    checkout: &Checkout,
    out: BroughtOut,
    remote: &str,
) -> Result<SyncedRepository, CommandError> {
    let expected = expected_there(work, checkout, remote);
    paddock_git::push(
        &work.rooms.host,
        &checkout.repository,
        remote,
        &out.tip,
        &checkout.branch,
        expected.as_ref(),
    )
    .await
    .map_err(remote_error)?;
    pushed(
        work,
        checkout,
        remote,
        checkout.branch.as_str(),
        &out.tip,
        false,
    )
    .await;
    let to = format!("{remote}/{}", checkout.branch);
    Ok(report(checkout, out, Some(to)))
}

/// What the remote's branch must be at: what we pushed last, where an adopted branch began, or nothing.
fn expected_there(work: &Work, checkout: &Checkout, remote: &str) -> Option<Oid> {
    let view = work
        .task
        .repositories
        .iter()
        .find(|view| view.path == checkout.path)?;
    let last = view.pushed.as_deref().and_then(|pushed| {
        let (to, commit) = pushed.rsplit_once('@')?;
        (to == format!("{remote}/{}", checkout.branch))
            .then(|| Oid::parse(commit))
            .flatten()
    });
    let spec = work
        .task
        .spec
        .repositories
        .iter()
        .find(|spec| spec.path == checkout.path)?;
    last.or_else(|| spec.branch.is_some().then(|| checkout.base.clone()))
}

async fn squash(
    work: &Work,
    request: &SyncRequest,
    checkout: &Checkout,
    out: BroughtOut,
    remote: Option<&str>,
) -> Result<SyncedRepository, CommandError> {
    let (host, repository) = (&work.rooms.host, &checkout.repository);
    let onto = onto(work, checkout, remote).await?;
    let plan = paddock_git::squash_preview(host, repository, onto, &out.tip)
        .await
        .map_err(squash_error)?;
    let message = request
        .message
        .clone()
        .unwrap_or_else(|| work.task.title.clone());
    let commit = paddock_git::squash(host, repository, &plan, &message)
        .await
        .map_err(squash_error)?;
    let (place, branch) = match &plan.onto {
        Onto::Local(branch) => (".".to_owned(), branch.clone()),
        Onto::Remote { remote, branch } => (remote.clone(), branch.clone()),
    };
    pushed(work, checkout, &place, branch.as_str(), &commit, true).await;
    let mut done = report(checkout, out, Some(format!("{place}/{branch}")));
    done.commit = commit.as_str().to_owned();
    Ok(done)
}

/// The default branch: the remote's, freshly fetched, or the local one where there is no remote.
async fn onto(
    work: &Work,
    checkout: &Checkout,
    remote: Option<&str>,
) -> Result<Onto, CommandError> {
    let name = checkout
        .repository
        .default_branch
        .as_deref()
        .ok_or_else(|| CommandError::Bad {
            message: format!("{} has no default branch that can be told", checkout.path),
        })?;
    let branch = Branch::parse(name).map_err(CommandError::failed)?;
    let Some(remote) = remote else {
        return Ok(Onto::Local(branch));
    };
    paddock_git::fetch_branch(&work.rooms.host, &checkout.repository, remote, &branch)
        .await
        .map_err(remote_error)?;
    Ok(Onto::Remote {
        remote: remote.to_owned(),
        branch,
    })
}

/// What a squash of each repository onto its default branch would meet, as things are known here.
pub(crate) async fn squash_preview(work: &Work) -> Result<Vec<SquashPreview>, CommandError> {
    let _one = work.one_at_a_time.lock().await;
    let chosen = work.rooms.chosen();
    let remote = &chosen.remote;
    let mut previews = Vec::new();
    for checkout in work.checkouts().await? {
        let out = bring_out(work, &checkout).await?;
        let has_remote = checkout
            .repository
            .remotes
            .iter()
            .any(|known| known.name == *remote);
        let onto = onto(work, &checkout, has_remote.then_some(remote.as_str())).await?;
        let name = checkout
            .repository
            .default_branch
            .clone()
            .unwrap_or_default();
        let host = &work.rooms.host;
        let plan = paddock_git::squash_preview(host, &checkout.repository, onto, &out.tip).await;
        let conflicts = match plan {
            Ok(_) | Err(SquashError::Nothing) => Vec::new(),
            Err(SquashError::Conflicts { paths }) => paths,
            Err(error) => return Err(squash_error(error)),
        };
        previews.push(SquashPreview {
            repository: checkout.path,
            onto: name,
            conflicts,
        });
    }
    Ok(previews)
}

/// Stops the sync when something would leave that nobody let pass.
async fn check_findings(
    work: &Work,
    checkouts: &[Checkout],
    out: &[BroughtOut],
    allow: &[String],
) -> Result<(), CommandError> {
    let chosen = work.rooms.chosen();
    let (limits, always) = (chosen.scan, &chosen.scan_allow);
    let allow: Vec<String> = allow.iter().chain(always).cloned().collect();
    let mut held = Vec::new();
    for (checkout, out) in checkouts.iter().zip(out) {
        let (host, repository) = (&work.rooms.host, &checkout.repository);
        let found = paddock_git::scan(host, repository, &checkout.base, &out.tip, limits)
            .await
            .map_err(CommandError::failed)?;
        held.extend(
            blocking(&found, &allow)
                .into_iter()
                .map(|f| finding(&checkout.path, f)),
        );
    }
    if held.is_empty() {
        Ok(())
    } else {
        Err(CommandError::Findings { findings: held })
    }
}

pub(crate) fn finding(repository: &str, found: &Finding) -> RepositoryFinding {
    RepositoryFinding {
        repository: repository.to_owned(),
        id: found.id.clone(),
        rule: found.rule.to_owned(),
        path: found.path.clone(),
        line: (found.line > 0).then_some(found.line),
        excerpt: found.excerpt.clone(),
    }
}

async fn pushed(
    work: &Work,
    checkout: &Checkout,
    remote: &str,
    branch: &str,
    commit: &Oid,
    squashed: bool,
) {
    let event = Body::BranchPushed {
        repository: checkout.path.clone(),
        remote: remote.to_owned(),
        branch: branch.to_owned(),
        commit: commit.as_str().to_owned(),
        squashed,
    };
    work.note(Note::Write(vec![event])).await;
}

fn report(checkout: &Checkout, out: BroughtOut, pushed_to: Option<String>) -> SyncedRepository {
    SyncedRepository {
        path: checkout.path.clone(),
        branch: checkout.branch.as_str().to_owned(),
        commit: out.tip.as_str().to_owned(),
        brought_out: out.commits,
        pushed_to,
        note: out.note,
    }
}

fn remote_error(error: RemoteError) -> CommandError {
    if matches!(error, RemoteError::Moved { .. }) {
        return CommandError::conflict(error);
    }
    CommandError::failed(error)
}

fn squash_error(error: SquashError) -> CommandError {
    if let SquashError::Conflicts { paths } = &error {
        return CommandError::Conflict {
            message: error.to_string(),
            paths: paths.clone(),
        };
    }
    if matches!(
        error,
        SquashError::Moved { .. } | SquashError::CheckedOut { .. }
    ) {
        return CommandError::conflict(error);
    }
    if let SquashError::Remote(remote) = error {
        return remote_error(remote);
    }
    if let SquashError::Git(broke) = error {
        return CommandError::failed(broke);
    }
    CommandError::bad(error)
}
