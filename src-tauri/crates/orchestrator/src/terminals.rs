//! Terminals in the boxes of tasks.
//!
//! The relay in the box holds them, so they outlive this process, the network and every window. Here they
//! are opened and closed, over a connection of their own as [`processes`](crate::processes) are asked, and
//! looked at through one [`keeper`] each, however many look on. The agent's own program is given the task's
//! session only while no run has it; the journal says so, and a run that begins ends it.
//!
//! Start at [`Orchestrator::open_terminal`] and [`Orchestrator::watch_terminal`].

mod agent;
mod desk;
mod keeper;
mod screen;
mod viewer;

use paddock_boxes::LiveBox;
use paddock_domain::{
    BoxKind, RunExit, TaskId, Terminal, TerminalKind, TerminalName, TerminalRequest, TerminalSize,
    Timestamp,
};
use paddock_relay_client::RelayError;
use paddock_relay_client::protocol::{
    Ending, Exit, Launch, PtySize, RefusalCode, TerminalClose, TerminalId, TerminalInfo,
    TerminalOpen,
};
use std::collections::BTreeMap;

pub(crate) use agent::close_agents;
pub(crate) use desk::Desk;
pub use viewer::{Shown, Typed, Viewing};

use crate::runner::Order;
use crate::{CommandError, Orchestrator, place};

/// How long the processes of a terminal have to go by themselves when it is closed, in milliseconds.
const CLOSE_GRACE_MS: u64 = 2_000;

/// What the relay is to tell us again of a terminal that the agent's own program runs on.
const AGENT_NOTE: &str = "agent";

impl Orchestrator {
    /// The terminals of a task's box, oldest first; none when the box does not run.
    ///
    /// # Errors
    /// [`CommandError::NoSuchTask`], [`CommandError::Conflict`] when its relay is too old for terminals.
    pub async fn terminals(&self, id: &TaskId) -> Result<Vec<Terminal>, CommandError> {
        self.task(id)?;
        match self.live_box(id).await {
            Ok(live) => listed(&live).await,
            Err(CommandError::Conflict { .. }) => Ok(Vec::new()),
            Err(other) => Err(other),
        }
    }

    /// Whether the task's agent has a program of its own for a terminal.
    ///
    /// # Errors
    /// [`CommandError::NoSuchTask`].
    pub fn has_agent_terminal(&self, id: &TaskId) -> Result<bool, CommandError> {
        let task = self.task(id)?;
        let harness = paddock_harness::find(task.spec.harness.as_str());
        Ok(harness.is_some_and(paddock_harness::has_terminal))
    }

    /// Where a task's work tree lies on this machine, when its box is a worktree.
    ///
    /// # Errors
    /// [`CommandError::NoSuchTask`], or that the box's record cannot be read.
    pub fn work_folder(&self, id: &TaskId) -> Result<Option<String>, CommandError> {
        self.task(id)?;
        let record = self.rooms.boxes.record(id).map_err(CommandError::failed)?;
        let Some(record) = record.filter(|record| record.kind == BoxKind::Worktree) else {
            return Ok(None);
        };
        let work = self.rooms.boxes.dirs(id).work;
        let folder = match record.repositories.as_slice() {
            [only] => work.join(&only.name),
            _ => work,
        };
        Ok(folder.to_str().map(str::to_owned))
    }

    /// Opens a terminal in a task's box.
    ///
    /// # Errors
    /// [`CommandError::Conflict`] when the box does not run, the name is taken, there are too many, or the
    /// relay is too old; for the agent's own program [`CommandError::NotNow`] while a run is open and
    /// [`CommandError::Bad`] where the harness has none.
    pub async fn open_terminal(
        &self,
        id: &TaskId,
        request: TerminalRequest,
    ) -> Result<Terminal, CommandError> {
        let task = self.task(id)?;
        if request.what == TerminalKind::Agent {
            agent::check_free(&task)?;
        }
        let live = self.live_box(id).await?;
        let taken: Vec<_> = listed(&live).await?;
        let taken: Vec<_> = taken.into_iter().map(|terminal| terminal.name).collect();
        let name = request.name_among(&taken);
        let name = name.ok_or_else(|| CommandError::conflict("there are too many terminals"))?;
        let (launch, note) = match request.what {
            TerminalKind::Shell => (shell(&live), String::new()),
            TerminalKind::Agent => {
                let launch = agent::launch(&self.rooms, &task, &live).await?;
                (launch, AGENT_NOTE.to_owned())
            }
        };
        let size = request.size.unwrap_or_default().bounded();
        let open = TerminalOpen {
            terminal: relay_id(&name)?,
            launch,
            size: to_relay(size),
            note,
        };
        let opened = live.relay.open_terminal(&open).await;
        let terminal = shown(&opened.map_err(refused)?)?;
        if request.what == TerminalKind::Agent {
            // Between the look at the task and now a run may have begun.
            let told = match agent::check_free(&*self.task(id)?) {
                Ok(()) => {
                    let text = agent::told(&task, &terminal);
                    self.order(id, |reply| Order::TellUser(text, reply)).await
                }
                Err(begun) => Err(begun),
            };
            if let Err(error) = told {
                // One that stays is ended by the run that begins; why it was not opened says more.
                let _ = close(&live, &name).await;
                return Err(error);
            }
        }
        tracing::info!(task.id = %id, terminal = %name, "a terminal was opened");
        Ok(terminal)
    }

