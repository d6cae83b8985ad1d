//! The life of a run: start, watch, stop, exit record.
//!
//! Invariant: [`watch`] writes the exit record exactly once, after the last line of output, and after
//! every process of the run is gone; a stop only hastens that.

use std::io;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use paddock_relay_protocol::{Exit, LineKind, PtySize, Spawn, Stdio as RunStdio, Stop, encode};
use rustix::process::Signal;
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;

use super::input::StdinQueue;
use super::lines::{Tail, ingest, ingest_terminal};
use super::terminal::Terminal;
use super::{Live, Run};
use crate::launch::{self, Marker, NotStarted};
use crate::process::capture::{Piped, start_piped};
use crate::process::children::Started;
use crate::process::{Children, Tree};
use crate::time::now_ms;

/// How long what an agent leaves behind has to end after SIGTERM, when nobody gave a grace.
const STRAY_GRACE: Duration = Duration::from_secs(2);

/// How long what an agent leaves behind has to end by itself.
const SETTLE_TIME: Duration = Duration::from_millis(100);

/// How long output may stand still, once all processes are gone, before its pipe is given up: somebody
/// outside the run holds it.
const DRAIN_TIME: Duration = Duration::from_secs(3);

/// How long an interrupt has to act before stdin is closed, at most.
const INTERRUPT_TIME: Duration = Duration::from_secs(1);

/// How long an exit record may take when all processes are gone.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// How long it may take to tell which messages the agent did not take.
const UNFED_TIME: Duration = Duration::from_secs(2);

/// Pipes as large as an unprivileged process may make them.
const PIPE_LEN: usize = 1024 * 1024;

/// Starts the agent of `run` and watches it from then on. A program that cannot be executed ends the
/// run at once.
pub(crate) async fn start(run: Arc<Run>, spawn: &Spawn, children: &Children) {
    let marker = Marker::run(&run.id, run.log.path());
    let tail = Arc::new(Tail::default());
    match execute(spawn, &marker, children) {
        Err(why) => {
            run.log.append_patiently(&run.first_record(None)).await;
            end(&run, Exit::plain(why.into())).await;
        }
        Ok(Executed { started, streams }) => {
            let first = run.first_record(Some(started.pid));
            run.log.append_patiently(&first).await;
            let tree = Tree::new(started.pid, marker, children.clone());
            let pipes = connect(&run, streams, started.pid, &tree, &tail);
            tokio::spawn(watch(run, started, tree, pipes, tail));
        }
    }
}

struct Executed {
    started: Started,
    streams: Streams,
}

enum Streams {
    Pipes(ChildStdin, ChildStdout, ChildStderr),
    Terminal(Arc<Terminal>, Sender, Receiver),
}

fn execute(spawn: &Spawn, marker: &Marker, children: &Children) -> Result<Executed, NotStarted> {
    let command = launch::command(&spawn.launch, marker)?;
    let executed = match spawn.stdio {
        RunStdio::Pipes => start_piped(command, children).map(|piped| {
            // A smaller pipe only costs speed.
            let _ = rustix::pipe::fcntl_setpipe_size(&piped.stdout, PIPE_LEN);
            let Piped {
                started,
                stdin,
                stdout,
                stderr,
            } = piped;
            Executed {
                started,
                streams: Streams::Pipes(stdin, stdout, stderr),
            }
        }),
        RunStdio::Pty(size) => with_terminal(command, size, children),
    };
    executed.map_err(|error| NotStarted::from_io(&spawn.launch.program, &error))
}

fn with_terminal(command: Command, size: PtySize, children: &Children) -> io::Result<Executed> {
    let (started, terminal) = Terminal::attach(command, size, children)?;
    let (input, output) = (terminal.input()?, terminal.output()?);
    Ok(Executed {
        started,
        streams: Streams::Terminal(terminal, input, output),
    })
}

/// What reads the agent's output and what writes its input.
struct Pipes {
    output: JoinSet<()>,
    fed: JoinHandle<()>,
}

/// Ties the streams to the log and to the queue of messages.
fn connect(run: &Arc<Run>, streams: Streams, pid: u32, tree: &Tree, tail: &Arc<Tail>) -> Pipes {
    let mut pipes = JoinSet::new();
    let (stdin, feed) = StdinQueue::new();
    let log = &run.log;
    let (terminal, fed) = match streams {
        Streams::Pipes(input, out, err) => {
            let fed = tokio::spawn(run.clone().feed(input, feed));
            pipes.spawn(ingest(out, LineKind::Out, log.clone(), None));
            pipes.spawn(ingest(err, LineKind::Err, log.clone(), Some(tail.clone())));
            (None, fed)
        }
        Streams::Terminal(terminal, input, output) => {
            let fed = tokio::spawn(run.clone().feed(input, feed));
            pipes.spawn(ingest_terminal(output, log.clone()));
            (Some(terminal), fed)
        }
    };
    run.state().live = Some(Live {
        pid,
        tree: tree.clone(),
        stdin,
        terminal,
    });
    Pipes { output: pipes, fed }
}

