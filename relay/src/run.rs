//! A run: one life of an agent process, from its first record to its exit record.
//!
//! Invariant: every run ends with an exit record, also when its program cannot be executed. Nothing
//! but a stop, the agent itself or the end of the relay ends it: not a client, not a connection.
//!
//! [`life`] starts, watches and ends the process; [`lines`] brings its output into the [`log`](mod@log);
//! [`input`](mod@input) brings messages to it; [`recover`] closes what an earlier relay left open.

pub(crate) mod inbox;
pub(crate) mod input;
pub(crate) mod life;
pub(crate) mod lines;
pub(crate) mod log;
pub(crate) mod recover;
pub(crate) mod spill;
pub(crate) mod terminal;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use paddock_relay_protocol::{
    Claim, Claimed, ClientId, Exit, Refusal, RefusalCode, RelayId, RunId, RunInfo, RunState,
};
use tokio::sync::Mutex as AsyncMutex;

use crate::process::Tree;
use input::{Intake, StdinQueue};
use log::Log;
use recover::Recovered;
use terminal::Terminal;

/// One run and all that is known of it.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) id: RunId,
    pub(crate) log: Arc<Log>,
    program: String,
    /// The relay that began it, where its log says so.
    pub(crate) begun_by: Option<RelayId>,
    /// When it was started here, to order runs; runs of an earlier relay come last.
    pub(crate) order: u64,
    torn: Option<u64>,
    state: Mutex<State>,
    /// Messages are taken one at a time.
    intake: AsyncMutex<Intake>,
}

#[derive(Debug, Default)]
struct State {
    owner: Option<ClientId>,
    stopping: bool,
    live: Option<Live>,
    exit: Option<Exit>,
}

/// What there is while the agent lives.
#[derive(Clone, Debug)]
pub(crate) struct Live {
    pub(crate) pid: u32,
    pub(crate) tree: Tree,
    pub(crate) stdin: StdinQueue,
    pub(crate) terminal: Option<Arc<Terminal>>,
}

impl Run {
    /// A run that is about to start.
    pub(crate) fn new(
        id: RunId,
        program: &str,
        log: Log,
        begun_by: RelayId,
        owner: Option<ClientId>,
        order: u64,
    ) -> Self {
        Self {
            id,
            log: Arc::new(log),
            program: program.to_owned(),
            begun_by: Some(begun_by),
            order,
            torn: None,
            state: Mutex::new(State {
                owner,
                ..State::default()
            }),
            intake: AsyncMutex::new(Intake::fresh()),
        }
    }

    /// A run of an earlier relay. What its log lacks is written as soon as the disk lets it; until then
    /// the run has no end.
    pub(crate) fn recovered(old: Recovered) -> Arc<Self> {
        let closed = old.closed;
        let run = Arc::new(Self {
            id: old.run,
            log: Arc::new(old.log),
            program: old.program,
            begun_by: old.begun_by,
            order: 0,
            torn: old.torn,
            state: Mutex::new(State {
                exit: closed.then(|| old.exit.clone()),
                ..State::default()
            }),
            intake: AsyncMutex::new(Intake::to_be_loaded()),
        });
        if !closed {
            tokio::spawn(life::finish(run.clone(), old.unwritten, old.exit));
        }
        run
    }

    /// What there is to say about it.
    pub(crate) fn info(&self) -> RunInfo {
        let state = self.state();
        let phase = match &*state {
            State { exit: Some(_), .. } => RunState::Ended,
            State { stopping: true, .. } => RunState::Stopping,
            State { .. } => RunState::Running,
        };
        RunInfo {
            run: self.id.clone(),
            state: phase,
            program: self.program.clone(),
            pid: state.live.as_ref().map(|live| live.pid),
            owner: state.owner.clone(),
            log_len: self.log.extent().borrow().len,
            exit: state.exit.clone(),
            torn: self.torn,
            trouble: self.log.trouble(),
        }
    }

    /// What there is while the agent lives.
    pub(crate) fn live(&self) -> Option<Live> {
        self.state().live.clone()
    }

    /// The same, or the refusal to give when it is over.
    pub(crate) fn live_or_refusal(&self) -> Result<Live, Refusal> {
        self.live().ok_or_else(|| {
            Refusal::new(
                RefusalCode::RunEnded,
                format!("run {} has ended; start a new one", self.id),
            )
        })
    }

    /// How it ended.
    pub(crate) fn exit(&self) -> Option<Exit> {
        self.state().exit.clone()
    }

    /// Gives the input to `claim.owner`: to the owner itself always, to another only by take-over.
    pub(crate) fn claim(&self, claim: &Claim) -> Result<Claimed, Refusal> {
        let mut state = self.state();
        if !claim.take_over {
            self.check_owner(&state, &claim.owner)?;
        }
        Ok(Claimed {
            before: state.owner.replace(claim.owner.clone()),
        })
    }

    /// Lets `writer` write: the owner, or anybody when there is none, who then becomes it.
    fn admit(&self, writer: &ClientId) -> Result<(), Refusal> {
        let mut state = self.state();
        self.check_owner(&state, writer)?;
        state.owner.get_or_insert_with(|| writer.clone());
        Ok(())
    }

    fn check_owner(&self, state: &State, writer: &ClientId) -> Result<(), Refusal> {
        match &state.owner {
            Some(owner) if owner != writer => {
                let message = format!(
                    "the input of run {} belongs to {owner}; take it over first",
                    self.id
                );
                Err(Refusal::new(RefusalCode::OwnedByOther, message))
            }
            Some(_) | None => Ok(()),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
