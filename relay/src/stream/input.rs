//! `input`: one message to an agent.

use std::sync::Arc;

use paddock_relay_protocol::{
    FrameFault, FrameKind, FrameReader, Input, InputAck, MuxStream, Refusal, RefusalCode,
    WireError, limits,
};

use crate::serve::Relay;
use crate::session::{refuse, reply};

pub(crate) async fn serve(
    relay: &Arc<Relay>,
    stream: &mut MuxStream,
    input: &Input,
) -> Result<(), WireError> {
    let run = match relay.runs.get(&input.run) {
        Ok(run) => run,
        Err(refusal) => return refuse(stream, refusal).await,
    };
    let message = match read(&mut *stream).await {
        Ok(message) => message,
        Err(error) => match error.refusal() {
            Some(refusal) => return refuse(stream, refusal).await,
            // Half a message is none: the client is gone and will repeat it.
            None => return Err(error),
        },
    };
    let acknowledged = run.input(input, message).await;
    reply(stream, acknowledged.map(|delivered| InputAck { delivered })).await
}

async fn read(stream: &mut MuxStream) -> Result<Vec<u8>, WireError> {
    let mut frames = FrameReader::new(stream);
    let mut message = Vec::new();
    loop {
        let (kind, payload) = frames.next().await?;
        match kind {
            FrameKind::Stdin => message.extend_from_slice(&payload),
            FrameKind::Eof => return Ok(message),
            kind @ (FrameKind::Stdout
            | FrameKind::Stderr
            | FrameKind::Exit
            | FrameKind::Resize
            | FrameKind::Signal
            | FrameKind::Log
            | FrameKind::LogEnd
            | FrameKind::Diff
            | FrameKind::Error
            | FrameKind::Unread) => return Err(FrameFault::OutOfPlace { kind }.into()),
        }
        if message.len() > limits::INPUT_LEN {
            let text = format!("a message may have {} bytes; send less", limits::INPUT_LEN);
            return Err(Refusal::new(RefusalCode::FrameTooLong, text).into());
        }
    }
}
