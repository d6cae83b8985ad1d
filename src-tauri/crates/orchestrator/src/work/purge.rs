//! The end of a task: a look at what would be lost, a snapshot of it, and only then the end.
//!
//! What cannot be told counts as not safe, and what cannot be kept is not removed, unless the user
//! names that loss.

use paddock_domain::{
    CommitView, KeptRef, PurgePreview, PurgeRequest, PurgedProcess, PurgedRepository, StateName,
    Transition, TrashReason,
};
use paddock_git::{Log, Oid, WorkStatus};

use super::bring_out::bring_out;
use super::keep::{keep_box, may_hold_work};
use super::{Checkout, Work};
use crate::CommandError;
use crate::runner::Note;

/// Most files of each kind that a preview names.
const NAMED: usize = 200;

/// Most processes that a preview names.
const PROCESSES: usize = 200;

/// Longest command line that a preview shows, in characters.
const COMMAND_MAX: usize = 256;

/// What a purge would take.
pub(crate) async fn preview(work: &Work) -> PurgePreview {
    let mut preview = PurgePreview::default();
    if !may_hold_work(&work.rooms, &work.task) {
        return preview;
    }
    for view in &work.task.repositories {
        let path = view.path.clone();
        let seen = match work.pick(Some(&path)).await {
            Ok(checkout) => look(work, &checkout, &mut preview).await,
            Err(error) => Err(error),
        };
        let seen = seen.unwrap_or_else(|error| PurgedRepository {
            unknown: Some(error.to_string()),
            path,
            ..PurgedRepository::default()
        });
        if preview.unknown.is_none() {
            preview.unknown.clone_from(&seen.unknown);
        }
        preview.repositories.push(seen);
    }
    if let Ok(place) = work.place() {
        let listed = place.relay.processes().await;
        let processes = listed.map(|listed| listed.processes).unwrap_or_default();
        preview.processes = processes_of(processes).take(PROCESSES).collect();
    }
    let disk = work.rooms.boxes.disk_count(&work.task.task_id).await;
    preview.box_bytes = disk.ok().map(|disk| disk.bytes);
    preview
}

fn processes_of(
    processes: Vec<paddock_relay_client::protocol::ProcessInfo>,
) -> impl Iterator<Item = PurgedProcess> {
    let others = processes.into_iter().filter(|process| !process.relay);
    others.map(|process| PurgedProcess {
        pid: process.pid,
        command: process
            .command
            .chars()
            .map(|letter| if letter.is_control() { ' ' } else { letter })
            .take(COMMAND_MAX)
            .collect(),
        memory_bytes: process.resident,
    })
}

/// Commits come home first: what the host has of them it can tell from what remotes have.
async fn look(
    work: &Work,
    checkout: &Checkout,
    preview: &mut PurgePreview,
) -> Result<PurgedRepository, CommandError> {
    let failed = |error: paddock_git::GitError| CommandError::failed(error);
    {
        let _one = work.one_at_a_time.lock().await;
        bring_out(work, checkout).await?;
    }
    let place = work.place()?.place();
    let status = paddock_git::status(place, &checkout.dir, &checkout.base)
        .await
        .map_err(failed)?;
    let besides = paddock_git::besides(place, &checkout.dir)
        .await
        .map_err(failed)?;
    let mut seen = files_of(&status, checkout, preview);
    seen.branch.clone_from(&status.branch);
    seen.ignored = besides.ignored;
    seen.stashes = besides.stashes;
    if let Some(head) = &status.head {
        let unpushed = unpushed(work, checkout, head).await?;
        preview.unpushed += unpushed.commits.len() as u64 + unpushed.more;
        seen.commits = unpushed.commits;
        seen.more_commits = unpushed.more;
    }
    let listed: Vec<String> = seen.commits.iter().map(|c| c.commit.clone()).collect();
    for (name, tip) in besides.others {
        let fresh = unpushed(work, checkout, &tip).await?;
        let new = |commit: &&CommitView| !listed.contains(&commit.commit);
        let more = fresh.commits.iter().filter(new).count() as u64;
        if more > 0 {
            preview.unpushed += more;
            let name = name.strip_prefix("refs/heads/").unwrap_or(&name).to_owned();
            let commit = tip.as_str().to_owned();
            seen.branches.push(KeptRef { name, commit });
        }
    }
    // A stash is work that no commit of a branch holds.
    let stashes = seen
        .stashes
        .iter()
        .map(|s| format!("{}: {s}", checkout.path));
    preview.uncommitted.extend(stashes);
    Ok(seen)
}

