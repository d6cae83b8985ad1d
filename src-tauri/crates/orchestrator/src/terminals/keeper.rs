//! The keeper of one terminal: follows it in the box, holds its screen, shows it to all who look.
//!
//! Invariant: there is one stream to the relay however many look on, and nobody who looks holds it up. A
//! connection that is lost is made again and the stream resumed at its byte; where that byte is not kept any
//! more, the screen begins anew from what is.
//!
//! Start at [`Keeper::keep`].

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use paddock_boxes::{BoxError, LiveBox};
use paddock_domain::{TaskId, Terminal, TerminalName};
use paddock_relay_client::protocol::{RefusalCode, TerminalAttach, TerminalAttached};
use paddock_relay_client::{RelayError, TerminalReader, TerminalShown, TerminalWriter};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout};

use super::screen::Screen;
use super::viewer::{AHEAD, Room, Shown, TYPED_AHEAD, Typed, Viewer, Viewing};
use super::{exit_of, from_relay, refused, relay_id, shown, to_relay};
use crate::CommandError;
use crate::processes::live_box;
use crate::rooms::Rooms;

/// First and longest pause before a box that was lost is tried again.
const PAUSE: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(2));

/// For how long a box that was lost is tried again.
const LOST_AFTER: Duration = Duration::from_secs(60);

/// Most who look at one terminal.
const VIEWERS: usize = 32;

/// How long a terminal that nobody looks at keeps its screen here.
const UNSEEN: Duration = Duration::from_secs(10 * 60);

/// How long the last word to a viewer may take.
const LAST_WORD: Duration = Duration::from_secs(30);

/// Somebody wants to look.
#[derive(Debug)]
pub(super) struct Look {
    pub(super) reply: oneshot::Sender<Result<Viewing, CommandError>>,
}

impl Look {
    /// Refuses; a door that has gone away is no matter.
    pub(super) fn refuse(self, why: CommandError) {
        let _ = self.reply.send(Err(why));
    }
}

/// See the head of this file.
pub(super) struct Keeper {
    at: At,
    viewers: Vec<(u64, Viewer)>,
    /// Numbers viewers.
    next: u64,
    /// Viewers that were behind, when they have room.
    rooms_made: FuturesUnordered<BoxFuture<'static, (u64, Room)>>,
    typed: mpsc::Sender<Typed>,
}

/// Where the terminal is.
struct At {
    rooms: Arc<Rooms>,
    task: TaskId,
    name: TerminalName,
}

/// The terminal as it is followed.
struct Followed {
    terminal: Terminal,
    screen: Screen,
    /// How many bytes it has shown in all.
    offset: u64,
    /// Whether the screen begins anew, and those who look are to be given it.
    renewed: bool,
}

/// Why following ended.
enum End {
    /// The connection is lost.
    Again(RelayError),
    /// There is nothing to follow any more.
    Over(Shown),
    /// Nobody looks.
    Unseen,
}

type Stream = (TerminalReader, TerminalWriter);

impl Keeper {
    pub(super) fn new(rooms: Arc<Rooms>, task: TaskId, name: TerminalName) -> Self {
        let (typed, _) = mpsc::channel(1);
        Self {
            at: At { rooms, task, name },
            viewers: Vec::new(),
            next: 0,
            rooms_made: FuturesUnordered::new(),
            typed,
        }
    }

    /// Serves those who look until the terminal is over or nobody has looked for long.
    pub(super) async fn keep(mut self, mut looks: mpsc::Receiver<Look>) {
        let (live, mut followed, mut stream) = match self.at.begin().await {
            Ok(begun) => begun,
            Err(error) => return refuse_all(&mut looks, &error),
        };
        let (typed, mut typing) = mpsc::channel(TYPED_AHEAD);
        self.typed = typed;
        let mut live = live;
        let last = loop {
            match self
                .follow(&mut followed, stream, &mut looks, &mut typing)
                .await
            {
                End::Over(last) => break last,
                End::Unseen => return,
                End::Again(error) => {
                    tracing::debug!(task.id = %self.at.task, terminal = %self.at.name, %error, "a terminal is attached to again");
                    match self.again(&mut live, &mut followed).await {
                        Ok(resumed) => stream = resumed,
                        Err(why) => break Shown::Lost(why.to_string()),
                    }
                }
            }
        };
        self.end(&mut followed, looks, last).await;
    }

