//! Frames of an event stream: the bytes between two empty lines.

use bytes::{BufMut, Bytes, BytesMut};
use paddock_api::names;
use serde::Serialize;

/// A journal event, its JSON taken as it is.
pub(crate) fn event(cursor: &str, json: &[u8]) -> Bytes {
    frame(names::EVENT, Some(cursor), json)
}

/// Anything else; `cursor` where a client that connects again should go on from it.
pub(crate) fn told<T: Serialize>(name: &str, cursor: Option<&str>, data: &T) -> Bytes {
    let json = serde_json::to_vec(data).unwrap_or_else(|error| {
        tracing::error!(%error, name, "a stream event could not be written");
        b"{}".to_vec()
    });
    frame(name, cursor, &json)
}

/// Nothing happened for a while.
pub(crate) fn ping() -> Bytes {
    Bytes::from_static(b"event: ping\ndata: {}\n\n")
}

fn frame(name: &str, cursor: Option<&str>, json: &[u8]) -> Bytes {
    let mut frame = BytesMut::with_capacity(json.len() + name.len() + 64);
    if let Some(cursor) = cursor {
        frame.put_slice(b"id: ");
        frame.put_slice(cursor.as_bytes());
        frame.put_u8(b'\n');
    }
    frame.put_slice(b"event: ");
    frame.put_slice(name.as_bytes());
    frame.put_slice(b"\ndata: ");
    frame.put_slice(json);
    frame.put_slice(b"\n\n");
    frame.freeze()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_json_of_an_event_is_carried_byte_for_byte() {
        let json = r#"{"seq":7, "odd":  "spacing\n"}"#;
        let frame = event("7", json.as_bytes());
        assert_eq!(frame, format!("id: 7\nevent: event\ndata: {json}\n\n"));
    }
}
