//! The end of a task: a look at what would be lost, a snapshot of it, and only then the end.

use paddock_domain::{PurgePreview, PurgeRequest, Transition};
use paddock_git::SnapshotError;

use super::bring_out::bring_out;
use super::{Checkout, Work};
use crate::CommandError;
use crate::runner::Note;

/// Most files that a preview names.
const NAMED: usize = 200;

/// What a purge would take. What cannot be told counts as not safe.
pub(crate) async fn preview(work: &Work) -> PurgePreview {
    let mut preview = PurgePreview::default();
    let begun = work.task.box_name.is_some();
    if !begun || work.task.repositories.is_empty() {
        return preview;
    }
    let looked = async {
        for checkout in work.checkouts().await? {
            look(work, &checkout, &mut preview).await?;
        }
        Ok::<(), CommandError>(())
    };
    if let Err(error) = looked.await {
        preview.unknown = Some(error.to_string());
    }
    preview
}

async fn look(
    work: &Work,
    checkout: &Checkout,
    preview: &mut PurgePreview,
) -> Result<(), CommandError> {
    let place = work.place()?.place();
    let status = paddock_git::status(place, &checkout.dir, &checkout.base)
        .await
        .map_err(CommandError::failed)?;
    let changed = status.changed.iter().map(|changed| changed.path.as_str());
    let all = changed
        .chain(status.untracked.iter().map(String::as_str))
        .chain(status.conflicted.iter().map(String::as_str))
        .chain(status.submodules.iter().map(String::as_str));
    let room = NAMED.saturating_sub(preview.uncommitted.len());
    preview.uncommitted.extend(
        all.take(room)
            .map(|path| format!("{}: {path}", checkout.path)),
    );
    let pushed = work
        .task
        .repositories
        .iter()
        .find(|view| view.path == checkout.path);
    let pushed = pushed.and_then(|view| view.pushed.as_deref());
    let head = status
        .head
        .as_ref()
        .map(paddock_git::Oid::as_str)
        .unwrap_or_default();
    let is_pushed = pushed.is_some_and(|pushed| pushed.ends_with(&format!("@{head}")));
    if !is_pushed {
        preview.unpushed += status.ahead.len() as u64;
    }
    Ok(())
}

/// Keeps what there is, then lets the purge begin.
pub(crate) async fn purge(work: &Work, request: PurgeRequest) -> Result<(), CommandError> {
    let found = preview(work).await;
    if !request.force {
        refuse_loss(&found)?;
    }
    let safe = found == PurgePreview::default();
    if !safe && found.unknown.is_none() {
        keep(work).await?;
    }
    work.record(Transition::PurgeRequested).await?;
    if request.now {
        work.note(Note::PurgeNow).await;
    }
    Ok(())
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
        "{}. Sync or commit first, or purge with force: a snapshot is kept in the repository where one can be taken",
        reasons.join(", ")
    );
    Err(CommandError::WouldLose { message })
}

/// Snapshots go into the repository's trash on the host; commits onto the branch.
async fn keep(work: &Work) -> Result<(), CommandError> {
    let _one = work.one_at_a_time.lock().await;
    let place = work.place()?.place();
    let (host, task) = (&work.rooms.host, &work.task.task_id);
    for checkout in work.checkouts().await? {
        bring_out(work, &checkout).await?;
        let git_dir = &checkout.repository.git_dir;
        let before = paddock_git::snapshots(host, git_dir, task)
            .await
            .map_err(CommandError::failed)?;
        let number = before.iter().map(|kept| kept.number).max().unwrap_or(0) + 1;
        let failed = |error: SnapshotError| CommandError::failed(error);
        let snapshot = paddock_git::snapshot(place, &checkout.dir, task, number)
            .await
            .map_err(failed)?;
        let to = &checkout.repository;
        paddock_git::keep_snapshot(place, &checkout.dir, host, to, task, &snapshot)
            .await
            .map_err(failed)?;
    }
    Ok(())
}
