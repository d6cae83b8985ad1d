//! Server-sent events out of bytes, as the HTML standard says, with a bound on how long one may be.

use bytes::{Buf, BytesMut};

/// One event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SseEvent {
    /// Its name; `message` when it has none.
    pub(crate) name: String,
    /// Its id; absent when it has none of its own.
    pub(crate) id: Option<String>,
    /// Its data.
    pub(crate) data: String,
}

/// An event is longer than is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLong;

/// Takes bytes as they come, gives events as they are complete.
#[derive(Debug, Default)]
pub(crate) struct SseParser {
    buffer: BytesMut,
    /// How far the buffer was searched for the end of a line.
    searched: usize,
    event: SseEvent,
    has_data: bool,
}

impl SseParser {
    /// Longest event, in bytes: more than the longest journal line.
    pub(crate) const MAX: usize = 16 << 20;

    /// Takes more bytes.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Result<(), TooLong> {
        if self.buffer.len() + self.event.data.len() + bytes.len() > Self::MAX {
            return Err(TooLong);
        }
        self.buffer.extend_from_slice(bytes);
        Ok(())
    }

    /// The next complete event.
    pub(crate) fn next_event(&mut self) -> Option<SseEvent> {
        loop {
            let unseen = self.buffer.get(self.searched..)?;
            let Some(at) = unseen.iter().position(|byte| *byte == b'\n') else {
                self.searched = self.buffer.len();
                return None;
            };
            let mut line = self.buffer.split_to(self.searched + at);
            self.buffer.advance(1);
            self.searched = 0;
            if line.last() == Some(&b'\r') {
                line.truncate(line.len() - 1);
            }
            if !line.is_empty() {
                self.take_line(&String::from_utf8_lossy(&line));
            } else if let Some(event) = self.finish() {
                return Some(event);
            }
        }
    }

    fn take_line(&mut self, line: &str) {
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.event.name),
            "id" => self.event.id = Some(value.to_owned()),
            "data" => {
                if self.has_data {
                    self.event.data.push('\n');
                }
                self.event.data.push_str(value);
                self.has_data = true;
            }
            _ => {}
        }
    }

    fn finish(&mut self) -> Option<SseEvent> {
        let mut event = std::mem::take(&mut self.event);
        if !std::mem::take(&mut self.has_data) {
            return None;
        }
        if event.name.is_empty() {
            event.name.push_str("message");
        }
        Some(event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_out_whole_however_the_bytes_are_cut() {
        let text = ": hello\n\nid: 7\nevent: event\ndata: {\"ä\":1}\n\nevent:ping\r\ndata:\r\n\r\ndata: a\ndata: b\n\n";
        let whole = parse(&[text.as_bytes()]);
        let names: Vec<_> = whole.iter().map(|event| event.name.as_str()).collect();
        assert_eq!(names, ["event", "ping", "message"]);
        assert_eq!(whole[0].id.as_deref(), Some("7"));
        assert_eq!(whole[0].data, "{\"ä\":1}");
        assert_eq!(whole[2].data, "a\nb");
        let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        assert_eq!(parse(&bytes), whole);
    }

    #[test]
    fn an_endless_event_is_refused_before_it_fills_the_memory() {
        let mut parser = SseParser::default();
        let chunk = vec![b'x'; 1 << 20];
        let fed = (0..32).try_for_each(|_| parser.feed(&chunk));
        assert_eq!(fed, Err(TooLong));
    }

    fn parse(chunks: &[&[u8]]) -> Vec<SseEvent> {
        let mut parser = SseParser::default();
        let mut events = Vec::new();
        for chunk in chunks {
            parser.feed(chunk).unwrap();
            while let Some(event) = parser.next_event() {
                events.push(event);
            }
        }
        events
    }
}