/// Watches over the agent until all of it is gone, then writes the exit record.
async fn watch(run: Arc<Run>, mut started: Started, tree: Tree, mut pipes: Pipes, tail: Arc<Tail>) {
    let status = started.ended().await;
    let strays = if tree.gone_within(SETTLE_TIME).await {
        0
    } else {
        end_strays(&run, &tree).await
    };
    drain(&run, &mut pipes.output).await;
    if let Some(live) = run.live() {
        live.stdin.close();
    }
    // Nothing comes behind the exit record: whose message was not taken is told before it.
    let _ = timeout(UNFED_TIME, pipes.fed).await;
    let exit = Exit {
        ending: status.into(),
        stopped: run.state().stopping,
        strays,
        stderr: tail.take(),
    };
    end(&run, exit).await;
}

async fn end_strays(run: &Run, tree: &Tree) -> u32 {
    let ended = tree.end(STRAY_GRACE).await;
    if !ended.gone {
        crate::diary::write(format_args!(
            "run {}: some processes cannot be ended",
            run.id
        ));
    }
    u32::try_from(ended.strays).unwrap_or(u32::MAX)
}

/// Waits for the last output, for as long as some comes or the disk holds it up.
async fn drain(run: &Run, pipes: &mut JoinSet<()>) {
    let mut seen = run.log.extent().borrow().len;
    loop {
        let all = async { while pipes.join_next().await.is_some() {} };
        if timeout(DRAIN_TIME, all).await.is_ok() {
            return;
        }
        let now = run.log.extent().borrow().len;
        if now == seen && run.log.trouble().is_none() {
            return pipes.shutdown().await;
        }
        seen = now;
    }
}

/// Writes the exit record.
async fn end(run: &Arc<Run>, exit: Exit) {
    let mut record = Vec::new();
    if let Err(error) = encode::exit(&mut record, now_ms(), &exit) {
        crate::diary::write(format_args!("run {}: no exit record: {error}", run.id));
    }
    finish(run.clone(), record, exit).await;
}

/// Writes the last records, makes the log durable, and says that the run is over.
pub(crate) async fn finish(run: Arc<Run>, records: Vec<u8>, exit: Exit) {
    run.log.append_patiently(&records).await;
    while let Err(error) = run.log.sync().await {
        run.log.note_trouble(&error).await;
    }
    {
        let mut state = run.state();
        state.live = None;
        state.exit = Some(exit);
    }
    run.log.end();
}

impl Run {
    fn first_record(&self, pid: Option<u32>) -> Vec<u8> {
        let mut record = Vec::new();
        encode::start(&mut record, now_ms(), &self.program, pid, self.begun_by);
        record
    }

    /// Ends the run: interrupt, stdin closed and SIGINT, after the grace SIGTERM, after another SIGKILL.
    /// Gives the exit, whoever brought it about.
    pub(crate) async fn stop(&self, stop: &Stop) -> Option<Exit> {
        let grace = Duration::from_millis(stop.grace_ms);
        if let Some(live) = self.live() {
            self.state().stopping = true;
            if let Some(text) = &stop.interrupt {
                let time = INTERRUPT_TIME.min(grace);
                self.interrupt(text, time).await;
                self.ended_within(time).await;
            }
            live.stdin.close();
            live.tree.signal(Signal::INT);
            if !self.ended_within(grace).await {
                if live.terminal.is_some() {
                    // An interactive shell ignores SIGTERM; the loss of its terminal it heeds.
                    live.tree.signal(Signal::HUP);
                }
                live.tree.signal(Signal::TERM);
                if !self.ended_within(grace).await {
                    live.tree.kill().await;
                }
            }
        }
        self.ended_within(LAST_WORDS).await;
        self.exit()
    }

    /// Waits for the exit record.
    pub(crate) async fn ended_within(&self, time: Duration) -> bool {
        let mut extent = self.log.extent();
        timeout(time, extent.wait_for(|extent| extent.ended))
            .await
            .is_ok()
    }
}
