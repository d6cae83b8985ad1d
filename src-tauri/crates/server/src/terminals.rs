//! One WebSocket through which a client looks at terminals and types on them.
//!
//! Invariant: on no channel is more than [`TerminalTell::WINDOW`] sent that the client has not dealt with,
//! so neither side holds more than that for a channel; what a terminal shows meanwhile is the keeper's
//! business, which gives the screen again. What is typed into a program that does not read is refused and
//! said, never held without a bound. Whoever breaks the protocol is cut off.
//!
//! Start at [`serve`]. Opening is in [`channels`].

mod channels;

use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use bytes::{BufMut, Bytes, BytesMut};
use futures_util::stream::SplitSink;
use futures_util::{SinkExt, StreamExt};
use paddock_api::{ErrorCode, TerminalSay, TerminalTell};
use paddock_orchestrator::{TerminalShown, TerminalTyped};
use tokio::sync::mpsc::error::TrySendError;
use tokio::time::{Instant, MissedTickBehavior};

use crate::door::Door;
use crate::failure::Failure;
use channels::{Channels, Happened};

/// How often a client is asked whether it is there.
const PULSE_EVERY: Duration = Duration::from_secs(15);

/// After this long without a word, or without taking what is sent, the client counts as gone.
const SILENCE: Duration = Duration::from_secs(45);

/// Bytes of output in one message.
const PIECE: usize = 32 << 10;

/// Messages for the client, in order.
type Out = Vec<Message>;

/// Why a socket is closed by us.
struct Broken(&'static str);

/// Serves a client until it goes, breaks the protocol, or the server stops.
pub(crate) async fn serve(socket: WebSocket, door: &Door) {
    let (mut to, mut from) = socket.split();
    let mut channels = Channels::new(door.clone());
    let mut pulse = tokio::time::interval(PULSE_EVERY);
    pulse.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut heard_at = Instant::now();
    let mut stopping = std::pin::pin!(door.stopping());
    let closing = loop {
        let out = tokio::select! {
            () = &mut stopping => break Some((close_code::RESTART, "Paddock is shutting down; terminals go on")),
            _ = pulse.tick() => {
                if heard_at.elapsed() > SILENCE {
                    break None;
                }
                Ok(vec![Message::Ping(Bytes::new())])
            }
            message = from.next() => match message {
                Some(Ok(message)) => {
                    heard_at = Instant::now();
                    hear(&mut channels, message)
                }
                Some(Err(_)) | None => break None,
            },
            happened = channels.next() => Ok(tell(&mut channels, happened)),
        };
        match out {
            Ok(out) => {
                for message in out {
                    if !is_sent(&mut to, message).await {
                        return;
                    }
                }
            }
            Err(Broken(why)) => break Some((close_code::POLICY, why)),
        }
    };
    if let Some((code, reason)) = closing {
        let frame = CloseFrame {
            code,
            reason: reason.into(),
        };
        // The client may be gone already.
        is_sent(&mut to, Message::Close(Some(frame))).await;
    }
}

/// Sends `message`. One that does not go within [`SILENCE`] never does: its client reads no more.
async fn is_sent(to: &mut SplitSink<WebSocket, Message>, message: Message) -> bool {
    let sent = tokio::time::timeout(SILENCE, to.send(message)).await;
    matches!(sent, Ok(Ok(())))
}

/// What a client's message leads to.
fn hear(channels: &mut Channels, message: Message) -> Result<Out, Broken> {
    match message {
        Message::Text(text) => match serde_json::from_str(&text) {
            Ok(said) => obey(channels, said),
            Err(_) => Err(Broken("a message is not what this socket takes")),
        },
        Message::Binary(bytes) => keys(channels, bytes),
        Message::Ping(_) | Message::Pong(_) | Message::Close(_) => Ok(Vec::new()),
    }
}

fn obey(channels: &mut Channels, said: TerminalSay) -> Result<Out, Broken> {
    match said {
        TerminalSay::Open {
            channel,
            task,
            terminal,
        } => channels.open(channel, task, terminal)?,
        TerminalSay::Resize { channel, size } => {
            return Ok(typed(
                channels,
                channel,
                TerminalTyped::Resize(size.bounded()),
            ));
        }
        TerminalSay::Ack { channel, bytes } => channels.acknowledge(channel, bytes),
        TerminalSay::Close { channel } => channels.close(channel),
    }
    Ok(Vec::new())
}

fn keys(channels: &mut Channels, mut bytes: Bytes) -> Result<Out, Broken> {
    if bytes.is_empty() {
        return Err(Broken("a message of keys begins with its channel"));
    }
    let channel = bytes.split_to(1)[0];
    Ok(typed(channels, channel, TerminalTyped::Bytes(bytes)))
}

/// Types on a channel. One that has ended meanwhile has said so.
fn typed(channels: &mut Channels, channel: u8, typed: TerminalTyped) -> Out {
    let Some(way) = channels.typing(channel) else {
        return Vec::new();
    };
    match way.try_send(typed) {
        Ok(()) | Err(TrySendError::Closed(_)) => Vec::new(),
        Err(TrySendError::Full(_)) => {
            let message = "the program does not read: what was typed last was dropped";
            let failure = Failure::new(ErrorCode::Overloaded, message);
            vec![said(&TerminalTell::Error {
                channel,
                error: failure.detail(),
            })]
        }
    }
}

/// What happened on a channel, for the client.
fn tell(channels: &mut Channels, happened: Happened) -> Out {
    match happened {
        Happened::Opened(channel, terminal) => {
            vec![said(&TerminalTell::Opened { channel, terminal })]
        }
        Happened::Failed(channel, failure) => vec![said(&TerminalTell::Error {
            channel,
            error: failure.detail(),
        })],
        Happened::Shown(channel, shown) => match shown {
            TerminalShown::Screen { size, bytes } => {
                let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
                let screen = TerminalTell::Screen {
                    channel,
                    size,
                    bytes: length,
                };
                let mut out = vec![said(&screen)];
                out.extend(output(channels, channel, bytes));
                out
            }
            TerminalShown::Bytes(bytes) => output(channels, channel, bytes),
            TerminalShown::Resized(size) => vec![said(&TerminalTell::Resized { channel, size })],
            TerminalShown::Reconnecting => vec![said(&TerminalTell::Reconnecting { channel })],
            TerminalShown::Ended(exit) => {
                channels.close(channel);
                vec![said(&TerminalTell::Exit { channel, exit })]
            }
            TerminalShown::Lost(message) => {
                channels.close(channel);
                let failure = Failure::new(ErrorCode::Failed, message);
                vec![said(&TerminalTell::Error {
                    channel,
                    error: failure.detail(),
                })]
            }
        },
    }
}

fn said(tell: &TerminalTell) -> Message {
    // Serialising data of ours that was just made has no way to fail.
    Message::text(serde_json::to_string(tell).unwrap_or_default())
}

fn output(channels: &mut Channels, channel: u8, mut bytes: Bytes) -> Out {
    channels.sent(channel, bytes.len());
    let mut out = Vec::new();
    while !bytes.is_empty() {
        let piece = bytes.split_to(bytes.len().min(PIECE));
        let mut message = BytesMut::with_capacity(piece.len() + 1);
        message.put_u8(channel);
        message.extend_from_slice(&piece);
        out.push(Message::binary(message.freeze()));
    }
    out
}
