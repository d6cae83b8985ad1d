//! The first two lines of every journal: what was asked for, and the words it was asked in.

use paddock_domain::{Body, Event, InputId, TaskSpec};
use paddock_store::{Draft, Journal, StoreError};

use crate::ids;
use crate::rooms::Rooms;

/// Begins the journal of a new task. When this returns, the task survives anything.
pub(crate) async fn begin(rooms: &Rooms, spec: TaskSpec) -> Result<Journal, StoreError> {
    let (ts, content) = (ids::now(), spec.prompt.clone());
    let first = Event {
        event_id: ids::new_event(),
        ts,
        seq: 1,
        task_id: ids::new_task(),
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
    let mut journal = rooms.store.create(first).await?;
    let event_id = ids::new_event();
    let input_id = InputId::from(event_id.clone());
    let prompt = Draft {
        event_id,
        ts,
        run_id: None,
        turn_id: Some(ids::new_turn()),
        source: None,
        body: Body::UserMessage {
            input_id,
            content,
            during_turn: false,
        },
    };
    journal.append(vec![prompt]).await?;
    Ok(journal)
}
