//! Terminals: list, open, close, and the WebSocket through which they are looked at.
//!
//! The socket does not connect again by itself: whoever shows a terminal says that it is gone, connects
//! again, and is given the screen.

use bytes::{BufMut, Bytes, BytesMut};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use paddock_api::{TerminalClosed, TerminalList, TerminalSay, TerminalTell, paths};
use paddock_domain::{TaskId, Terminal, TerminalName, TerminalRequest};
use reqwest::{Method, StatusCode, Upgraded};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error as WsError, Message};

use crate::call::of;
use crate::{Client, ClientError};

/// Longest message that is taken from a server, in bytes.
const MESSAGE_MAX: usize = 1 << 20;

/// Keys in one message, in bytes.
const KEYS: usize = 16 << 10;

/// What came through a socket.
#[derive(Clone, Debug, PartialEq)]
pub enum TerminalItem {
    /// The server tells something.
    Told(TerminalTell),
    /// Output of a channel; acknowledge it when it is dealt with.
    Output {
        /// The channel.
        channel: u8,
        /// The bytes.
        bytes: Bytes,
    },
}

/// The half of a socket that hears.
#[derive(Debug)]
pub struct TerminalEars {
    from: SplitStream<WebSocketStream<Upgraded>>,
    url: String,
}

/// The half of a socket that speaks.
#[derive(Debug)]
pub struct TerminalMouth {
    to: SplitSink<WebSocketStream<Upgraded>, Message>,
    url: String,
}

impl Client {
    /// The terminals in a task's box, oldest first.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn terminals(&self, task: &TaskId) -> Result<TerminalList, ClientError> {
        self.get(&of(paths::TASK_TERMINALS, task)).await
    }

    /// Opens a terminal.
    ///
    /// # Errors
    /// [`ClientError`]; `conflict` when the box does not run or the agent has the session.
    pub async fn open_terminal(
        &self,
        task: &TaskId,
        request: &TerminalRequest,
    ) -> Result<Terminal, ClientError> {
        self.post(&of(paths::TASK_TERMINALS, task), request).await
    }

    /// Ends a terminal with everything that was started on it.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn close_terminal(
        &self,
        task: &TaskId,
        name: &TerminalName,
    ) -> Result<TerminalClosed, ClientError> {
        let path = paths::fill(paths::TASK_TERMINAL, &[task.as_str(), name.as_str()]);
        self.call(Method::DELETE, &path, None::<&()>).await
    }

    /// Connects to look at terminals.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn terminal_socket(&self) -> Result<(TerminalEars, TerminalMouth), ClientError> {
        let response = self.upgrade(paths::TERMINALS, generate_key()).await?;
        if response.status() != StatusCode::SWITCHING_PROTOCOLS {
            let cause = format!("it answered {} to a WebSocket", response.status());
            return Err(ClientError::unreadable(self.url(), cause));
        }
        let upgraded = response.upgrade().await;
        let upgraded = upgraded.map_err(|error| ClientError::unreachable(self.url(), &error))?;
        let config = WebSocketConfig::default()
            .max_message_size(Some(MESSAGE_MAX))
            .max_frame_size(Some(MESSAGE_MAX));
        let socket = WebSocketStream::from_raw_socket(upgraded, Role::Client, Some(config)).await;
        let (to, from) = socket.split();
        let url = self.url().to_owned();
        let ears = TerminalEars {
            from,
            url: url.clone(),
        };
        Ok((ears, TerminalMouth { to, url }))
    }
}

impl TerminalEars {
    /// What comes next; nothing when the server has closed the socket.
    ///
    /// # Errors
    /// [`ClientError::Unreachable`] when it broke, [`ClientError::Unreadable`] when it speaks otherwise.
    pub async fn next(&mut self) -> Result<Option<TerminalItem>, ClientError> {
        loop {
            let message = match self.from.next().await {
                Some(Ok(message)) => message,
                Some(Err(WsError::ConnectionClosed)) | None => return Ok(None),
                Some(Err(error)) => return Err(broken(&self.url, &error)),
            };
            match message {
                Message::Text(text) => {
                    let told = serde_json::from_str(&text);
                    let told = told.map_err(|e| ClientError::unreadable(&self.url, e))?;
                    return Ok(Some(TerminalItem::Told(told)));
                }
                Message::Binary(mut bytes) if !bytes.is_empty() => {
                    let channel = bytes.split_to(1)[0];
                    return Ok(Some(TerminalItem::Output { channel, bytes }));
                }
                Message::Close(_) => return Ok(None),
                Message::Binary(_) | Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => {}
            }
        }
    }
}

impl TerminalMouth {
    /// Says something.
    ///
    /// # Errors
    /// [`ClientError::Unreachable`] when the socket is gone.
    pub async fn say(&mut self, say: &TerminalSay) -> Result<(), ClientError> {
        let json = serde_json::to_string(say).map_err(|e| ClientError::unreadable(&self.url, e))?;
        let sent = self.to.send(Message::text(json)).await;
        sent.map_err(|error| broken(&self.url, &error))
    }

    /// Types on a channel.
    ///
    /// # Errors
    /// [`ClientError::Unreachable`] when the socket is gone.
    pub async fn type_in(&mut self, channel: u8, keys: &[u8]) -> Result<(), ClientError> {
        for piece in keys.chunks(KEYS) {
            let mut message = BytesMut::with_capacity(piece.len() + 1);
            message.put_u8(channel);
            message.extend_from_slice(piece);
            let sent = self.to.send(Message::Binary(message.freeze())).await;
            sent.map_err(|error| broken(&self.url, &error))?;
        }
        Ok(())
    }

    /// Ends the socket; terminals go on.
    pub async fn close(&mut self) {
        // A server that is gone needs no farewell.
        let _ = self.to.close().await;
    }
}

fn broken(url: &str, error: &WsError) -> ClientError {
    ClientError::Unreachable {
        url: url.to_owned(),
        cause: error.to_string(),
    }
}