    /// Attaches again, for as long as there is hope.
    async fn again(
        &mut self,
        live: &mut LiveBox,
        followed: &mut Followed,
    ) -> Result<Stream, CommandError> {
        let (begun, mut pause, mut told) = (Instant::now(), PAUSE.0, false);
        loop {
            let attached = match live.relay.ping().await {
                Ok(()) => self.at.attach(live, Some(followed.offset)).await,
                Err(error) => Err(error),
            };
            let error = match attached {
                Ok((attached, stream)) => {
                    if attached.from != followed.offset {
                        followed.screen = Screen::new(from_relay(attached.size));
                        followed.offset = attached.from;
                    }
                    return Ok(stream);
                }
                Err(RelayError::Refused(refusal))
                    if refusal.code == RefusalCode::NoSuchTerminal =>
                {
                    return Err(refused(RelayError::Refused(refusal)));
                }
                Err(error) => refused(error),
            };
            if begun.elapsed() > LOST_AFTER {
                return Err(error);
            }
            if !told {
                self.show(&Shown::Reconnecting);
                told = true;
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(PAUSE.1);
            match self.at.reach().await {
                Ok(found) => *live = found,
                // A relay that is started there has other terminals.
                Err(error) if error.has_ended() => {
                    return Err(CommandError::conflict(
                        "the terminal ended with the task's box",
                    ));
                }
                // It is asked again with the old one.
                Err(_) => {}
            }
        }
    }

    /// Follows the terminal while its stream lasts.
    async fn follow(
        &mut self,
        followed: &mut Followed,
        (mut reader, mut writer): Stream,
        looks: &mut mpsc::Receiver<Look>,
        typing: &mut mpsc::Receiver<Typed>,
    ) -> End {
        // Those who saw "reconnecting" see that it is over.
        self.show_screen(followed);
        let typing = std::pin::pin!(type_all(&mut writer, typing));
        let mut typing = typing.fuse();
        let mut unseen = Instant::now() + UNSEEN;
        loop {
            if !self.viewers.is_empty() {
                unseen = Instant::now() + UNSEEN;
            }
            let heard = tokio::select! {
                biased;
                look = looks.recv() => match look {
                    Some(look) => {
                        self.admit(look, followed);
                        continue;
                    }
                    None => return End::Unseen,
                },
                Some((viewer, room)) = self.rooms_made.next() => {
                    self.catch_up(viewer, room, followed);
                    continue;
                }
                error = &mut typing => return End::Again(error),
                () = tokio::time::sleep_until(unseen) => return End::Unseen,
                heard = reader.next() => heard,
            };
            match heard {
                Ok(TerminalShown::Bytes(bytes)) => {
                    followed.screen.take(&bytes);
                    followed.offset += bytes.len() as u64;
                    if std::mem::take(&mut followed.renewed) {
                        self.show_screen(followed);
                    } else {
                        self.show(&Shown::Bytes(bytes));
                    }
                }
                Ok(TerminalShown::Skipped(skipped)) => {
                    followed.screen = Screen::new(from_relay(skipped.size));
                    followed.offset = skipped.from;
                    followed.renewed = true;
                }
                Ok(TerminalShown::Resized(size)) => {
                    let size = from_relay(size);
                    followed.screen.resize(size);
                    followed.terminal.size = size;
                    self.show(&Shown::Resized(size));
                }
                Ok(TerminalShown::Ended(exit)) => {
                    let exit = exit_of(&exit);
                    followed.terminal.exit = Some(exit);
                    return End::Over(Shown::Ended(exit));
                }
                Err(error) => return End::Again(error),
            }
        }
    }

    /// Lets somebody look: the screen at once.
    fn admit(&mut self, look: Look, followed: &mut Followed) {
        self.viewers.retain(|(_, viewer)| !viewer.is_gone());
        if self.viewers.len() >= VIEWERS {
            return look.refuse(CommandError::Overloaded {
                what: "the terminal",
            });
        }
        let (to, shown) = mpsc::channel(AHEAD);
        let viewing = Viewing {
            terminal: followed.terminal.clone(),
            shown,
            typed: self.typed.clone(),
        };
        if look.reply.send(Ok(viewing)).is_err() {
            return;
        }
        let mut viewer = Viewer::new(to);
        // There is room: nothing was shown yet.
        let _ = viewer.show(screen_of(followed));
        self.next += 1;
        self.viewers.push((self.next, viewer));
    }

    fn show(&mut self, what: &Shown) {
        let made = &self.rooms_made;
        self.viewers.retain_mut(|(number, viewer)| {
            let (looks, room) = viewer.show(what.clone());
            if let Some(room) = room {
                let number = *number;
                made.push(room.map(move |room| (number, room)).boxed());
            }
            looks
        });
    }

    fn show_screen(&mut self, followed: &mut Followed) {
        if !self.viewers.is_empty() {
            let screen = screen_of(followed);
            self.show(&screen);
        }
    }

    fn catch_up(&mut self, number: u64, room: Room, followed: &mut Followed) {
        let Ok(room) = room else {
            return self.viewers.retain(|(other, _)| *other != number);
        };
        if let Some((_, viewer)) = self.viewers.iter_mut().find(|(other, _)| *other == number) {
            viewer.catch_up(room, screen_of(followed));
        }
    }

    /// Tells all who look, and who come meanwhile, how it ended.
    async fn end(mut self, followed: &mut Followed, mut looks: mpsc::Receiver<Look>, last: Shown) {
        looks.close();
        while let Ok(look) = looks.try_recv() {
            self.admit(look, followed);
        }
        let telling = self.viewers.into_iter().map(|(_, viewer)| {
            let screen = viewer.is_behind().then(|| screen_of(followed));
            viewer.end(screen, last.clone())
        });
        let telling = futures_util::future::join_all(telling.collect::<Vec<_>>());
        // Who has not taken it by then sees its end without a word.
        let _ = timeout(LAST_WORD, telling).await;
    }
}

impl At {
    async fn begin(&self) -> Result<(LiveBox, Followed, Stream), CommandError> {
        let live = live_box(&self.rooms, &self.task).await?;
        let (attached, stream) = self.attach(&live, None).await.map_err(refused)?;
        let followed = Followed {
            terminal: shown(&attached.info)?,
            screen: Screen::new(from_relay(attached.size)),
            offset: attached.from,
            renewed: false,
        };
        Ok((live, followed, stream))
    }

