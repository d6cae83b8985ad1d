//! A run as it is followed: its log, its codec, and what is still to be said to it.
//!
//! Joining a run is always the same, whether it was spawned a moment ago or before Paddock was killed:
//! the log is read from its start through a fresh codec. While it catches up, what the codec wants to
//! say is held back, since the log shows what was said; what is left over then is said.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use paddock_boxes::LiveBox;
use paddock_domain::{Body, ErrorClass, InputId, RunExit, RunId, Source};
use paddock_harness::{Codec, Heard, Outgoing, Tallied};
use paddock_relay_client::protocol::{
    self, Body as Record, ClientId, Ending, Exit, LineKind, RelayId,
};
use paddock_relay_client::{LogEntry, LogStream, RelayError};
use tokio::sync::oneshot;

use super::files::Spoken;
use crate::brief;

/// How many records are taken at a time.
pub(super) const BATCH: usize = 256;
/// How many bytes of records are taken at a time, give or take one record.
pub(super) const BATCH_BYTES: usize = 4 << 20;
/// Most messages that may wait to be delivered before more are taken.
const OUTBOX: usize = 256;

/// A run whose log is followed, or read once more for its last words.
pub(crate) struct LiveRun {
    pub(crate) run_id: RunId,
    /// Where it lives; nothing when only its log is left.
    home: Option<Home>,
    /// Where the agent works, as it sees it.
    work_dir: String,
    codec: Tallied,
    /// Records that end within this many bytes are replay.
    replay_until: u64,
    /// Everything up to this offset is in the journal.
    journalled: Option<u64>,
    reached: u64,
    /// What the codec wanted to say during replay and the log has not shown as said.
    held: Vec<Outgoing>,
    delivered: BTreeSet<InputId>,
    outbox: VecDeque<Outgoing>,
    /// Who waits until an interrupt is delivered, or the turn over without it.
    promised: Vec<(InputId, oneshot::Sender<()>)>,
    /// Messages that waited when the run was joined, once they are in line.
    pub(super) awaited: Option<Vec<InputId>>,
    /// Whether the agent has said anything: until then nobody can tell a start from a failed one.
    pub(super) has_spoken: bool,
    exit: Option<Exit>,
    /// Messages of users that the log does not show as delivered, or shows as not taken.
    owed: BTreeSet<InputId>,
    /// What the next message begins with: a new session knows nothing.
    pub(super) brief: Option<String>,
}

/// A run's relay, and its log there.
struct Home {
    relay_run: protocol::RunId,
    owner: ClientId,
    place: Arc<LiveBox>,
    log: LogStream,
}

/// What a batch of records meant.
#[derive(Default)]
pub(crate) struct Batch {
    /// What was heard, with where.
    pub(crate) heard: Vec<(Option<Source>, Heard)>,
    /// How the run ended, when the batch has its end.
    pub(crate) over: Option<RunExit>,
    /// Whether the log ended, with an exit or without.
    pub(crate) closed: bool,
    /// How many of `heard` come before the record that shows the agent at work, where that is in the batch.
    pub(crate) at_work_from: Option<usize>,
}

/// Resolves with what a run said; never without a run.
pub(crate) async fn hear(run: &mut Option<LiveRun>) -> Result<Batch, RelayError> {
    match run {
        Some(run) => run.hear().await,
        None => std::future::pending().await,
    }
}

impl LiveRun {
    pub(crate) async fn join(
        place: Arc<LiveBox>,
        run_id: RunId,
        owner: ClientId,
        codec: Tallied,
        journalled: Option<u64>,
    ) -> Result<Self, RelayError> {
        let relay_run = relay_id(&run_id)?;
        let log = place.relay.log(&relay_run, 0, true).await?;
        let replay_until = log.opened().len;
        let work_dir = place.work_dir.clone();
        let home = Home {
            relay_run,
            owner,
            place,
            log,
        };
        let run = Self::over(run_id, work_dir, codec, journalled);
        Ok(Self {
            home: Some(home),
            replay_until,
            ..run
        })
    }

