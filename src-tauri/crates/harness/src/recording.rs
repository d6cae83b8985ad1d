//! Decoding what an agent program said and somebody kept in a file.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::{CodecSetup, Harness, Heard, Tallied};

/// What the lines of `bytes` mean to `harness`, each with the number of its line, from 1. The last line
/// counts even where it has no newline; empty lines are passed over.
pub fn decode_recording<'a>(
    harness: &dyn Harness,
    bytes: &'a [u8],
) -> impl Iterator<Item = (u64, Heard)> + use<'a> {
    Recording {
        codec: Tallied::new(harness, CodecSetup::default(), Arc::default()),
        lines: bytes.split(|byte| *byte == b'\n'),
        number: 0,
        heard: VecDeque::new(),
        buffer: Vec::new(),
    }
}

struct Recording<L> {
    codec: Tallied,
    lines: L,
    number: u64,
    heard: VecDeque<Heard>,
    buffer: Vec<Heard>,
}

impl<'a, L: Iterator<Item = &'a [u8]>> Iterator for Recording<L> {
    type Item = (u64, Heard);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(heard) = self.heard.pop_front() {
                return Some((self.number, heard));
            }
            let line = self.lines.next()?;
            self.number += 1;
            if !line.is_empty() {
                self.codec.hear(line, &mut self.buffer);
                self.heard.extend(self.buffer.drain(..));
            }
        }
    }
}
