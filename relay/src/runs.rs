//! All runs of this relay, by id.
//!
//! Invariant: an id is used once, for ever: its directory tells, also after a restart.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use paddock_relay_protocol::{Refusal, RefusalCode, RelayId, RunId, RunInfo, Spawn, Stop, limits};
use tokio::task::JoinSet;

use crate::process::Children;
use crate::run::log::Log;
use crate::run::recover::recover;
use crate::run::{Run, life};

/// Name of the log in the directory of a run.
const LOG: &str = "log.jsonl";

/// The runs.
#[derive(Debug)]
pub(crate) struct Runs {
    dir: PathBuf,
    relay: RelayId,
    children: Children,
    table: Mutex<Table>,
}

#[derive(Debug, Default)]
struct Table {
    by_id: HashMap<RunId, Arc<Run>>,
    started: u64,
    closed: bool,
}

impl Runs {
    /// Takes up the runs of an earlier relay in `dir`. A run that cannot be read is left alone.
    pub(crate) fn take_up(
        dir: PathBuf,
        relay: RelayId,
        children: Children,
    ) -> anyhow::Result<Self> {
        let mut table = Table::default();
        for entry in fs::read_dir(&dir)? {
            let entry = entry?;
            let log = entry.path().join(LOG);
            let Some(Ok(id)) = entry.file_name().to_str().map(RunId::parse) else {
                continue;
            };
            if !log.is_file() {
                continue;
            }
            match recover(id.clone(), &log) {
                Ok(old) => {
                    if let Some(bytes) = old.torn {
                        crate::diary::write(format_args!(
                            "run {id}: cut a torn record of {bytes} bytes"
                        ));
                    }
                    table.by_id.insert(id, Run::recovered(old));
                }
                Err(error) => {
                    crate::diary::write(format_args!("run {id} cannot be taken up: {error}"))
                }
            }
        }
        Ok(Self {
            dir,
            relay,
            children,
            table: Mutex::new(table),
        })
    }

    /// Starts a run.
    pub(crate) async fn spawn(&self, spawn: &Spawn) -> Result<RunInfo, Refusal> {
        let run = self.enter(spawn)?;
        life::start(run.clone(), spawn, &self.children).await;
        Ok(run.info())
    }

    /// Makes room for a run: its directory, its log, its place in the table.
    fn enter(&self, spawn: &Spawn) -> Result<Arc<Run>, Refusal> {
        let mut table = self.table();
        if table.closed {
            return Err(Refusal::new(
                RefusalCode::ShuttingDown,
                "the relay is shutting down",
            ));
        }
        let dir = self.dir.join(spawn.run.as_str());
        let failed = |error: std::io::Error| {
            let message = format!("{} cannot be written: {error}", dir.display());
            Refusal::new(RefusalCode::Io, message)
        };
        if table.by_id.contains_key(&spawn.run) || dir.join(LOG).exists() {
            let message = format!("run {} was started before; follow its log", spawn.run);
            return Err(Refusal::new(RefusalCode::RunExists, message));
        }
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&dir)
            .map_err(failed)?;
        let log = Log::create(dir.join(LOG)).map_err(failed)?;
        table.started += 1;
        let (program, owner) = (&spawn.launch.program, spawn.owner.clone());
        let run = Arc::new(Run::new(
            spawn.run.clone(),
            program,
            log,
            self.relay,
            owner,
            table.started,
        ));
        table.by_id.insert(spawn.run.clone(), run.clone());
        Ok(run)
    }

    /// The run of this id.
    pub(crate) fn get(&self, id: &RunId) -> Result<Arc<Run>, Refusal> {
        let found = self.table().by_id.get(id).cloned();
        found.ok_or_else(|| {
            Refusal::new(RefusalCode::NoSuchRun, format!("no run {id} is known here"))
        })
    }

    /// All runs, newest first.
    pub(crate) fn list(&self) -> Vec<RunInfo> {
        let mut runs = self.all();
        runs.sort_by(|a, b| b.order.cmp(&a.order).then_with(|| b.id.cmp(&a.id)));
        runs.truncate(limits::RUNS_LISTED);
        runs.iter().map(|run| run.info()).collect()
    }

    /// All runs, in no order.
    pub(crate) fn all(&self) -> Vec<Arc<Run>> {
        self.table().by_id.values().cloned().collect()
    }

    /// Starts no more runs, and ends those that live.
    pub(crate) async fn stop_all(&self, grace_ms: u64) {
        self.table().closed = true;
        let mut stops = JoinSet::new();
        for run in self.all().into_iter().filter(|run| run.exit().is_none()) {
            let stop = Stop {
                run: run.id.clone(),
                grace_ms,
                interrupt: None,
            };
            stops.spawn(async move { run.stop(&stop).await });
        }
        while stops.join_next().await.is_some() {}
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