    /// A run that is over, of which only the log is left.
    pub(super) fn over(
        run_id: RunId,
        work_dir: String,
        mut codec: Tallied,
        journalled: Option<u64>,
    ) -> Self {
        Self {
            run_id,
            home: None,
            work_dir,
            held: codec.greet(),
            codec,
            replay_until: u64::MAX,
            journalled,
            reached: 0,
            delivered: BTreeSet::new(),
            outbox: VecDeque::new(),
            promised: Vec::new(),
            awaited: None,
            has_spoken: false,
            exit: None,
            owed: BTreeSet::new(),
            brief: None,
        }
    }

    /// Where the agent works, as it sees it.
    pub(super) fn work_dir(&self) -> &str {
        &self.work_dir
    }

    /// Each repository's path on the host, and its directory in the box; none when only the log is left.
    pub(super) fn repositories(&self) -> &[(String, String)] {
        self.home
            .as_ref()
            .map_or(&[], |home| home.place.repositories.as_slice())
    }

    /// The relay that began its log, where that says so.
    pub(super) fn begun_by(&self) -> Option<RelayId> {
        self.home.as_ref().and_then(|home| home.log.opened().relay)
    }

    pub(crate) fn is_replaying(&self) -> bool {
        self.reached < self.replay_until
    }

    pub(crate) fn codec(&mut self) -> &mut dyn Codec {
        &mut *self.codec
    }

    /// A user's message as the agent is to hear it.
    pub(crate) fn prompt(&mut self, id: &InputId, mut spoken: Spoken) -> Vec<Outgoing> {
        self.owed.insert(id.clone());
        if let Some(known) = self.brief.take() {
            spoken.text = brief::before(&known, &spoken.text);
        }
        self.codec.prompt_with(id, &spoken.as_input())
    }

    pub(crate) fn was_delivered(&self, id: &InputId) -> bool {
        self.delivered.contains(id)
    }

    /// Whether so many messages are in line that only answers are still taken.
    pub(crate) fn is_crowded(&self) -> bool {
        self.outbox.len() >= OUTBOX / 2
    }

    /// Puts messages in line; says no when the line is too long.
    pub(crate) fn say(&mut self, messages: Vec<Outgoing>) -> bool {
        if self.outbox.len() + messages.len() > OUTBOX {
            return false;
        }
        self.outbox.extend(messages);
        true
    }

    /// Puts in line what was acknowledged before, however much that is: the journal has it, so the agent gets it.
    pub(super) fn say_all(&mut self, messages: Vec<Outgoing>) {
        self.outbox.extend(messages);
    }

    /// Resolves when the relay has the interrupt `id` for good or no turn is left to end; with an error where the
    /// run is let go of before.
    pub(super) fn interrupted_by(&mut self, id: InputId) -> oneshot::Receiver<()> {
        let (told, delivered) = oneshot::channel();
        self.promised.retain(|(_, told)| !told.is_closed());
        self.promised.push((id, told));
        delivered
    }

    /// What was to end the turn need not any more.
    pub(super) fn turn_ended(&mut self) {
        for (_, told) in self.promised.drain(..) {
            // Who waited for it may have gone away.
            let _ = told.send(());
        }
    }

    /// What the codec wanted to say while it caught up goes out now, less what the log shows as said.
    pub(crate) fn release(&mut self) {
        let held = std::mem::take(&mut self.held);
        let delivered = &self.delivered;
        self.outbox.extend(
            held.into_iter()
                .filter(|message| !delivered.contains(&message.id)),
        );
    }

    /// What the protocol says before the end, as text for the agent's stdin.
    pub(crate) fn farewell(&self) -> Option<String> {
        let words: Vec<u8> = self
            .codec
            .stop()
            .into_iter()
            .flat_map(|message| message.bytes)
            .collect();
        String::from_utf8(words)
            .ok()
            .filter(|text| !text.is_empty())
    }

