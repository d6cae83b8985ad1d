//! Exactly-once input: the ids of the messages that a run has taken.
//!
//! A client that reconnects repeats its last messages, because it cannot know whether they arrived. It
//! repeats only what it has not seen acknowledged, so remembering
//! [`limits::INPUTS_REMEMBERED`] ids, more than any client has in flight, is enough.

use std::collections::{HashSet, VecDeque};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use paddock_relay_protocol::{Body, InputId, Record, limits};

/// The ids that one run has taken, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    order: VecDeque<InputId>,
    seen: HashSet<InputId>,
}

impl Inbox {
    /// Whether this message was taken before.
    pub(crate) fn has(&self, id: &InputId) -> bool {
        self.seen.contains(id)
    }

    /// Remembers a message.
    pub(crate) fn remember(&mut self, id: InputId) {
        if self.seen.insert(id.clone()) {
            self.order.push_back(id);
        }
        while self.order.len() > limits::INPUTS_REMEMBERED
            && let Some(old) = self.order.pop_front()
        {
            self.seen.remove(&old);
        }
    }

    /// Forgets a message that the agent did not take.
    pub(crate) fn forget(&mut self, id: &InputId) {
        if self.seen.remove(id) {
            self.order.retain(|other| other != id);
        }
    }

    /// Reads the ids back from a log.
    pub(crate) fn load(log: &Path) -> io::Result<Self> {
        let mut inbox = Self::default();
        let mut reader = BufReader::with_capacity(64 * 1024, File::open(log)?);
        let mut line = Vec::new();
        while next_line_of_interest(&mut reader, &mut line)? {
            match Record::decode(&line).map(|record| record.body) {
                Ok(Body::In { id, .. }) => inbox.remember(id),
                Ok(Body::Undelivered { id, .. }) => inbox.forget(&id),
                Ok(
                    Body::Start { .. }
                    | Body::Line { .. }
                    | Body::Torn { .. }
                    | Body::Exit(_)
                    | Body::Other { .. },
                )
                | Err(_) => {}
            }
        }
        Ok(inbox)
    }
}

/// Reads the next record that is a message or tells of one, without holding the others in memory.
fn next_line_of_interest(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    loop {
        let head = reader.fill_buf()?;
        if head.is_empty() {
            return Ok(false);
        }
        // A head cut by the buffer's end is read whole rather than missed.
        let cut = head.len() < OF_INTEREST[1].len();
        if cut || OF_INTEREST.iter().any(|start| head.starts_with(start)) {
            line.clear();
            reader.read_until(b'\n', line)?;
            return Ok(true);
        }
        reader.skip_until(b'\n')?;
    }
}

const OF_INTEREST: [&[u8]; 2] = [b"{\"k\":\"in\"", b"{\"k\":\"undelivered\""];

#[cfg(test)]
mod tests {
    use paddock_relay_protocol::{LineKind, encode};

    use super::*;

    fn id(text: &str) -> InputId {
        InputId::parse(text).unwrap()
    }

    #[test]
    fn an_id_beyond_the_window_is_forgotten() {
        let mut inbox = Inbox::default();
        inbox.remember(id("a"));
        for n in 0..limits::INPUTS_REMEMBERED {
            inbox.remember(id(&format!("n{n}")));
        }
        assert!(!inbox.has(&id("a")) && inbox.has(&id("n0")));
    }

    #[test]
    fn ids_come_back_from_a_log_among_all_that_was_said() {
        let mut log = Vec::new();
        for n in 0..500 {
            encode::line(&mut log, LineKind::Out, 1, "x".repeat(n * 7).as_bytes());
            encode::input(&mut log, 1, &id(&format!("m{n}")), "desk", b"go");
        }
        encode::undelivered(&mut log, 1, &id("m7"), "gone");
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), log).unwrap();
        let inbox = Inbox::load(file.path()).unwrap();
        let missing: Vec<_> = (0..500)
            .filter(|n| !inbox.has(&id(&format!("m{n}"))))
            .collect();
        assert_eq!(missing, [7]);
    }
}
