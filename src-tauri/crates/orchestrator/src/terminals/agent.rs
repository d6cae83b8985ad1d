//! The agent's own program for people, on a terminal, with the task's session.
//!
//! Invariant: a session has one program at a time. The program is started only while no run is open, and a
//! run that begins ends it first.

use paddock_boxes::LiveBox;
use paddock_domain::{Action, Task, Terminal};
use paddock_harness::LaunchRequest;
use paddock_relay_client::RelayError;
use paddock_relay_client::protocol::{Launch, TerminalClose};

use super::{AGENT_NOTE, CLOSE_GRACE_MS, for_a_person};
use crate::rooms::Rooms;
use crate::runner::program_for;
use crate::{CommandError, accounts, ids, place, provider};

/// Whether nobody else has the session.
pub(super) fn check_free(task: &Task) -> Result<(), CommandError> {
    let open = task.run.as_ref().is_some_and(|run| run.exit.is_none());
    if !open && task.allowed.contains(&Action::Revive) {
        return Ok(());
    }
    Err(CommandError::conflict(format!(
        "the task is {}: its agent has the session. Stop the task, then open the agent's terminal; or open a shell",
        task.state
    )))
}

/// How the program is started in `live`.
pub(super) async fn launch(
    rooms: &Rooms,
    task: &Task,
    live: &LiveBox,
) -> Result<Launch, CommandError> {
    let harness = paddock_harness::find(task.spec.harness.as_str());
    let none = || {
        CommandError::bad(format!(
            "{} has no program for a terminal",
            task.spec.harness
        ))
    };
    let harness = harness.ok_or_else(none)?;
    let account = accounts::of_task(rooms, task);
    let provider = provider::for_box(rooms, harness, account.as_ref(), live).await;
    let provider = provider.map_err(CommandError::failed)?;
    let request = LaunchRequest {
        model: task.spec.model.as_deref(),
        effort: task.spec.effort.as_deref(),
        permission_mode: task.spec.permission_mode,
        home: &live.home,
        work_dir: &live.work_dir,
        resume: task.agent_session.as_deref(),
        fork: false,
        session_id: &ids::new_uuid(),
        provider: &provider,
    };
    let plan = paddock_harness::terminal(harness, &request).ok_or_else(none)?;
    let plan = plan.map_err(CommandError::bad)?;
    let written = place::write_files(live, plan.files).await;
    written.map_err(CommandError::failed)?;
    let program = program_for(rooms, task, &live.record)?;
    let command = place::command(rooms, live, &program, plan.args);
    let (program, args) = command.map_err(CommandError::failed)?;
    Ok(Launch {
        program,
        args,
        env: for_a_person(live, plan.env),
        clear_env: false,
        cwd: Some(live.work_dir.clone()),
        confine: live.confine(),
    })
}

/// What the journal says of it.
pub(super) fn told(task: &Task, terminal: &Terminal) -> String {
    let session = match &task.agent_session {
        Some(session) => format!("with the session {session}"),
        None => "with a session of its own".to_owned(),
    };
    format!(
        "{} was started on the terminal {} {session}. What is said there is not in this journal",
        task.spec.harness, terminal.name
    )
}

/// Ends the agent's own programs in a box in which a run is to begin; gives their terminals' names.
pub(crate) async fn close_agents(live: &LiveBox) -> Result<Vec<String>, RelayError> {
    if !live.relay.has_terminals() {
        return Ok(Vec::new());
    }
    let mut closed = Vec::new();
    for info in live.relay.terminals().await? {
        if info.note == AGENT_NOTE && info.exit.is_none() {
            let close = TerminalClose {
                terminal: info.terminal.clone(),
                grace_ms: CLOSE_GRACE_MS,
            };
            live.relay.close_terminal(&close).await?;
            closed.push(info.terminal.to_string());
        }
    }
    Ok(closed)
}
