//! Keeps what a box holds, in the trash of the user's own repositories, before the box goes.
//!
//! Whoever is about to remove a box calls [`keep_box`] first, and does not go on when that fails.
//! Keeping the same twice makes one entry, so that a removal that was cut short can be repeated.
//!
//! Start at [`keep_box`].

use paddock_boxes::{BoxError, LiveBox, Stage};
use paddock_domain::{Body, NoticeLevel, StateName, Task, TaskId, TrashReason};
use paddock_git::{Keeping, Kept, TrashError};

use crate::rooms::Rooms;
use crate::{CommandError, ids};

/// What was kept of one repository.
#[derive(Clone, Debug)]
pub(crate) struct KeptOf {
    /// The repository's path.
    pub(crate) repository: String,
    /// The entry of its trash; nothing where the host has everything.
    kept: Option<Kept>,
    /// Why the box's own repository could not be read, where only files were kept.
    pub(crate) damage: Option<String>,
}

impl KeptOf {
    /// What a user is told.
    pub(crate) fn notices(&self) -> impl Iterator<Item = Body> + use<> {
        let level = match self.damage {
            Some(_) => NoticeLevel::Warning,
            None => NoticeLevel::Info,
        };
        let texts = [
            self.told_damage(),
            self.kept.as_ref().map(|kept| self.told(kept)),
        ];
        texts.into_iter().flatten().map(move |text| Body::Notice {
            level,
            phase: None,
            text,
        })
    }

    fn told_damage(&self) -> Option<String> {
        let damage = self.damage.as_ref()?;
        Some(format!(
            "{}: the box's own repository cannot be read ({damage}). Its files are kept as they stand, on top of \
             what came out last, and what is left of the repository as files in `git/` beside them. Commits, \
             branches and stashes that never came out are there at most",
            self.repository
        ))
    }

    fn told(&self, kept: &Kept) -> String {
        let Kept {
            task,
            number,
            uncommitted,
            ignored,
            others,
            ..
        } = kept;
        let mut text = format!(
            "{}: kept in the trash as {number} ({uncommitted} files that no commit held",
            self.repository
        );
        if !others.is_empty() {
            text.push_str(&format!(", {} other branches or stashes", others.len()));
        }
        text.push(')');
        if ignored.files > 0 {
            let (files, mib) = (ignored.files, ignored.bytes.div_ceil(1 << 20));
            let kept = if ignored.kept { "kept too" } else { "left out" };
            text.push_str(&format!(
                "; {files} files that git ignores ({mib} MiB) are {kept}"
            ));
        }
        text.push_str(&format!(
            ". `paddock trash show {task} {number}` shows it, `paddock trash restore {task} {number}` brings it back"
        ));
        text
    }
}

/// Keeps everything in the repositories of `live`, the box of `task`, that the host does not have
/// already. Gives what was kept.
///
/// # Errors
/// [`CommandError::Failed`]: then the box must not be removed.
pub(crate) async fn keep_box(
    rooms: &Rooms,
    live: &LiveBox,
    task: &TaskId,
    reason: TrashReason,
) -> Result<Vec<KeptOf>, CommandError> {
    let mut all = Vec::new();
    for (path, dir) in &live.repositories {
        let failed = |error: &dyn std::fmt::Display| CommandError::Failed {
            message: format!("what is in the box of {path} could not be kept: {error}"),
        };
        let repository = paddock_git::inspect(&rooms.host, path)
            .await
            .map_err(|error| super::gone(path, error))?;
        let keeping = Keeping {
            task,
            reason,
            at: ids::now(),
        };
        let (place, host) = (live.place(), &rooms.host);
        let (kept, damage) = match paddock_git::keep(place, dir, host, &repository, keeping).await {
            Ok(kept) => (kept, None),
            Err(damage) if damage.may_be_damage() => {
                let rescued = paddock_git::rescue(place, dir, host, &repository, keeping).await;
                let rescued = rescued.map_err(|error| failed(&format!("{damage}; {error}")))?;
                if let Some(why) = rescued.left_out {
                    return Err(failed(&left_out(&damage, rescued.kept.as_ref(), &why)));
                }
                (rescued.kept, Some(damage.to_string()))
            }
            Err(error) => return Err(failed(&error)),
        };
        if kept.is_some() || damage.is_some() {
            all.push(KeptOf {
                repository: path.clone(),
                kept,
                damage,
            });
        }
    }
    Ok(all)
}

/// What a user is told where the files are safe and what is left of the box's repository is not.
fn left_out(damage: &TrashError, kept: Option<&Kept>, why: &str) -> String {
    let files = match kept {
        Some(kept) => format!("the files are kept in the trash as {}", kept.number),
        None => "the files are on the host already".to_owned(),
    };
    format!(
        "its own repository cannot be read ({damage}); {files}, but not what is left of it: {why}"
    )
}

/// Keeps what the box of `task` holds, before it is removed; brings the box up for that where it does
/// not run. A box that was never made whole holds nothing, and one whose removal had begun was kept
/// before that.
///
/// # Errors
/// Why nothing can be kept, and what to do.
pub(crate) async fn keep_before_removal(rooms: &Rooms, task: &Task) -> Result<Vec<KeptOf>, String> {
    if !may_hold_work(rooms, task) {
        return Ok(Vec::new());
    }
    let record = match rooms.boxes.record(&task.task_id) {
        Ok(Some(record)) if record.stage == Stage::Ready => record,
        Ok(_) => return Ok(Vec::new()),
        Err(error) => return Err(unkept(&error)),
    };
    let live = match rooms.boxes.restart(&record).await {
        Ok(live) => live,
        Err(BoxError::BoxGone { .. }) => return Ok(Vec::new()),
        Err(error) => return Err(unkept(&error)),
    };
    let reason = if task.state == StateName::Failed {
        TrashReason::Failed
    } else {
        TrashReason::Purge
    };
    keep_box(rooms, &live, &task.task_id, reason)
        .await
        .map_err(|error| unkept(&error))
}

/// Whether there is a box that can hold work of `task`: not before it was made whole, and not when it
/// is gone.
pub(crate) fn may_hold_work(rooms: &Rooms, task: &Task) -> bool {
    let stands = !matches!(rooms.boxes.record(&task.task_id), Ok(None));
    stands && task.box_name.is_some() && !task.repositories.is_empty()
}

fn unkept(cause: &dyn std::fmt::Display) -> String {
    format!(
        "the box stays, because its work could not be kept: {cause}. This is tried again; to remove the box without a snapshot, purge with `--now --without-snapshot`"
    )
}
