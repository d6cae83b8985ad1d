//! Bodies of event streams: frames as they come, a ping when none does, an end when the server ends.

use std::convert::Infallible;
use std::future::ready;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use paddock_api::{ErrorCode, pings};

use crate::door::Door;
use crate::failure::Failure;
use crate::frame;

/// Most event streams at once.
pub(crate) const STREAMS_MAX: usize = 1024;

/// Answers with `frames`, and a ping wherever none came for `ping_every`, for as long as they come, the client listens
/// and the server serves.
pub(crate) fn respond(
    door: &Door,
    ping_every: Duration,
    frames: impl Stream<Item = Bytes> + Send + 'static,
) -> Result<Response, Failure> {
    let place = door.streams().try_acquire_owned().map_err(|_| {
        let message =
            format!("{STREAMS_MAX} event streams are open already: close some and try again");
        Failure::new(ErrorCode::Overloaded, message).retry_after(5)
    })?;
    let until_stopped = paced(frames, ping_every).take_until(door.stopping());
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

/// How often a client that asks with `headers` is to be pinged: what it would have, where it says so.
pub(crate) fn ping_every(headers: &HeaderMap) -> Result<Duration, Failure> {
    let Some(asked) = headers.get(pings::HEADER) else {
        return Ok(pings::EVERY);
    };
    let seconds = asked.to_str().ok().and_then(|text| text.parse().ok());
    let every = seconds.map(Duration::from_secs);
    let within = every.filter(|every| (pings::EVERY..=pings::EVERY_MAX).contains(every));
    within.ok_or_else(|| {
        let [least, most] = [pings::EVERY, pings::EVERY_MAX].map(|bound| bound.as_secs());
        let message = format!("`{}` is no number from {least} to {most}", pings::HEADER);
        Failure::new(ErrorCode::Invalid, message)
    })
}

/// `frames`, with a ping wherever none came for `ping_every`.
fn paced(
    frames: impl Stream<Item = Bytes> + Send + 'static,
    ping_every: Duration,
) -> impl Stream<Item = Bytes> + Send {
    let frames = Box::pin(frames.fuse());
    futures_util::stream::unfold(frames, move |mut frames| async move {
        match tokio::time::timeout(ping_every, frames.next()).await {
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

    #[test]
    fn a_client_may_ask_for_fewer_pings_within_bounds() {
        let asked = |value: &'static str| {
            let value = HeaderValue::from_static(value);
            ping_every(&HeaderMap::from_iter([(
                pings::HEADER.parse().unwrap(),
                value,
            )]))
            .ok()
        };
        assert_eq!(ping_every(&HeaderMap::new()).ok(), Some(pings::EVERY));
        assert_eq!(asked("60"), Some(Duration::from_secs(60)));
        assert_eq!(asked("300"), Some(pings::EVERY_MAX));
        for wrong in ["", "0", "14", "301", "-60", "60.5", "never", "1e2"] {
            assert_eq!(asked(wrong), None, "{wrong}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_silent_stream_pings_as_often_as_it_is_to_and_a_busy_one_does_not() {
        let (send, receive) = tokio::sync::mpsc::channel::<Bytes>(4);
        let frames = futures_util::stream::unfold(receive, |mut receive| async move {
            receive.recv().await.map(|frame| (frame, receive))
        });
        let mut paced = Box::pin(paced(frames, pings::EVERY_NEAR));
        let began = tokio::time::Instant::now();
        assert_eq!(paced.next().await, Some(frame::ping()));
        assert_eq!(paced.next().await, Some(frame::ping()));
        assert_eq!(began.elapsed(), pings::EVERY_NEAR * 2);
        send.send(Bytes::from_static(b"x")).await.unwrap();
        assert_eq!(paced.next().await.as_deref(), Some(&b"x"[..]));
        assert_eq!(began.elapsed(), pings::EVERY_NEAR * 2);
        drop(send);
        assert_eq!(paced.next().await, None);
    }
}