    /// Ends a terminal with all its processes and forgets it.
    ///
    /// # Errors
    /// [`CommandError::NotFound`], [`CommandError::Conflict`] when the box does not run.
    pub async fn close_terminal(
        &self,
        id: &TaskId,
        name: &TerminalName,
    ) -> Result<RunExit, CommandError> {
        let live = self.live_box(id).await?;
        let exit = close(&live, name).await?;
        tracing::info!(task.id = %id, terminal = %name, "a terminal was closed");
        Ok(exit)
    }

    /// Looks at a terminal: its screen at once, then what it shows.
    ///
    /// # Errors
    /// [`CommandError::NotFound`], [`CommandError::Conflict`] when the box does not run,
    /// [`CommandError::Overloaded`] when too many look.
    pub async fn watch_terminal(
        &self,
        id: &TaskId,
        name: &TerminalName,
    ) -> Result<Viewing, CommandError> {
        self.task(id)?;
        self.desk.watch(id, name).await
    }
}

async fn listed(live: &LiveBox) -> Result<Vec<Terminal>, CommandError> {
    let infos = live.relay.terminals().await.map_err(refused)?;
    // One that another client of the relay named otherwise than we name terminals is not ours to show.
    Ok(infos.iter().filter_map(|info| shown(info).ok()).collect())
}

async fn close(live: &LiveBox, name: &TerminalName) -> Result<RunExit, CommandError> {
    let close = TerminalClose {
        terminal: relay_id(name)?,
        grace_ms: CLOSE_GRACE_MS,
    };
    let exit = live.relay.close_terminal(&close).await.map_err(refused)?;
    Ok(exit_of(&exit))
}

/// The user's shell in the box. It gets no key of a provider: those belong to runs.
fn shell(live: &LiveBox) -> Launch {
    Launch {
        program: String::new(),
        args: Vec::new(),
        env: for_a_person(live, BTreeMap::new()),
        clear_env: false,
        cwd: Some(live.work_dir.clone()),
        confine: live.confine(),
    }
}

/// The environment of a program on a terminal; the relay knows what the terminal can do.
fn for_a_person(live: &LiveBox, plan: BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut environment = place::environment(live, plan);
    environment.remove("TERM");
    environment.insert("COLORTERM".to_owned(), "truecolor".to_owned());
    environment
}

fn shown(info: &TerminalInfo) -> Result<Terminal, CommandError> {
    let name = TerminalName::parse(info.terminal.as_str()).map_err(CommandError::failed)?;
    let what = if info.note == AGENT_NOTE {
        TerminalKind::Agent
    } else {
        TerminalKind::Shell
    };
    Ok(Terminal {
        name,
        what,
        program: info.program.clone(),
        size: from_relay(info.size),
        opened_at: Timestamp::from_unix_ms(i64::try_from(info.opened_ms).unwrap_or(i64::MAX)),
        exit: info.exit.as_ref().map(exit_of),
    })
}

fn exit_of(exit: &Exit) -> RunExit {
    match exit.ending {
        Ending::Exited { code } => RunExit::Code { code },
        Ending::Signalled { signal } => RunExit::Signal { signal },
        Ending::NotStarted { .. } => RunExit::NotStarted,
        Ending::Lost => RunExit::Lost,
    }
}

fn relay_id(name: &TerminalName) -> Result<TerminalId, CommandError> {
    TerminalId::parse(name.as_str()).map_err(CommandError::bad)
}

fn to_relay(size: TerminalSize) -> PtySize {
    let TerminalSize { rows, cols } = size.bounded();
    PtySize { rows, cols }
}

fn from_relay(PtySize { rows, cols }: PtySize) -> TerminalSize {
    TerminalSize { rows, cols }.bounded()
}

/// What a door is told of a relay that did not.
fn refused(error: RelayError) -> CommandError {
    if matches!(error, RelayError::TooOld { .. }) {
        return CommandError::conflict(format!(
            "{error}. A box keeps the relay that it was started with: stop the task, then revive it"
        ));
    }
    let RelayError::Refused(refusal) = error else {
        return CommandError::failed(error);
    };
    let message = refusal.message;
    if refusal.code == RefusalCode::NoSuchTerminal {
        let what = "terminal";
        CommandError::NotFound { what, message }
    } else if is_conflict(refusal.code) {
        CommandError::conflict(message)
    } else {
        CommandError::failed(message)
    }
}

/// Whether the relay would have done it at another time.
fn is_conflict(code: RefusalCode) -> bool {
    matches!(
        code,
        RefusalCode::TerminalExists | RefusalCode::Busy | RefusalCode::ShuttingDown
    )
}
