//! The first two lines of every journal: what was asked for, and the words it was asked in.

use paddock_domain::{Body, Event, InputId, TaskId, TaskSpec};
use paddock_store::{Draft, Journal, StoreError};

use super::{Runner, files};
use crate::rooms::Rooms;
use crate::{ids, past};

/// Begins the journal of a new task. When this returns, the task survives anything.
pub(crate) async fn begin(
    rooms: &Rooms,
    task_id: TaskId,
    spec: TaskSpec,
) -> Result<Journal, StoreError> {
    let ts = ids::now();
    let first = Event {
        event_id: ids::new_event(),
        ts,
        seq: 1,
        task_id,
        run_id: None,
        turn_id: None,
        source: None,
        body: Body::SessionStarted {
            task_description: spec.title(),
            project_path: spec
                .repositories
                .first()
                .map(|repository| repository.path.clone()),
            coding_provider: spec.harness.clone(),
            spec: Box::new(spec),
        },
    };
    rooms.store.create(first).await
}

impl Runner {
    /// Writes the words that the task was asked for in, where they are not written yet: they stand in the
    /// first line, so neither a crash nor a full disk between the two loses them.
    pub(super) async fn write_prompt(&mut self) {
        let files = self.task().spec.attachments.clone();
        if let Err(error) = self.keep_files(&files).await {
            return self.cannot_write(&error);
        }
        let event_id = ids::new_event();
        let prompt = Draft {
            event_id: event_id.clone(),
            ts: ids::now(),
            run_id: None,
            turn_id: Some(ids::new_turn()),
            source: None,
            body: Body::UserMessage {
                input_id: InputId::from(event_id),
                content: self.task().spec.prompt.clone(),
                during_turn: false,
                attachments: files.clone(),
            },
        };
        self.turn.clone_from(&prompt.turn_id);
        let notice = self.told_of_files(&files).map(files::beside);
        // After the prompt, which is what a torn end must not take alone.
        let before = past::adopted(&self.rooms, self.task()).await;
        let before = before.map(|body| self.draft(body, None));
        let drafts = std::iter::once(prompt).chain(notice).chain(before);
        let drafts = drafts.collect();
        if let Err(error) = self.append(drafts).await {
            self.cannot_write(&error);
        }
    }
}