    pub(crate) fn stderr_tail(&self) -> String {
        self.exit
            .as_ref()
            .map(|exit| exit.stderr.join("\n"))
            .unwrap_or_default()
    }

    /// Why the program could not be started, where that is how it ended.
    pub(crate) fn explanation(&self) -> Option<Body> {
        let Some(Exit {
            ending: Ending::NotStarted { message, .. },
            ..
        }) = &self.exit
        else {
            return None;
        };
        Some(super::error(
            ErrorClass::Setup,
            format!("The agent could not be started: {message}"),
        ))
    }

    async fn hear(&mut self) -> Result<Batch, RelayError> {
        // After the exit nothing comes; the end of the stream is not the loss of a run that is over.
        let Some(home) = self.home.as_mut().filter(|_| self.exit.is_none()) else {
            return std::future::pending().await;
        };
        let Some(first) = home.log.next().await? else {
            return Ok(Batch {
                closed: true,
                ..Batch::default()
            });
        };
        let mut taken = first.line.len();
        let mut entries = vec![first];
        while entries.len() < BATCH && taken < BATCH_BYTES {
            match home.log.next().now_or_never() {
                Some(Ok(Some(entry))) => {
                    taken += entry.line.len();
                    entries.push(entry);
                }
                // What ended or broke does so again at the next call.
                Some(Ok(None) | Err(_)) | None => break,
            }
        }
        Ok(self.take_all(&entries))
    }

    /// What these records mean, which come next in the log.
    pub(super) fn take_all(&mut self, entries: &[LogEntry]) -> Batch {
        let mut batch = Batch::default();
        for entry in entries {
            self.take(entry, &mut batch);
        }
        batch
    }

    fn take(&mut self, entry: &LogEntry, batch: &mut Batch) {
        let before = batch.heard.len();
        self.take_record(entry, batch);
        if batch.at_work_from.is_none() && self.was_heard() {
            batch.at_work_from = Some(before);
        }
    }

    fn take_record(&mut self, entry: &LogEntry, batch: &mut Batch) {
        let replayed = entry.end <= self.replay_until;
        self.reached = entry.end;
        let record = match entry.record() {
            Ok(record) => record,
            Err(error) => {
                let message = format!("The run's log has a line that is no record: {error}");
                let body = super::error(ErrorClass::Internal, message);
                batch
                    .heard
                    .push((self.source(entry.offset, 0), Heard::Event(body)));
                return;
            }
        };
        match record.body {
            Record::Line {
                kind: LineKind::Out,
                line,
            } => {
                self.take_line(entry.offset, line.content.as_bytes(), replayed, batch);
            }
            Record::In { id, content, .. } => self.take_said(id.as_str(), content.as_bytes()),
            Record::Exit(exit) => {
                batch.over = Some(exit_of(&exit));
                self.exit = Some(exit);
            }
            Record::Undelivered { id, why } => {
                self.not_taken(id.as_str());
                let message = format!("Message {} did not reach the agent: {why}", id.as_str());
                let body = super::error(ErrorClass::Agent, message);
                batch
                    .heard
                    .push((self.source(entry.offset, 0), Heard::Event(body)));
            }
            Record::Start { .. }
            | Record::Line {
                kind: LineKind::Err | LineKind::Pty,
                ..
            }
            | Record::Torn { .. }
            | Record::Other { .. } => {}
        }
    }

    fn take_line(&mut self, offset: u64, line: &[u8], replayed: bool, batch: &mut Batch) {
        self.has_spoken = true;
        let mut heard = Vec::new();
        self.codec.hear(line, &mut heard);
        let known = self
            .journalled
            .is_some_and(|journalled| offset <= journalled);
        let mut index = 0;
        for heard in heard {
            match heard {
                Heard::Send(message) if replayed => self.held.push(message),
                Heard::Send(message) => self.outbox.push_back(message),
                Heard::Delta(_) if replayed => {}
                Heard::TurnBegan if known => {}
                Heard::Delta(_) | Heard::TurnBegan => batch.heard.push((None, heard)),
                Heard::Event(mut body) => {
                    self.localise(&mut body);
                    self.offer(&mut body);
                    batch
                        .heard
                        .push((self.source(offset, index), Heard::Event(body)));
                    index += 1;
                }
            }
        }
    }

