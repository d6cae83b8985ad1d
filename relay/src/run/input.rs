//! Messages to an agent: each durable before it is acknowledged, each delivered once.
//!
//! A message is judged, written to the log and put into the queue of the agent's stdin, in this order,
//! one message at a time and without a pause: whoever asked may go away at any wait, and what the log
//! shows must be on its way. Then it is made durable and acknowledged. Which side of a crash is safe:
//! between log and delivery. The relay owns the agent's stdin, so when the relay dies the agent's life
//! is over too; a message in the log that was not delivered is a message to a run that was lost, which
//! its exit record says. The other order could deliver a message twice, and nobody would know.

use std::sync::Arc;
use std::time::Duration;

use paddock_relay_protocol::{Delivered, Input, InputId, Refusal, RefusalCode, encode, limits};
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::Run;
use super::inbox::Inbox;
use crate::time::now_ms;

/// Most messages that wait for an agent that does not read.
const QUEUED: usize = 64;

/// Most bytes of them.
const QUEUED_LEN: usize = 2 * limits::INPUT_LEN;

/// How long an acknowledgement waits for the agent to read, before it says `queued`.
const DELIVERY_TIME: Duration = Duration::from_secs(2);

/// The messages that a run has taken.
#[derive(Debug)]
pub(crate) struct Intake {
    /// Not yet read back from the log of an earlier relay's run when absent.
    inbox: Option<Inbox>,
}

impl Intake {
    pub(crate) fn fresh() -> Self {
        Self {
            inbox: Some(Inbox::default()),
        }
    }

    pub(crate) fn to_be_loaded() -> Self {
        Self { inbox: None }
    }
}

/// A message on its way to the agent's stdin.
#[derive(Debug)]
struct Message {
    /// Absent for what the relay itself says, as an interrupt.
    id: Option<InputId>,
    bytes: Vec<u8>,
    done: oneshot::Sender<Result<(), String>>,
    _room: OwnedSemaphorePermit,
}

/// The queue in front of the agent's stdin. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct StdinQueue {
    messages: mpsc::Sender<Message>,
    room: Arc<Semaphore>,
    close: CancellationToken,
}

/// The other end of the queue.
#[derive(Debug)]
pub(crate) struct StdinFeed {
    messages: mpsc::Receiver<Message>,
    close: CancellationToken,
}

impl StdinQueue {
    /// A queue and its other end.
    pub(crate) fn new() -> (Self, StdinFeed) {
        let (give, get) = mpsc::channel(QUEUED);
        let close = CancellationToken::new();
        let room = Arc::new(Semaphore::new(QUEUED_LEN));
        let queue = Self {
            messages: give,
            room,
            close: close.clone(),
        };
        (
            queue,
            StdinFeed {
                messages: get,
                close,
            },
        )
    }

    /// Closes the agent's stdin, also while a message is being written.
    pub(crate) fn close(&self) {
        self.close.cancel();
    }

    fn reserve(&self, len: usize) -> Result<Place, Refusal> {
        let busy = |_| {
            let message =
                "the agent does not read, and too many messages wait already; try again later";
            Refusal::new(RefusalCode::Busy, message)
        };
        if self.close.is_cancelled() || self.messages.is_closed() {
            return Err(Refusal::new(
                RefusalCode::StdinClosed,
                "the agent has closed its stdin",
            ));
        }
        let len = u32::try_from(len).unwrap_or(u32::MAX);
        let room = self
            .room
            .clone()
            .try_acquire_many_owned(len)
            .map_err(|e| busy(e.to_string()))?;
        let slot = self
            .messages
            .clone()
            .try_reserve_owned()
            .map_err(|e| busy(e.to_string()))?;
        Ok(Place { slot, room })
    }
}

/// A place in the queue.
struct Place {
    slot: mpsc::OwnedPermit<Message>,
    room: OwnedSemaphorePermit,
}

impl Place {
    fn send(self, id: Option<InputId>, bytes: Vec<u8>) -> oneshot::Receiver<Result<(), String>> {
        let (done, outcome) = oneshot::channel();
        self.slot.send(Message {
            id,
            bytes,
            done,
            _room: self.room,
        });
        outcome
    }
}