/// The files that no commit holds, each kind by itself; and all of them for the sum.
fn files_of(
    status: &WorkStatus,
    checkout: &Checkout,
    preview: &mut PurgePreview,
) -> PurgedRepository {
    let mut seen = PurgedRepository {
        path: checkout.path.clone(),
        ..PurgedRepository::default()
    };
    let changed: Vec<String> = status.changed.iter().map(|c| c.path.clone()).collect();
    let changed = changed.iter().chain(&status.submodules);
    let mut more = 0;
    let mut cut = |all: Vec<String>| {
        more += all.len().saturating_sub(NAMED) as u64;
        all.into_iter().take(NAMED).collect::<Vec<_>>()
    };
    seen.changed = cut(changed.cloned().collect());
    seen.untracked = cut(status.untracked.clone());
    seen.conflicted = cut(status.conflicted.clone());
    seen.more_files = more;
    let all = [&seen.changed, &seen.untracked, &seen.conflicted];
    let room = NAMED.saturating_sub(preview.uncommitted.len());
    let named = all.into_iter().flatten().take(room);
    preview
        .uncommitted
        .extend(named.map(|path| format!("{}: {path}", checkout.path)));
    seen
}

/// The commits of `tip` that no remote has. What was pushed squashed counts as pushed when the commit
/// that it became has all of it.
async fn unpushed(work: &Work, checkout: &Checkout, tip: &Oid) -> Result<Log, CommandError> {
    let host = &work.rooms.host;
    let repository = &checkout.repository;
    let view = work.task.repositories.iter();
    let view = view.filter(|view| view.path == checkout.path);
    let pushed = view.filter_map(|view| view.pushed.as_deref()?.rsplit_once('@'));
    let pushed = pushed.filter_map(|(_, commit)| Oid::parse(commit)).next();
    let mut known = vec![checkout.base.clone()];
    known.extend(pushed.clone());
    let log = paddock_git::unpublished(host, repository, tip, &known)
        .await
        .map_err(CommandError::failed)?;
    if let (false, Some(pushed)) = (log.commits.is_empty(), pushed)
        && paddock_git::is_contained(host, repository, tip, &pushed)
            .await
            .map_err(CommandError::failed)?
    {
        return Ok(Log::default());
    }
    Ok(log)
}

/// Keeps what there is, then lets the purge begin.
pub(crate) async fn purge(work: &Work, request: PurgeRequest) -> Result<(), CommandError> {
    if request.without_snapshot {
        work.note(Note::Unkept).await;
    }
    if work.task.state != StateName::Purging {
        let found = preview(work).await;
        if !request.force && !request.without_snapshot {
            refuse_loss(&found)?;
        }
        if !request.without_snapshot {
            keep(work).await.map_err(|error| not_kept(&error))?;
        }
        work.record(Transition::PurgeRequested).await?;
    }
    if request.now || work.task.state == StateName::Purging {
        work.note(Note::PurgeNow).await;
    }
    Ok(())
}

fn not_kept(error: &CommandError) -> CommandError {
    let message = format!(
        "no snapshot can be taken, so nothing is removed: {error}. Mend that, or name the loss: purge with `--without-snapshot`"
    );
    CommandError::WouldLose { message }
}

fn refuse_loss(found: &PurgePreview) -> Result<(), CommandError> {
    let mut reasons = Vec::new();
    if !found.uncommitted.is_empty() {
        reasons.push(format!(
            "{} files are not committed",
            found.uncommitted.len()
        ));
    }
    if found.unpushed > 0 {
        reasons.push(format!("{} commits are not pushed", found.unpushed));
    }
    if let Some(unknown) = &found.unknown {
        reasons.push(format!(
            "it cannot be told whether work would be lost ({unknown})"
        ));
    }
    if reasons.is_empty() {
        return Ok(());
    }
    let message = format!(
        "{}. Sync or commit first, or purge with force: everything is kept in the trash of the repository then",
        reasons.join(", ")
    );
    Err(CommandError::WouldLose { message })
}

/// Everything goes into the repository's trash on the host; commits onto the branch where that can be.
async fn keep(work: &Work) -> Result<(), CommandError> {
    if !may_hold_work(&work.rooms, &work.task) {
        return Ok(());
    }
    let _one = work.one_at_a_time.lock().await;
    let kept = keep_box(
        &work.rooms,
        work.place()?,
        &work.task.task_id,
        TrashReason::Purge,
    )
    .await?;
    let damaged = |path: &str| {
        let mut of_it = kept.iter().filter(|kept| kept.repository == path);
        of_it.any(|kept| kept.damage.is_some())
    };
    for checkout in work.checkouts().await? {
        if !damaged(&checkout.path) {
            bring_out(work, &checkout).await?;
        }
    }
    let notices = kept.iter().flat_map(super::keep::KeptOf::notices).collect();
    work.note(Note::Write(notices)).await;
    Ok(())
}