    /// Paths are told as the repository knows them, wherever the box happens to stand.
    fn localise(&self, body: &mut Body) {
        if let Body::ToolCallStarted(call) = body
            && let Some(path) = &mut call.path
            && let Some(inside) = path.strip_prefix(self.work_dir.as_str())
            && let Some(inside) = inside.strip_prefix('/')
        {
            *path = inside.to_owned();
        }
    }

    fn take_said(&mut self, id: &str, bytes: &[u8]) {
        let Ok(id) = InputId::parse(id) else { return };
        self.owed.remove(&id);
        if self.delivered.insert(id.clone()) {
            self.codec.said(&id, bytes);
        }
    }

    /// A message that was delivered and that the agent did not take counts as not delivered.
    fn not_taken(&mut self, id: &str) {
        if let Ok(id) = InputId::parse(id) {
            self.delivered.remove(&id);
            self.owed.insert(id);
        }
    }

    /// A message is in line for the agent.
    pub(super) fn owes(&mut self, id: &InputId) {
        self.owed.insert(id.clone());
    }

    /// Ids of all that the log shows as delivered.
    pub(super) fn delivered_all(&self) -> BTreeSet<InputId> {
        self.delivered.clone()
    }

    /// Whether there may be messages that the agent never got.
    pub(crate) fn may_owe(&self) -> bool {
        self.awaited.is_none() || !self.owed.is_empty()
    }

    fn source(&self, offset: u64, index: u32) -> Option<Source> {
        Some(Source {
            run_id: self.run_id.clone(),
            offset,
            index,
        })
    }

    /// The delivery of the first message in line, to be driven by who owns the run. Repeating it is
    /// harmless: the relay takes each id once.
    pub(crate) fn delivery(&self) -> Option<BoxFuture<'static, Result<(), RelayError>>> {
        if self.is_replaying() {
            return None;
        }
        let home = self.home.as_ref()?;
        let message = self.outbox.front()?;
        let id = protocol::InputId::parse(message.id.as_str()).ok()?;
        let input = protocol::Input {
            run: home.relay_run.clone(),
            id,
            owner: home.owner.clone(),
        };
        let (place, bytes) = (home.place.clone(), Bytes::from(message.bytes.clone()));
        Some(async move { place.relay.input(&input, bytes).await.map(drop) }.boxed())
    }

    /// What is in line for the agent.
    #[cfg(test)]
    pub(super) fn in_line(&self) -> impl Iterator<Item = &Outgoing> {
        self.outbox.iter()
    }

    /// The first message in line is dealt with.
    pub(crate) fn delivered(&mut self) {
        let Some(message) = self.outbox.pop_front() else {
            return;
        };
        let promised = self.promised.extract_if(.., |(id, _)| *id == message.id);
        for (_, told) in promised {
            // Who waited for it may have gone away.
            let _ = told.send(());
        }
    }
}

pub(crate) fn relay_id(run_id: &RunId) -> Result<protocol::RunId, RelayError> {
    protocol::RunId::parse(run_id.as_str()).map_err(|error| RelayError::Protocol {
        what: error.to_string(),
    })
}

fn exit_of(exit: &Exit) -> RunExit {
    match &exit.ending {
        // Who was told to stop has stopped, by whatever signal it took.
        Ending::Exited { .. } | Ending::Signalled { .. } if exit.stopped => {
            RunExit::Code { code: 0 }
        }
        Ending::Exited { code } => RunExit::Code { code: *code },
        Ending::Signalled { signal } => RunExit::Signal { signal: *signal },
        Ending::NotStarted { .. } => RunExit::NotStarted,
        Ending::Lost => RunExit::Lost,
    }
}

#[cfg(test)]
mod tests;
