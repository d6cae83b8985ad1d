//! A terminal in a box, as somebody sees it who sits before it.

use std::time::Duration;

use anyhow::{Context, bail};
use paddock_api::{TerminalSay, TerminalTell};
use paddock_client::{Client, TerminalEars, TerminalItem, TerminalMouth};
use paddock_domain::{RunExit, TaskId, TerminalName, TerminalSize};

/// Longest wait for something to be shown.
const SHOWN_MAX: Duration = Duration::from_secs(30);

/// Bytes that are remembered.
const SEEN: usize = 64 << 10;

/// The channel that is used.
const CHANNEL: u8 = 7;

/// A terminal that is looked at.
#[derive(Debug)]
pub struct TerminalLook {
    ears: TerminalEars,
    mouth: TerminalMouth,
    seen: Vec<u8>,
    sizes: Vec<TerminalSize>,
    exit: Option<RunExit>,
}

impl TerminalLook {
    /// Looks at a terminal; its screen has been announced when this returns.
    ///
    /// # Errors
    /// What the server says.
    pub async fn at(client: &Client, task: &TaskId, name: &TerminalName) -> anyhow::Result<Self> {
        let (ears, mut mouth) = client.terminal_socket().await?;
        mouth
            .say(&TerminalSay::Open {
                channel: CHANNEL,
                task: task.clone(),
                terminal: name.clone(),
            })
            .await?;
        let mut look = Self {
            ears,
            mouth,
            seen: Vec::new(),
            sizes: Vec::new(),
            exit: None,
        };
        while look.sizes.is_empty() {
            look.next().await?;
        }
        Ok(look)
    }

    /// What was shown last since the screen came last, control sequences among it.
    #[must_use]
    pub fn seen(&self) -> String {
        String::from_utf8_lossy(&self.seen).into_owned()
    }

    /// The sizes that it was told to have, oldest first.
    #[must_use]
    pub fn sizes(&self) -> &[TerminalSize] {
        &self.sizes
    }

    /// Types.
    ///
    /// # Errors
    /// When the socket is gone.
    pub async fn type_in(&mut self, keys: &str) -> anyhow::Result<()> {
        Ok(self.mouth.type_in(CHANNEL, keys.as_bytes()).await?)
    }

    /// Gives it another size.
    ///
    /// # Errors
    /// When the socket is gone.
    pub async fn resize(&mut self, size: TerminalSize) -> anyhow::Result<()> {
        let channel = CHANNEL;
        let say = TerminalSay::Resize { channel, size };
        Ok(self.mouth.say(&say).await?)
    }

    /// Waits until `wanted` is shown.
    ///
    /// # Errors
    /// When it is not within half a minute, or the program ends before.
    pub async fn until(&mut self, wanted: &str) -> anyhow::Result<()> {
        while !self.seen().contains(wanted) {
            if let Some(exit) = self.exit {
                bail!("ended ({exit:?}) before `{wanted}`: {}", self.seen());
            }
            let next = self.next().await;
            next.with_context(|| format!("`{wanted}` is not shown: {}", self.seen()))?;
        }
        Ok(())
    }

    /// Waits until its program ends.
    ///
    /// # Errors
    /// When it does not within half a minute of silence.
    pub async fn ending(&mut self) -> anyhow::Result<RunExit> {
        loop {
            match self.exit {
                Some(exit) => return Ok(exit),
                None => self.next().await?,
            }
        }
    }

    async fn next(&mut self) -> anyhow::Result<()> {
        let item = tokio::time::timeout(SHOWN_MAX, self.ears.next()).await;
        let item = item.context("nothing is shown")??;
        match item.context("the socket was closed")? {
            TerminalItem::Output { bytes, .. } => {
                self.seen.extend_from_slice(&bytes);
                let over = self.seen.len().saturating_sub(SEEN);
                self.seen.drain(..over);
                let (channel, bytes) = (CHANNEL, u32::try_from(bytes.len())?);
                self.mouth.say(&TerminalSay::Ack { channel, bytes }).await?;
            }
            TerminalItem::Told(TerminalTell::Screen { size, .. }) => {
                self.seen.clear();
                self.sizes.push(size);
            }
            TerminalItem::Told(TerminalTell::Resized { size, .. }) => self.sizes.push(size),
            TerminalItem::Told(TerminalTell::Exit { exit, .. }) => self.exit = Some(exit),
            TerminalItem::Told(TerminalTell::Error { error, .. }) => bail!("{}", error.message),
            TerminalItem::Told(TerminalTell::Opened { .. } | TerminalTell::Reconnecting { .. }) => {
            }
        }
        Ok(())
    }
}
