//! One terminal: its program, what it shows, who types.
//!
//! Invariant: what the program shows is always taken, so a program never waits for somebody who looks on;
//! what is typed waits for the program. When the program ends, what it leaves behind is ended too, and
//! only then the exit is told.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use paddock_relay_protocol::{Exit, PtySize, TerminalInfo, TerminalOpen, limits};
use rustix::process::Signal;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::sync::{Mutex as AsyncMutex, watch};
use tokio::time::timeout;

use super::kept::{Kept, Next, Place};
use crate::launch::{self, Marker, NotStarted};
use crate::process::children::Started;
use crate::process::{Children, Tree};
use crate::run::terminal::Terminal;
use crate::time::now_ms;

/// How long what a program leaves behind has to end by itself after SIGHUP and SIGTERM.
const STRAY_GRACE: Duration = Duration::from_secs(2);

/// How long the last output may take once all processes are gone.
const DRAIN_TIME: Duration = Duration::from_millis(500);

/// How long an exit may take when all processes are gone.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// A terminal that is held.
#[derive(Debug)]
pub(crate) struct Held {
    opened: TerminalOpen,
    opened_ms: u64,
    pid: u32,
    pty: Arc<Terminal>,
    /// Those who type take turns, a frame at a time.
    input: AsyncMutex<Sender>,
    tree: Tree,
    state: Mutex<State>,
    /// Counts what happens, for those who wait for it.
    moved: watch::Sender<u64>,
}

#[derive(Debug)]
struct State {
    kept: Kept,
    exit: Option<Exit>,
}

impl Held {
    /// Starts the program of `open` and looks after it from then on.
    pub(super) fn start(
        open: TerminalOpen,
        marker: Marker,
        children: &Children,
    ) -> Result<Arc<Self>, NotStarted> {
        let command = launch::command(&open.launch, &marker)?;
        let attached = Terminal::attach(command, open.size, children);
        let parts = attached.and_then(|(started, pty)| {
            let (input, output) = (pty.input()?, pty.output()?);
            Ok((started, pty, input, output))
        });
        let (started, pty, input, output) =
            parts.map_err(|error| NotStarted::from_io(&open.launch.program, &error))?;
        let held = Arc::new(Self {
            opened_ms: now_ms(),
            pid: started.pid,
            pty,
            input: AsyncMutex::new(input),
            tree: Tree::new(started.pid, marker, children.clone()),
            state: Mutex::new(State {
                kept: Kept::new(open.size),
                exit: None,
            }),
            moved: watch::Sender::new(0),
            opened: open,
        });
        tokio::spawn(held.clone().attend(started, output));
        Ok(held)
    }

    /// Takes what the program shows until it has ended, with all that it started.
    async fn attend(self: Arc<Self>, mut started: Started, mut output: Receiver) {
        let (mut taking, mut taken) = (std::pin::pin!(self.take(&mut output)), false);
        let status = loop {
            tokio::select! {
                biased;
                status = started.ended() => break status,
                () = &mut taking, if !taken => taken = true,
            }
        };
        // What the program left has lost its terminal; it is told so while its last words are taken.
        self.tree.signal(Signal::HUP);
        let left = self.tree.end(STRAY_GRACE).await;
        if !left.gone {
            crate::diary::write(format_args!(
                "terminal {}: some processes cannot be ended",
                self.opened.terminal
            ));
        }
        if !taken {
            let _ = timeout(DRAIN_TIME, taking).await;
        }
        let exit = Exit {
            strays: u32::try_from(left.strays).unwrap_or(u32::MAX),
            ..Exit::plain(status.into())
        };
        self.state().exit = Some(exit);
        self.move_on();
    }

    async fn take(&self, output: &mut Receiver) {
        let mut buffer = vec![0; limits::CHUNK_LEN];
        while let Ok(len @ 1..) = output.read(&mut buffer).await {
            self.state().kept.push(&buffer[..len]);
            self.move_on();
        }
    }

    /// What there is to say about it.
    pub(crate) fn info(&self) -> TerminalInfo {
        let state = self.state();
        TerminalInfo {
            terminal: self.opened.terminal.clone(),
            note: self.opened.note.clone(),
            program: self.opened.launch.program.clone(),
            pid: state.exit.is_none().then_some(self.pid),
            size: state.kept.size(),
            opened_ms: self.opened_ms,
            shown: state.kept.end(),
            exit: state.exit.clone(),
        }
    }

    /// How its program ended.
    pub(crate) fn exit(&self) -> Option<Exit> {
        self.state().exit.clone()
    }

    /// Where somebody begins who wants what follows `from`, and the size there.
    pub(crate) fn place(&self, from: Option<u64>) -> (Place, PtySize) {
        self.state().kept.place(from)
    }

    /// What comes at `place`, and how the program ended when nothing comes any more.
    pub(crate) fn next(&self, place: &mut Place) -> (Next, Option<Exit>) {
        let state = self.state();
        (state.kept.next(place), state.exit.clone())
    }

    /// Tells when something happens.
    pub(crate) fn moves(&self) -> watch::Receiver<u64> {
        self.moved.subscribe()
    }

    /// Types; waits while the program does not read.
    pub(crate) async fn type_in(&self, bytes: &[u8]) -> io::Result<()> {
        self.input.lock().await.write_all(bytes).await
    }

    /// Gives it another size, within bounds.
    pub(crate) fn resize(&self, size: PtySize) -> io::Result<()> {
        let size = bounded(size);
        let mut state = self.state();
        if state.kept.size() == size {
            return Ok(());
        }
        self.pty.resize(size)?;
        state.kept.resize(size);
        drop(state);
        self.move_on();
        Ok(())
    }

    /// Ends it with all its processes; says how it ended.
    pub(crate) async fn close(&self, grace: Duration) -> Option<Exit> {
        if self.exit().is_none() {
            // An interactive shell ignores SIGTERM; the loss of its terminal it heeds.
            self.tree.signal(Signal::HUP);
            self.tree.end(grace).await;
        }
        let mut moves = self.moves();
        let ended = async { while self.exit().is_none() && moves.changed().await.is_ok() {} };
        let _ = timeout(LAST_WORDS, ended).await;
        self.exit()
    }

    fn move_on(&self) {
        self.moved.send_modify(|count| *count += 1);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A size that programs can draw on.
pub(super) fn bounded(size: PtySize) -> PtySize {
    PtySize {
        rows: size.rows.clamp(1, limits::TERMINAL_SIDE),
        cols: size.cols.clamp(1, limits::TERMINAL_SIDE),
    }
}
