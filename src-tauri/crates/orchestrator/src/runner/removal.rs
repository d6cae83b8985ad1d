//! The removal of a box: kept first, removed then, and not taken back once it has begun.

use paddock_boxes::Stage;
use paddock_domain::{Action, Body, Kept, NoticeLevel, Task, TaskState, Transition};
use tokio::sync::mpsc;

use super::Runner;
use super::note::Note;
use crate::CommandError;
use crate::rooms::Rooms;
use crate::work::{branches, keep};

/// What is known of the removal of a task's box.
#[derive(Debug, Default)]
pub(super) struct Removal {
    /// Whether one is under way.
    pub(super) under_way: bool,
    /// Whether it goes on although nothing can be kept: the user has named that loss.
    pub(super) unkept: bool,
    /// What the user was told of the last one that failed.
    told: Option<String>,
}

/// Keeps what the box of `task` holds, unless told otherwise, and removes it with all that is left.
pub(super) async fn remove(
    rooms: &Rooms,
    task: &Task,
    unkept: bool,
    notes: &mpsc::Sender<Note>,
) -> Result<(), String> {
    if !unkept {
        let kept = keep::keep_before_removal(rooms, task).await?;
        let notices: Vec<_> = kept.iter().flat_map(keep::KeptOf::notices).collect();
        if !notices.is_empty() {
            // A full line drops what is told, not what is kept.
            let _ = notes.try_send(Note::Write(notices));
        }
    }
    rooms
        .boxes
        .remove_task(&task.task_id)
        .await
        .map_err(|error| error.to_string())?;
    branches::let_go(rooms, task).await;
    Ok(())
}

/// Whether a purge of `task` that is taken back gives back no box.
fn keeps_no_box(task: &Task) -> bool {
    matches!(task.machine(), TaskState::Purging(Kept::Failed))
}

/// Whether the box of `task` was ever whole. One that was not is cleared by the setup that fails, whatever
/// users ask for meanwhile, and holds nothing that a purge could not give back.
fn was_whole(task: &Task) -> bool {
    task.box_name.is_some()
}

impl Runner {
    /// Whether a removal that was begun in an earlier life has not come to its end. A task whose setup
    /// failed has its box removed in any case: that is no purge that has begun.
    pub(super) fn was_being_removed(rooms: &Rooms, task: &Task) -> bool {
        if keeps_no_box(task) {
            return false;
        }
        let record = rooms.boxes.record(&task.task_id);
        matches!(record, Ok(Some(record)) if record.stage == Stage::Removing)
    }

    /// Takes a purge back, while the box is whole.
    pub(super) async fn restore(&mut self) -> Result<(), CommandError> {
        self.check(Action::Restore)?;
        let under_way = self.removal.under_way && !keeps_no_box(self.task());
        let is_torn = was_whole(self.task()) && Self::was_being_removed(&self.rooms, self.task());
        if under_way || is_torn {
            let message = format!(
                "the box is being removed already; what no remote had is in the trash: `paddock trash ls --task {}`",
                self.task().task_id
            );
            return Err(CommandError::Conflict {
                message,
                paths: Vec::new(),
            });
        }
        self.removal.unkept = false;
        self.go(Action::Restore, Transition::PurgeUndone).await
    }

    /// Tells the user, once, why a box cannot be removed.
    pub(super) async fn tell_not_removed(&mut self, error: String) {
        if self.removal.told.as_ref() == Some(&error) {
            return;
        }
        let notice = Body::Notice {
            level: NoticeLevel::Warning,
            phase: None,
            text: format!("The box is not removed yet: {error}"),
        };
        if self.write(vec![notice]).await.is_ok() {
            self.removal.told = Some(error);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::told::told;

    /// A task whose purge was asked for after `lines`.
    fn purged_after(lines: &[&str]) -> Task {
        let setting_up = [
            r#""type":"state_changed","from":"pending","to":"branching","on":"scheduled""#,
            r#""type":"state_changed","from":"branching","to":"provisioning","on":"branched""#,
        ];
        let purge =
            r#""type":"state_changed","from":"provisioning","to":"purging","on":"purge_requested""#;
        let all = setting_up.iter().chain(lines).chain([&purge]);
        told(&all.copied().collect::<Vec<_>>())
    }

    #[test]
    fn a_box_that_its_failing_setup_clears_keeps_no_purge_from_being_taken_back() {
        let half = purged_after(&[]);
        assert_eq!(half.machine(), TaskState::Purging(Kept::Stopped));
        assert!(!keeps_no_box(&half) && !was_whole(&half));
        let whole = purged_after(&[r#""type":"box_created","kind":"worktree","name":"b""#]);
        assert_eq!(whole.machine(), TaskState::Purging(Kept::Stopped));
        assert!(was_whole(&whole));
    }
}