impl Run {
    /// Takes a message.
    pub(crate) async fn input(
        &self,
        input: &Input,
        message: Vec<u8>,
    ) -> Result<Delivered, Refusal> {
        let outcome = {
            let mut intake = self.intake.lock().await;
            let inbox = self.load(&mut intake)?;
            if inbox.has(&input.id) {
                return Ok(Delivered::Repeat);
            }
            let live = self.live_or_refusal()?;
            self.admit(&input.owner)?;
            let place = live.stdin.reserve(message.len())?;
            // No wait from here to the queue.
            self.record(&input.id, input.owner.as_str(), &message)?;
            inbox.remember(input.id.clone());
            let outcome = place.send(Some(input.id.clone()), message);
            self.keep().await;
            outcome
        };
        match timeout(DELIVERY_TIME, outcome).await {
            Err(_) => Ok(Delivered::Queued),
            Ok(Ok(Ok(()))) => Ok(Delivered::Written),
            Ok(Ok(Err(why))) => Err(Refusal::new(RefusalCode::StdinClosed, why)),
            Ok(Err(_)) => {
                let why = "the agent ended before it took the message";
                Err(Refusal::new(RefusalCode::StdinClosed, why))
            }
        }
    }

    /// Writes `text` to the agent's stdin, as a word of the relay's own, and waits a while for it.
    pub(crate) async fn interrupt(&self, text: &str, time: Duration) {
        let Some(live) = self.live() else { return };
        let (Ok(place), Ok(id)) = (
            live.stdin.reserve(text.len()),
            InputId::parse("relay:interrupt"),
        ) else {
            return;
        };
        if self.record(&id, "relay", text.as_bytes()).is_ok() {
            let _ = timeout(time, place.send(None, text.as_bytes().to_vec())).await;
        }
    }

    fn record(&self, id: &InputId, by: &str, message: &[u8]) -> Result<(), Refusal> {
        let mut record = Vec::with_capacity(message.len() + 256);
        encode::input(&mut record, now_ms(), id, by, message);
        self.log.append(&record).map_err(|error| {
            let message =
                format!("the message could not be kept in the log, and was not delivered: {error}");
            Refusal::new(RefusalCode::Io, message)
        })
    }

    /// Makes the log durable. That it fails matters only where the machine goes down too, and the agent
    /// with it: the message is delivered, and is not refused any more.
    async fn keep(&self) {
        if let Err(error) = self.log.sync().await {
            let run = &self.id;
            crate::diary::write(format_args!(
                "run {run}: a message is not durable yet: {error}"
            ));
        }
    }

    fn load<'a>(&self, intake: &'a mut Intake) -> Result<&'a mut Inbox, Refusal> {
        match &mut intake.inbox {
            Some(inbox) => Ok(inbox),
            empty @ None => {
                let loaded = tokio::task::block_in_place(|| Inbox::load(self.log.path()));
                let inbox = loaded.map_err(|error| {
                    Refusal::new(
                        RefusalCode::Io,
                        format!("the log could not be read: {error}"),
                    )
                })?;
                Ok(empty.insert(inbox))
            }
        }
    }

    /// Writes the messages of `feed` to `stdin` until it is closed, by either side.
    pub(crate) async fn feed(self: Arc<Self>, stdin: impl AsyncWrite + Unpin, mut feed: StdinFeed) {
        if let Some((message, why)) = write_all(stdin, &mut feed).await {
            self.undelivered(message, &why).await;
        }
        feed.messages.close();
        while let Some(message) = feed.messages.recv().await {
            self.undelivered(message, "the agent's stdin was closed before")
                .await;
        }
    }

    async fn undelivered(&self, message: Message, why: &str) {
        if let Some(id) = &message.id {
            let mut record = Vec::new();
            encode::undelivered(&mut record, now_ms(), id, why);
            let mut intake = self.intake.lock().await;
            // The exit record is on its way: a full disk must not hold it up here.
            let _ = self.log.append(&record);
            if let Some(inbox) = &mut intake.inbox {
                inbox.forget(id);
            }
        }
        let _ = message.done.send(Err(why.to_owned()));
    }
}

/// Writes messages in order; gives the one that the agent did not take.
async fn write_all(
    mut stdin: impl AsyncWrite + Unpin,
    feed: &mut StdinFeed,
) -> Option<(Message, String)> {
    loop {
        let message = tokio::select! {
            () = feed.close.cancelled() => return None,
            message = feed.messages.recv() => message?,
        };
        let written = async {
            stdin.write_all(&message.bytes).await?;
            stdin.flush().await
        };
        let written = tokio::select! {
            () = feed.close.cancelled() => Err("the run is being stopped".to_owned()),
            written = written => written.map_err(|e| format!("the agent's stdin is closed: {e}")),
        };
        match written {
            Ok(()) => drop(message.done.send(Ok(()))),
            Err(why) => return Some((message, why)),
        }
    }
}
