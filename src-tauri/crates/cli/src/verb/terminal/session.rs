//! One terminal of a box on the screen that we run on, over as many connections as it takes.

use std::io::Write as _;
use std::time::Duration;

use anyhow::Result;
use paddock_api::{ErrorCode, TerminalSay, TerminalTell};
use paddock_client::{Client, ClientError, TerminalItem, TerminalMouth};
use paddock_domain::{RunExit, TaskId, Terminal};
use tokio::time::Instant;

use super::keys::{Keys, Pressed};
use crate::args::Global;
use crate::reach;

/// The one channel that we use.
const CHANNEL: u8 = 1;

/// Pause before a server that is gone is tried again.
const PAUSE: Duration = Duration::from_millis(500);

/// For how long a server that is gone is tried again.
const GIVEN_UP: Duration = Duration::from_secs(120);

/// How a session ends.
pub(super) enum End {
    /// The user has left; the terminal goes on.
    Left,
    /// The program has ended.
    Over(RunExit),
}

/// How a connection ends.
enum Broken {
    /// It is gone.
    Lost(ClientError),
    /// There is nothing to connect to any more.
    Gone(anyhow::Error),
}

/// A terminal that is shown.
pub(super) struct Session<'a> {
    global: &'a Global,
    client: Client,
    task: TaskId,
    terminal: Terminal,
}

impl<'a> Session<'a> {
    pub(super) fn new(
        global: &'a Global,
        client: Client,
        task: TaskId,
        terminal: Terminal,
    ) -> Self {
        Self {
            global,
            client,
            task,
            terminal,
        }
    }

    /// Shows it until its program ends or the user leaves.
    pub(super) async fn run(mut self, keys: &mut Keys) -> Result<End> {
        let mut lost_at: Option<Instant> = None;
        loop {
            let lost = match self.connected(keys, &mut lost_at).await {
                Ok(end) => return Ok(end),
                Err(Broken::Gone(error)) => return Err(error),
                Err(Broken::Lost(error)) => error,
            };
            let since = *lost_at.get_or_insert_with(|| {
                tell(keys, "reconnecting; the terminal goes on. Ctrl-] leaves");
                Instant::now()
            });
            if since.elapsed() > GIVEN_UP {
                return Err(lost.into());
            }
            if self.pause(keys).await {
                return Ok(End::Left);
            }
            // It may serve elsewhere by now.
            if let Ok(client) = reach::client(self.global).await {
                self.client = client;
            }
        }
    }

    /// Waits a moment; true when the user leaves meanwhile. What is typed then is lost, as it should be.
    async fn pause(&self, keys: &mut Keys) -> bool {
        let until = Instant::now() + PAUSE;
        loop {
            tokio::select! {
                () = tokio::time::sleep_until(until) => return false,
                pressed = keys.next(), if keys.is_person() => {
                    if pressed == Pressed::Leave {
                        return true;
                    }
                }
            }
        }
    }

    async fn connected(
        &mut self,
        keys: &mut Keys,
        lost_at: &mut Option<Instant>,
    ) -> Result<End, Broken> {
        let (mut ears, mut mouth) = self.client.terminal_socket().await?;
        mouth
            .say(&TerminalSay::Open {
                channel: CHANNEL,
                task: self.task.clone(),
                terminal: self.terminal.name.clone(),
            })
            .await?;
        // Not before the terminal is there: keys that come earlier would be dropped.
        let mut opened = false;
        loop {
            tokio::select! {
                item = ears.next() => match self.shown(item?, &mut mouth, keys).await? {
                    Heard::Opened => {
                        opened = true;
                        *lost_at = None;
                        if let Some(size) = keys.size().filter(|_| keys.is_person()) {
                            mouth.say(&TerminalSay::Resize { channel: CHANNEL, size }).await?;
                        }
                    }
                    Heard::Nothing => {}
                    Heard::Over(exit) => return Ok(End::Over(exit)),
                },
                pressed = keys.next(), if opened => match pressed {
                    Pressed::Keys(keys) => mouth.type_in(CHANNEL, &keys).await?,
                    Pressed::Resized(size) => {
                        mouth.say(&TerminalSay::Resize { channel: CHANNEL, size }).await?;
                    }
                    Pressed::Leave => {
                        mouth.close().await;
                        return Ok(End::Left);
                    }
                },
            }
        }
    }

    async fn shown(
        &self,
        item: Option<TerminalItem>,
        mouth: &mut TerminalMouth,
        keys: &Keys,
    ) -> Result<Heard, Broken> {
        match item {
            Some(TerminalItem::Output { bytes, .. }) => {
                show(&bytes);
                let bytes = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
                let channel = CHANNEL;
                mouth.say(&TerminalSay::Ack { channel, bytes }).await?;
                Ok(Heard::Nothing)
            }
            Some(TerminalItem::Told(told)) => self.told(told, keys),
            None => Err(Broken::Lost(ClientError::Unreachable {
                url: self.client.url().to_owned(),
                cause: "the connection was closed".to_owned(),
            })),
        }
    }

    fn told(&self, told: TerminalTell, keys: &Keys) -> Result<Heard, Broken> {
        match told {
            TerminalTell::Opened { .. } => return Ok(Heard::Opened),
            TerminalTell::Exit { exit, .. } => return Ok(Heard::Over(exit)),
            TerminalTell::Screen { .. } if keys.is_person() => {
                // As an empty one: pages, scrollback, colours.
                show(b"\x1b[?1049l\x1b[m\x1b[3J\x1b[H\x1b[2J");
            }
            TerminalTell::Screen { .. } | TerminalTell::Resized { .. } => {}
            TerminalTell::Reconnecting { .. } => {
                tell(
                    keys,
                    "the box cannot be reached just now; it is tried again",
                );
            }
            TerminalTell::Error { error, .. } if error.code == ErrorCode::Overloaded => {
                tell(keys, &error.message);
            }
            TerminalTell::Error { error, .. } => {
                let refused = ClientError::Refused {
                    status: error.code.status(),
                    detail: Box::new(error),
                };
                return Err(Broken::Gone(refused.into()));
            }
        }
        Ok(Heard::Nothing)
    }
}

/// What was heard.
enum Heard {
    Opened,
    Over(RunExit),
    Nothing,
}

impl From<ClientError> for Broken {
    fn from(error: ClientError) -> Self {
        match error.code() {
            None => Self::Lost(error),
            Some(_) => Self::Gone(error.into()),
        }
    }
}

/// Shows bytes as they are. A reader that went away ends nothing.
fn show(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}

/// Tells the user something beside the terminal. Where nobody reads it there is nobody else to tell.
fn tell(keys: &Keys, text: &str) {
    let line_end = if keys.is_person() { "\r\n" } else { "\n" };
    let _ = write!(std::io::stderr(), "{line_end}[{text}]{line_end}");
}
