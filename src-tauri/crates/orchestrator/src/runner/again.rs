//! A task that goes on without what it had: a new session where the agent lost its own, a new box where
//! the box is gone.

use paddock_boxes::BoxRequest;
use paddock_domain::{Body, CondensePolicy, ErrorClass, Event, NoticeLevel, Task};
use paddock_git::Oid;
use paddock_store::{JournalReader, StoreError};

use super::SetupError;
use crate::brief::Brief;
use crate::rooms::Rooms;

/// The journal of `task` in a few words, without messages that its agent has not heard.
pub(super) async fn condense(reader: JournalReader, task: &Task) -> Result<String, StoreError> {
    let last = task.run_since_seq;
    let mut brief = Brief::default();
    let take = |json: &[u8]| {
        if let Ok(event) = serde_json::from_slice::<Event>(json)
            && event.seq <= last
        {
            brief.take(&event);
        }
    };
    reader.each_line(0, last, take).await?;
    Ok(brief.tell(task))
}

/// What the journal says when a new session takes the place of a lost one.
pub(super) fn without_session(brief: String) -> Vec<Body> {
    let text = "The agent has lost its earlier session: a new one begins. It is told what the journal says of the task, together with the next message";
    vec![
        Body::ContextCondensed {
            policy: CondensePolicy::SessionLost,
            tokens_before: None,
            tokens_after: None,
            summary_text: Some(brief),
        },
        Body::Notice {
            level: NoticeLevel::Warning,
            phase: None,
            text: text.to_owned(),
        },
    ]
}

/// Lets a new box begin where the task's branches are, not where they began.
pub(super) async fn from_branches(
    rooms: &Rooms,
    task: &Task,
    request: &mut BoxRequest,
) -> Result<(), SetupError> {
    for wanted in &mut request.repositories {
        let git = |error: &dyn std::fmt::Display| SetupError::new(ErrorClass::Git, error);
        let repository = paddock_git::inspect(&rooms.host, &wanted.host_path)
            .await
            .map_err(|error| git(&error))?;
        let (host, branch) = (&rooms.host, &wanted.branch);
        let delivered = paddock_git::delivered(host, &repository, &task.task_id, branch)
            .await
            .map_err(|error| git(&error))?;
        let tip = match delivered {
            Some(commit) => Some(commit),
            None => paddock_git::branch_tip(host, &repository, branch)
                .await
                .map_err(|error| git(&error))?,
        };
        wanted.base =
            tip.ok_or_else(|| branch_gone(&wanted.host_path, branch.as_str(), &wanted.base))?;
        wanted.inspected = Some(repository);
    }
    Ok(())
}

fn branch_gone(path: &str, branch: &str, base: &Oid) -> SetupError {
    let message = format!(
        "the task's box is gone, and {path} has no branch {branch} to make a new one from. Make the branch again (git branch {branch} {base}), then revive the task"
    );
    SetupError::new(ErrorClass::Git, message)
}
