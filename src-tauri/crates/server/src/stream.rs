//! Bodies of event streams: frames as they come, a ping when none does, an end when the server ends.

use std::convert::Infallible;
use std::future::ready;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use paddock_api::ErrorCode;

use crate::door::Door;
use crate::failure::Failure;
use crate::frame;

/// How long a stream is silent at most.
pub(crate) const PING_EVERY: Duration = Duration::from_secs(15);
/// Most event streams at once.
pub(crate) const STREAMS_MAX: usize = 1024;

/// Answers with `frames` for as long as they come, the client listens and the server serves.
pub(crate) fn respond(
    door: &Door,
    frames: impl Stream<Item = Bytes> + Send + 'static,
) -> Result<Response, Failure> {
    let place = door.streams().try_acquire_owned().map_err(|_| {
        let message =
            format!("{STREAMS_MAX} event streams are open already: close some and try again");
        Failure::new(ErrorCode::Overloaded, message).retry_after(5)
    })?;
    let until_stopped = paced(frames).take_until(door.stopping());
    // The place is held for as long as the body.
    let body = until_stopped.map(move |frame| {
        let _ = &place;
        Ok::<_, Infallible>(frame)
    });
    let mut response = Response::new(Body::from_stream(body));
    let kind = HeaderValue::from_static("text/event-stream");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    // Proxies in between must not wait for more.
    response
        .headers_mut()
        .insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(response)
}

/// `frames`, with a ping wherever none came for [`PING_EVERY`].
pub(crate) fn paced(
    frames: impl Stream<Item = Bytes> + Send + 'static,
) -> impl Stream<Item = Bytes> + Send {
    let frames = Box::pin(frames.fuse());
    futures_util::stream::unfold(frames, |mut frames| async move {
        match tokio::time::timeout(PING_EVERY, frames.next()).await {
            Ok(Some(frame)) => Some((frame, frames)),
            Ok(None) => None,
            Err(_) => Some((frame::ping(), frames)),
        }
    })
    .filter(|frame| ready(!frame.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_silent_stream_pings_every_fifteen_seconds_and_a_busy_one_does_not() {
        let (send, receive) = tokio::sync::mpsc::channel::<Bytes>(4);
        let frames = futures_util::stream::unfold(receive, |mut receive| async move {
            receive.recv().await.map(|frame| (frame, receive))
        });
        let mut paced = Box::pin(paced(frames));
        let began = tokio::time::Instant::now();
        assert_eq!(paced.next().await, Some(frame::ping()));
        assert_eq!(paced.next().await, Some(frame::ping()));
        assert_eq!(began.elapsed(), PING_EVERY * 2);
        send.send(Bytes::from_static(b"x")).await.unwrap();
        assert_eq!(paced.next().await.as_deref(), Some(&b"x"[..]));
        assert_eq!(began.elapsed(), PING_EVERY * 2);
        drop(send);
        assert_eq!(paced.next().await, None);
    }
}
