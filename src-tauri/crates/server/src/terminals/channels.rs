//! The channels of one socket: which terminal each leads to, and how far its client has got.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::task::{Context, Poll};

use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use paddock_api::{TerminalSay, TerminalTell};
use paddock_domain::{TaskId, Terminal, TerminalName};
use paddock_orchestrator::{CommandError, TerminalShown, TerminalTyped, TerminalViewing};
use tokio::sync::mpsc;

use super::Broken;
use crate::door::Door;
use crate::failure::Failure;

type Opening = BoxFuture<'static, (u8, u64, Result<TerminalViewing, CommandError>)>;

/// The channels.
pub(super) struct Channels {
    door: Door,
    all: BTreeMap<u8, Channel>,
    opening: FuturesUnordered<Opening>,
    /// Numbers what is opened, so that a channel that was closed meanwhile is not opened late.
    number: u64,
    /// The channel that is asked first, in turn.
    first: u8,
}

struct Channel {
    number: u64,
    viewing: Option<TerminalViewing>,
    /// Bytes that were sent and not acknowledged.
    ahead: u32,
}

/// What happened on a channel.
pub(super) enum Happened {
    Opened(u8, Terminal),
    Failed(u8, Failure),
    Shown(u8, TerminalShown),
}

impl Channels {
    pub(super) fn new(door: Door) -> Self {
        Self {
            door,
            all: BTreeMap::new(),
            opening: FuturesUnordered::new(),
            number: 0,
            first: 0,
        }
    }

    /// Begins to look at a terminal.
    pub(super) fn open(
        &mut self,
        channel: u8,
        task: TaskId,
        terminal: TerminalName,
    ) -> Result<(), Broken> {
        if self.all.contains_key(&channel) {
            return Err(Broken("the channel is open already"));
        }
        if self.all.len() >= TerminalSay::CHANNELS {
            return Err(Broken("too many channels are open"));
        }
        self.number += 1;
        let (number, orchestrator) = (self.number, self.door.orchestrator().clone());
        self.opening.push(
            async move {
                let viewing = orchestrator.watch_terminal(&task, &terminal).await;
                (channel, number, viewing)
            }
            .boxed(),
        );
        let opening = Channel {
            number,
            viewing: None,
            ahead: 0,
        };
        self.all.insert(channel, opening);
        Ok(())
    }

    /// Looks no more.
    pub(super) fn close(&mut self, channel: u8) {
        self.all.remove(&channel);
    }

    /// The way for what is typed on a channel.
    pub(super) fn typing(&self, channel: u8) -> Option<&mpsc::Sender<TerminalTyped>> {
        let viewing = self.all.get(&channel)?.viewing.as_ref()?;
        Some(&viewing.typed)
    }

    /// So much was sent.
    pub(super) fn sent(&mut self, channel: u8, bytes: usize) {
        if let Some(channel) = self.all.get_mut(&channel) {
            let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
            channel.ahead = channel.ahead.saturating_add(bytes);
        }
    }

    /// The client has dealt with so much.
    pub(super) fn acknowledge(&mut self, channel: u8, bytes: u32) {
        if let Some(channel) = self.all.get_mut(&channel) {
            channel.ahead = channel.ahead.saturating_sub(bytes);
        }
    }

    /// What happens next. Cancel safe.
    pub(super) async fn next(&mut self) -> Happened {
        poll_fn(|cx| self.poll_next(cx)).await
    }

    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Happened> {
        while let Poll::Ready(Some((name, number, viewing))) = self.opening.poll_next_unpin(cx) {
            if let Some(happened) = self.opened(name, number, viewing) {
                return Poll::Ready(happened);
            }
        }
        let later = self.all.keys().copied().filter(|name| *name >= self.first);
        let earlier = self.all.keys().copied().filter(|name| *name < self.first);
        let in_turn: Vec<u8> = later.chain(earlier).collect();
        for name in in_turn {
            let Some(channel) = self.all.get_mut(&name) else {
                continue;
            };
            if channel.ahead >= TerminalTell::WINDOW {
                continue;
            }
            let Some(viewing) = &mut channel.viewing else {
                continue;
            };
            match viewing.shown.poll_recv(cx) {
                Poll::Ready(Some(shown)) => {
                    self.first = name.wrapping_add(1);
                    return Poll::Ready(Happened::Shown(name, shown));
                }
                Poll::Ready(None) => {
                    let gone = "the terminal is not looked after any more: open it again";
                    let gone = TerminalShown::Lost(gone.to_owned());
                    return Poll::Ready(Happened::Shown(name, gone));
                }
                Poll::Pending => {}
            }
        }
        Poll::Pending
    }

    fn opened(
        &mut self,
        name: u8,
        number: u64,
        viewing: Result<TerminalViewing, CommandError>,
    ) -> Option<Happened> {
        let channel = self.all.get_mut(&name)?;
        if channel.number != number {
            return None;
        }
        match viewing {
            Ok(viewing) => {
                let terminal = viewing.terminal.clone();
                channel.viewing = Some(viewing);
                Some(Happened::Opened(name, terminal))
            }
            Err(error) => {
                self.all.remove(&name);
                Some(Happened::Failed(name, error.into()))
            }
        }
    }
}
