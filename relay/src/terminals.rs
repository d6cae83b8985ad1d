//! The terminals of this relay, by id.
//!
//! Invariant: there are at most [`limits::TERMINALS`], and none outlives the relay. One whose program has
//! ended stays, with what it showed last, until it is closed or its place is wanted.

pub(crate) mod held;
mod kept;

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use paddock_relay_protocol::{
    Launch, Refusal, RefusalCode, TerminalId, TerminalInfo, TerminalOpen, Terminals as List, limits,
};
use tokio::task::JoinSet;

use crate::launch::Marker;
use crate::process::Children;
use held::{Held, bounded};
pub(crate) use kept::{Next, Place};

/// What an interactive program is told that its terminal can do.
const TERM: &str = "xterm-256color";

/// The terminals.
#[derive(Debug)]
pub(crate) struct Terminals {
    children: Children,
    table: Mutex<Table>,
}

#[derive(Debug, Default)]
struct Table {
    /// Oldest first.
    all: Vec<(TerminalId, Arc<Held>)>,
    closed: bool,
}

impl Terminals {
    pub(crate) fn new(children: Children) -> Self {
        Self {
            children,
            table: Mutex::default(),
        }
    }

    /// Opens one, whose processes carry `marker`.
    pub(crate) fn open(
        &self,
        mut open: TerminalOpen,
        marker: Marker,
    ) -> Result<TerminalInfo, Refusal> {
        let mut table = self.table();
        if table.closed {
            let message = "the relay is shutting down";
            return Err(Refusal::new(RefusalCode::ShuttingDown, message));
        }
        if open.note.len() > limits::TERMINAL_NOTE_LEN {
            let message = format!("the note is over {} bytes", limits::TERMINAL_NOTE_LEN);
            return Err(Refusal::new(RefusalCode::BadHeader, message));
        }
        let id = open.terminal.clone();
        if table.get(&id).is_some() {
            let message =
                format!("there is a terminal {id} already: attach to it, or close it first");
            return Err(Refusal::new(RefusalCode::TerminalExists, message));
        }
        table.make_room()?;
        open.size = bounded(open.size);
        open.launch = for_a_person(open.launch);
        let held = Held::start(open, marker, &self.children)?;
        let info = held.info();
        table.all.push((id, held));
        Ok(info)
    }

    /// The terminal of this id.
    pub(crate) fn get(&self, id: &TerminalId) -> Result<Arc<Held>, Refusal> {
        self.table().get(id).ok_or_else(|| no_such(id))
    }

    /// All of them, oldest first.
    pub(crate) fn list(&self) -> List {
        let table = self.table();
        let infos = table.all.iter().map(|(_, held)| held.info());
        List {
            terminals: infos.collect(),
        }
    }

    /// Forgets one that has ended.
    pub(crate) fn forget(&self, id: &TerminalId) {
        let ended = |held: &Held| held.exit().is_some();
        self.table()
            .all
            .retain(|(other, held)| other != id || !ended(held));
    }

    /// Opens no more, and ends those that live.
    pub(crate) async fn close_all(&self, grace: Duration) {
        let all = {
            let mut table = self.table();
            table.closed = true;
            std::mem::take(&mut table.all)
        };
        let mut closing: JoinSet<_> = all
            .into_iter()
            .map(|(_, held)| async move { held.close(grace).await })
            .collect();
        while closing.join_next().await.is_some() {}
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    fn get(&self, id: &TerminalId) -> Option<Arc<Held>> {
        let found = self.all.iter().find(|(other, _)| other == id);
        found.map(|(_, held)| held.clone())
    }

    /// Lets the oldest that has ended go when there is no place for another one.
    fn make_room(&mut self) -> Result<(), Refusal> {
        if self.all.len() < limits::TERMINALS {
            return Ok(());
        }
        let ended = self.all.iter().position(|(_, held)| held.exit().is_some());
        let Some(ended) = ended else {
            let message = format!(
                "there are {} terminals already: close one first",
                limits::TERMINALS
            );
            return Err(Refusal::new(RefusalCode::Busy, message));
        };
        self.all.remove(ended);
        Ok(())
    }
}

fn no_such(id: &TerminalId) -> Refusal {
    let message = format!("there is no terminal {id} (any more): list them again");
    Refusal::new(RefusalCode::NoSuchTerminal, message)
}

/// The launch with what a person at a terminal expects: a shell when it names no program, colours.
pub(crate) fn for_a_person(mut launch: Launch) -> Launch {
    if launch.program.is_empty() {
        let named = launch.env.get("SHELL").cloned();
        let named = named.or_else(|| std::env::var("SHELL").ok().filter(|_| !launch.clear_env));
        let there = |shell: &String| Path::new(shell).is_file();
        launch.program = named.filter(there).unwrap_or_else(usual_shell);
    }
    let term = launch.env.entry("TERM".to_owned());
    term.or_insert_with(|| TERM.to_owned());
    launch
}

fn usual_shell() -> String {
    let usual = ["/bin/bash", "/usr/bin/bash"];
    let found = usual.into_iter().find(|shell| Path::new(shell).is_file());
    found.unwrap_or("/bin/sh").to_owned()
}
