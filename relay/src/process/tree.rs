//! Everything that a run (or a command) has started, found and ended.
//!
//! A process belongs to the tree when it descends from the root, when it carries the tree's marker in
//! its environment: agents run shell tools in sessions of their own, and what loses its parent becomes
//! our child. Orphans that have cleaned their environment too belong to the tree whose root is the only child
//! that we started and that lives. Invariant: [`Tree::end`] returns only when none is left, or says that some would not go.

use std::time::Duration;

use paddock_relay_protocol::RUN_MARKER;
use rustix::process::{Pid, Signal, kill_process};
use tokio::time::{Instant, sleep};

use super::children::Children;
use super::table::{Table, has_marker, variable};
use crate::launch::{EXEC_MARKER, Marker};

/// How often the tree is looked at while it is expected to go.
const POLL: Duration = Duration::from_millis(20);

/// How long processes have to go after SIGKILL; one in an uninterruptible wait may not.
const KILL_TIME: Duration = Duration::from_secs(5);

/// The processes of one run or command.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    root: u32,
    marker: Marker,
    children: Children,
}

impl Tree {
    /// The tree whose first process is `root`.
    pub(crate) fn new(root: u32, marker: Marker, children: Children) -> Self {
        Self {
            root,
            marker,
            children,
        }
    }

    /// Its living processes.
    pub(crate) fn members(&self) -> Vec<u32> {
        let table = Table::read();
        let me = std::process::id();
        let entry = self.marker.entry();
        let ours = table.descendants([me]);
        // The root's number may be another's by now, unless it is still our child.
        let root = self.children.knows(self.root).then_some(self.root);
        let marked = ours
            .iter()
            .copied()
            .filter(|pid| *pid != me && has_marker(*pid, &entry));
        let alone = self.children.none_but(self.root);
        let orphans = unmarked_orphans(&table, &self.children).filter(|_| alone);
        let members = table.descendants(root.into_iter().chain(marked).chain(orphans));
        let living = table
            .entries()
            .iter()
            .filter(|e| e.lives() && members.contains(&e.pid));
        living.map(|e| e.pid).collect()
    }

    /// Sends `signal` to every living process of it.
    pub(crate) fn signal(&self, signal: Signal) {
        signal_all(&self.members(), signal);
    }

    /// Ends what is left of it: SIGTERM, after `grace` SIGKILL. Gives how many there were, and whether
    /// all are gone.
    pub(crate) async fn end(&self, grace: Duration) -> Ended {
        let strays = self.members();
        signal_all(&strays, Signal::TERM);
        let gone = self.gone_within(grace).await || self.kill().await;
        Ended {
            strays: strays.len(),
            gone,
        }
    }

    /// Waits until none is left.
    pub(crate) async fn gone_within(&self, time: Duration) -> bool {
        let deadline = Instant::now() + time;
        loop {
            if self.members().is_empty() {
                return true;
            }
            if Instant::now() >= deadline {
                return false;
            }
            sleep(POLL).await;
        }
    }

    /// SIGKILL to all, again and again: between a look and a kill a process may have forked.
    pub(crate) async fn kill(&self) -> bool {
        let deadline = Instant::now() + KILL_TIME;
        loop {
            let members = self.members();
            if members.is_empty() {
                return true;
            }
            if Instant::now() >= deadline {
                return false;
            }
            signal_all(&members, Signal::KILL);
            sleep(POLL).await;
        }
    }
}

/// What ending a tree came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    /// How many processes were still there.
    pub(crate) strays: usize,
    /// Whether all are gone.
    pub(crate) gone: bool,
}

/// Kills whatever carries this marker, anywhere, and all that descends from it: what an earlier relay
/// left behind. Looks again until none is left, since between a look and a kill a process may have
/// forked. Says whether all are gone.
pub(crate) fn kill_marked(marker: &Marker) -> bool {
    let deadline = std::time::Instant::now() + KILL_TIME;
    loop {
        let marked = marked(&marker.entry());
        if marked.is_empty() {
            return true;
        }
        if std::time::Instant::now() >= deadline {
            return false;
        }
        signal_all(&marked, Signal::KILL);
        // Nobody is served yet, so nobody waits for this thread.
        std::thread::sleep(POLL);
    }
}

/// The living processes that carry this entry in their environment, and those that descend from them.
fn marked(entry: &str) -> Vec<u32> {
    let (table, me) = (Table::read(), std::process::id());
    let roots = table
        .entries()
        .iter()
        .filter(|e| e.pid != me && has_marker(e.pid, entry))
        .map(|e| e.pid);
    let members = table.descendants(roots);
    let living = table
        .entries()
        .iter()
        .filter(|e| e.lives() && e.pid != me && members.contains(&e.pid));
    living.map(|e| e.pid).collect()
}

/// Children of ours that nobody here started and that carry no marker: orphans that have cleaned their
/// environment.
fn unmarked_orphans<'a>(
    table: &'a Table,
    children: &'a Children,
) -> impl Iterator<Item = u32> + 'a {
    let me = std::process::id();
    let adopted = table
        .entries()
        .iter()
        .filter(move |e| e.ppid == me && e.lives());
    let unmarked = adopted.filter(|e| {
        let bare = |name| variable(e.pid, name).is_none();
        !children.knows(e.pid) && bare(RUN_MARKER) && bare(EXEC_MARKER)
    });
    unmarked.map(|e| e.pid)
}

/// Sends `signal` to these; those that are gone already do not matter.
pub(crate) fn signal_all(pids: &[u32], signal: Signal) {
    for pid in pids {
        if let Some(pid) = i32::try_from(*pid).ok().and_then(Pid::from_raw) {
            let _ = kill_process(pid, signal);
        }
    }
}
