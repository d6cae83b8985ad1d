//! Commits come out of the box after every turn: objects only, onto the task's branch on this machine.

use paddock_domain::{Body, DiffStat, NoticeLevel, TrashReason};
use paddock_git::{Delivery, GitError, Keeping, Landed, Oid};

use super::diff::delivered;
use super::{Checkout, Work};
use crate::runner::Note;
use crate::{CommandError, ids};

/// Most `commit_made` events of one turn; the rest is counted by the diff statistics.
const TOLD: usize = 100;

/// What came out of one repository.
pub(crate) struct BroughtOut {
    pub(crate) tip: Oid,
    pub(crate) commits: u64,
    pub(crate) note: Option<String>,
}

/// After a turn: brings everything out and tells the runner, whatever came of it.
pub(crate) async fn after_turn(work: Work) {
    let turn = async {
        let _one = work.one_at_a_time.lock().await;
        for checkout in work.checkouts().await? {
            // A branch that was left alone, or commits that were rewritten: nobody else would tell.
            if let Some(note) = bring_out(&work, &checkout).await?.note {
                warn(&work, format!("{}: {note}", checkout.path)).await;
            }
        }
        Ok::<(), CommandError>(())
    };
    if let Err(error) = turn.await {
        tracing::warn!(task.id = %work.task.task_id, %error, "commits could not be brought out");
        warn(
            &work,
            format!("The commits of this turn are still in the box only: {error}"),
        )
        .await;
    }
    work.note(Note::BroughtOut).await;
}

async fn warn(work: &Work, text: String) {
    let level = NoticeLevel::Warning;
    let notice = Body::Notice {
        level,
        phase: None,
        text,
    };
    work.note(Note::Write(vec![notice])).await;
}

/// Brings the commits of one repository onto its branch on the host.
pub(crate) async fn bring_out(
    work: &Work,
    checkout: &Checkout,
) -> Result<BroughtOut, CommandError> {
    let place = work.place()?;
    let host = &work.rooms.host;
    let failed = |error: GitError| match error.may_be_damage() {
        true => unreadable(&error),
        false => CommandError::failed(error),
    };
    let status = paddock_git::status(place.place(), &checkout.dir, &checkout.base)
        .await
        .map_err(failed)?;
    let tip = paddock_git::tip_in_box(place.place(), &checkout.dir, &checkout.branch)
        .await
        .map_err(failed)?
        .unwrap_or_else(|| checkout.base.clone());
    tell_counts(work, checkout, status.ahead.len() as u64, &status).await;
    let unheld = hold(work, checkout)
        .await
        .err()
        .map(|error| format!("other branches and stashes of the box are in the box only: {error}"));
    let have = delivered(work, checkout).await;
    if have == tip {
        return Ok(BroughtOut {
            tip,
            commits: 0,
            note: unheld,
        });
    }
    let pack = paddock_git::pack_from_box(
        place.place(),
        &checkout.dir,
        std::slice::from_ref(&tip),
        std::slice::from_ref(&checkout.base),
    )
    .await
    .map_err(failed)?;
    let delivery = Delivery {
        task: &work.task.task_id,
        branch: &checkout.branch,
        start: &checkout.base,
        tip: &tip,
        at: ids::now(),
    };
    let landed = paddock_git::receive(host, &checkout.repository, delivery, pack)
        .await
        .map_err(CommandError::failed)?;
    let new: Vec<_> = status
        .ahead
        .iter()
        .take_while(|commit| commit.id != have)
        .collect();
    let made = new.iter().rev().take(TOLD).map(|commit| Body::CommitMade {
        repository: checkout.path.clone(),
        commit: commit.id.as_str().to_owned(),
        subject: commit.subject.clone(),
    });
    work.note(Note::Write(made.collect())).await;
    Ok(BroughtOut {
        tip,
        commits: new.len() as u64,
        note: explain(&landed).or(unheld),
    })
}

/// What a user is told where git cannot do with a box's repository what it does with a sound one.
fn unreadable(error: &GitError) -> CommandError {
    CommandError::Failed {
        message: format!(
            "the box's own repository cannot be read ({error}). What came out before stays on the branch, the \
             files stay in the box and are kept before it goes; let the agent mend the repository"
        ),
    }
}

/// Holds what the box has besides its branch, so that neither a clean-up of the repository nor the end
/// of the box takes it.
async fn hold(work: &Work, checkout: &Checkout) -> Result<(), CommandError> {
    let keeping = Keeping {
        task: &work.task.task_id,
        reason: TrashReason::Unlanded,
        at: ids::now(),
    };
    let (place, host) = (work.place()?.place(), &work.rooms.host);
    let (dir, to, branch) = (&checkout.dir, &checkout.repository, &checkout.branch);
    // The user may have removed it, with all that is ours.
    paddock_git::pin(host, to, &work.task.task_id, &checkout.base)
        .await
        .map_err(CommandError::failed)?;
    let held = paddock_git::hold(place, dir, host, to, branch, keeping).await;
    held.map(drop).map_err(CommandError::failed)
}

/// The relay counts lines; commits and what no commit holds are counted here.
async fn tell_counts(
    work: &Work,
    checkout: &Checkout,
    commits: u64,
    status: &paddock_git::WorkStatus,
) {
    let Ok(place) = work.place() else { return };
    let stat = paddock_git::diff_stat(place.place(), &checkout.dir, &checkout.base).await;
    let Ok(stat) = stat else { return };
    let uncommitted =
        (status.changed.len() + status.untracked.len() + status.conflicted.len()) as u64;
    let stat = DiffStat {
        commits,
        uncommitted,
        ..stat
    };
    let known = work
        .task
        .repositories
        .iter()
        .find(|view| view.path == checkout.path);
    if known.is_some_and(|view| view.diff != stat) {
        let repository = checkout.path.clone();
        work.note(Note::Write(vec![Body::DiffStat { repository, stat }]))
            .await;
    }
}

fn explain(landed: &Landed) -> Option<String> {
    match landed {
        Landed::Unchanged | Landed::Advanced { .. } => None,
        Landed::Rewritten { kept, .. } => Some(format!(
            "the agent rewrote its commits; the earlier ones are kept as {kept}"
        )),
        Landed::Moved {
            stands: None,
            delivered,
        } => Some(format!(
            "the branch was deleted by someone else and is not made again; the task's commits are at {delivered}"
        )),
        Landed::Moved { delivered, .. } => Some(format!(
            "the branch was moved by someone else and left alone; the task's commits are at {delivered}"
        )),
        Landed::CheckedOut {
            worktree,
            delivered,
        } => Some(format!(
            "the branch is checked out in {worktree} and was left alone; the task's commits are at {delivered}"
        )),
    }
}