    /// The box anew.
    async fn reach(&self) -> Result<LiveBox, BoxError> {
        let Self { rooms, task, .. } = self;
        let live = rooms.boxes.find(task).await?;
        live.ok_or_else(|| BoxError::BoxGone { task: task.clone() })
    }

    async fn attach(
        &self,
        live: &LiveBox,
        from: Option<u64>,
    ) -> Result<(TerminalAttached, Stream), RelayError> {
        let terminal = relay_id(&self.name).map_err(|error| RelayError::Protocol {
            what: error.to_string(),
        })?;
        let attach = TerminalAttach { terminal, from };
        let (attached, reader, writer) = live.relay.attach_terminal(&attach).await?;
        Ok((attached, (reader, writer)))
    }
}

fn screen_of(followed: &mut Followed) -> Shown {
    Shown::Screen {
        size: followed.screen.size(),
        bytes: followed.screen.restored().into(),
    }
}

/// Types what is typed, one after the other; gives why it cannot any more.
async fn type_all(writer: &mut TerminalWriter, typing: &mut mpsc::Receiver<Typed>) -> RelayError {
    while let Some(typed) = typing.recv().await {
        let sent = match typed {
            Typed::Bytes(bytes) => writer.type_in(&bytes).await,
            Typed::Resize(size) => writer.resize(to_relay(size)).await,
        };
        if let Err(error) = sent {
            return error;
        }
    }
    std::future::pending().await
}

fn refuse_all(looks: &mut mpsc::Receiver<Look>, error: &CommandError) {
    looks.close();
    while let Ok(look) = looks.try_recv() {
        look.refuse(same(error));
    }
}

/// The same refusal for one more who asked.
fn same(error: &CommandError) -> CommandError {
    if let CommandError::NotFound { what, message } = error {
        let message = message.clone();
        CommandError::NotFound { what, message }
    } else if let CommandError::NoSuchTask { task } = error {
        CommandError::NoSuchTask { task: task.clone() }
    } else if matches!(error, CommandError::Conflict { .. }) {
        CommandError::conflict(error)
    } else {
        CommandError::failed(error)
    }
}
