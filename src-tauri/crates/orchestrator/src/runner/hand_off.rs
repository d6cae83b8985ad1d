//! Another agent takes over: in the same box, from the journal in a few words.
//!
//! What is written is enough. An agent whose session is not known gives way to one that begins a new one,
//! by the planner's rule for a session that was lost; here only the harness is another.

use paddock_boxes::BoxRecord;
use paddock_domain::{Action, Body, Contender, GroupId, HandOffRequest, Program, Task, TaskId};

use super::Runner;
use crate::rooms::Rooms;
use crate::{CommandError, place};

impl Runner {
    /// Writes down that another agent takes over.
    pub(super) async fn hand_off(&mut self, request: HandOffRequest) -> Result<(), CommandError> {
        self.check(Action::HandOff)?;
        if self.turn.is_some() {
            return Err(CommandError::conflict(
                "a turn is under way: interrupt it first",
            ));
        }
        let task = self.task();
        let Contender {
            harness,
            harness_version,
            model,
            effort,
        } = request.to;
        let mut spec = paddock_domain::TaskSpec::clone(&task.spec);
        let (from_provider, from_model) = (spec.harness.clone(), task.model.clone());
        spec.harness = harness.clone();
        spec.harness_version.clone_from(&harness_version);
        spec.model.clone_from(&model);
        spec.effort.clone_from(&effort);
        spec.check()?;
        let program = place::program(&self.rooms, &spec)?;
        let record = self.rooms.boxes.record(&task.task_id);
        let record = record.map_err(CommandError::failed)?;
        if let Some(record) = record.filter(|it| !self.rooms.boxes.can_run(it, &program)) {
            let known = &record.program.harness;
            return Err(CommandError::conflict(format!(
                "this box was made for {known} alone, by an earlier Paddock: fork the task to go on with {harness}"
            )));
        }
        let reason = request.reason.unwrap_or_else(|| "asked for".to_owned());
        let switched = Body::ProviderSwitched {
            from_provider,
            to_provider: harness,
            from_model,
            to_model: model,
            to_version: harness_version,
            to_effort: effort,
            reason,
        };
        self.brief = None;
        let written = self.write(vec![switched]).await;
        written.map_err(|error| self.rooms.not_written(&error))
    }

    /// Writes down which task of its group was chosen.
    pub(super) async fn pick(
        &mut self,
        group_id: GroupId,
        winner: TaskId,
    ) -> Result<(), CommandError> {
        if self.task().winner.as_ref() == Some(&winner) {
            return Ok(());
        }
        let written = self
            .write(vec![Body::WinnerPicked { group_id, winner }])
            .await;
        written.map_err(|error| self.rooms.not_written(&error))
    }
}

/// The program that serves `task` in the box of `record`: the one it was made with, or another that the
/// task was handed to.
pub(crate) fn program(
    rooms: &Rooms,
    task: &Task,
    record: &BoxRecord,
) -> Result<Program, CommandError> {
    // Others may have written since this box was reached.
    let now = rooms.boxes.record(&task.task_id).ok().flatten();
    let equipped = now.map_or_else(|| record.program.clone(), |now| now.program);
    let version = task.spec.harness_version.as_ref();
    let fits = equipped.harness == task.spec.harness
        && version.is_none_or(|version| *version == equipped.version);
    if fits {
        return Ok(equipped);
    }
    let program = place::program(rooms, &task.spec)?;
    let written = rooms.boxes.equip(record, &program);
    written.map_err(CommandError::failed)?;
    Ok(program)
}
