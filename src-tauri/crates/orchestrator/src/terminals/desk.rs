//! Who keeps which terminal.
//!
//! Invariant: each terminal that somebody looks at has one keeper, owned here, which ends when the terminal
//! has. Start at [`Desk::run`].

use std::collections::BTreeMap;
use std::sync::Arc;

use paddock_domain::{TaskId, TerminalName};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;

use super::keeper::{Keeper, Look};
use super::viewer::Viewing;
use crate::CommandError;
use crate::rooms::Rooms;

/// Looks that may wait.
const WAITING: usize = 64;

/// Most terminals that are kept at once: each holds a screen with its scrollback.
const KEPT: usize = 128;

/// The way to the keepers. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Desk {
    asks: mpsc::Sender<Ask>,
}

#[derive(Debug)]
struct Ask {
    task: TaskId,
    name: TerminalName,
    look: Look,
}

type Asked = (TaskId, TerminalName);

impl Desk {
    /// The way, and what is to be run for it.
    pub(crate) fn new(rooms: Arc<Rooms>) -> (Self, impl Future<Output = ()> + Send) {
        let (asks, asked) = mpsc::channel(WAITING);
        (Self { asks }, run(rooms, asked))
    }

    /// Looks at a terminal.
    pub(super) async fn watch(
        &self,
        task: &TaskId,
        name: &TerminalName,
    ) -> Result<Viewing, CommandError> {
        let (reply, answer) = oneshot::channel();
        let ask = Ask {
            task: task.clone(),
            name: name.clone(),
            look: Look { reply },
        };
        let sent = self.asks.send(ask).await;
        sent.map_err(|_| CommandError::ShuttingDown)?;
        answer.await.unwrap_or(Err(CommandError::ShuttingDown))
    }
}

async fn run(rooms: Arc<Rooms>, mut asks: mpsc::Receiver<Ask>) {
    let mut keepers: BTreeMap<Asked, mpsc::Sender<Look>> = BTreeMap::new();
    let mut working = JoinSet::new();
    loop {
        let ask = tokio::select! {
            ask = asks.recv() => ask,
            Some(_) = working.join_next() => {
                keepers.retain(|_, keeper| !keeper.is_closed());
                continue;
            }
        };
        let Some(Ask { task, name, look }) = ask else {
            return;
        };
        let key = (task, name);
        let look = match keepers.get(&key) {
            None => look,
            Some(keeper) => match keeper.try_send(look) {
                Ok(()) => continue,
                Err(TrySendError::Full(look)) => {
                    look.refuse(CommandError::Overloaded {
                        what: "the terminal",
                    });
                    continue;
                }
                // It has just ended.
                Err(TrySendError::Closed(look)) => look,
            },
        };
        if working.len() >= KEPT {
            look.refuse(CommandError::Overloaded {
                what: "the room for terminals",
            });
            continue;
        }
        let (looks, asked) = mpsc::channel(WAITING);
        // There is room: nothing was sent yet.
        let _ = looks.try_send(look);
        let (task, name) = key.clone();
        working.spawn(Keeper::new(rooms.clone(), task, name).keep(asked));
        keepers.insert(key, looks);
    }
}
