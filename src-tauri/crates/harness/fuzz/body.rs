//! What is done to a codec with hostile bytes, and what holds whatever they are: it does not panic, it
//! loses no later line, and what it hears does not depend on how lines were grouped.
//!
//! One body for all: the targets of `cargo fuzz`, the driver `examples/fuzz.rs` for the stable toolchain,
//! and a short run in the tests. Start at [`take`]; [`Mutator`] makes such bytes of recorded lines.

use paddock_domain::{Body, ErrorClass};
use paddock_harness::{Codec, CodecSetup, Harness, Heard};

/// What no agent says: each codec keeps it as an unknown line, whatever came before.
const PROBE: &[u8] = b"\x01 no agent says this";

/// Any bytes, as the lines that they are.
///
/// # Panics
/// When something does not hold.
#[allow(dead_code)] // not every user of this file needs all of it
pub fn take(harness: &dyn Harness, bytes: &[u8]) {
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let (first, second) = lines.split_at(lines.len() / 2);
    let whole = hear(harness, &[&lines]);
    let parts = hear(harness, &[first, second]);
    assert!(
        whole == parts,
        "{}: the decode of a concatenation is not the concatenation of decodes",
        harness.name()
    );
}

fn hear(harness: &dyn Harness, groups: &[&[&[u8]]]) -> Vec<Heard> {
    let mut codec = harness.codec(CodecSetup::default());
    let mut all = Vec::new();
    for lines in groups {
        let mut heard = Vec::new();
        for line in *lines {
            codec.hear(line, &mut heard);
        }
        all.append(&mut heard);
    }
    probe(harness, &mut *codec);
    all
}

/// The next line is heard.
///
/// # Panics
/// When it is lost.
#[allow(dead_code)]
pub fn probe(harness: &dyn Harness, codec: &mut dyn Codec) {
    let mut heard = Vec::new();
    codec.hear(PROBE, &mut heard);
    let kept = |heard: &&Heard| {
        matches!(
            heard,
            Heard::Event(Body::Error {
                class: ErrorClass::UnknownLine,
                ..
            })
        )
    };
    let count = heard.iter().filter(kept).count();
    assert_eq!(count, 1, "{} lost a later line: {heard:?}", harness.name());
}

/// Makes hostile lines of recorded ones. The same seed makes the same lines.
#[derive(Debug)]
#[allow(dead_code)]
pub struct Mutator {
    state: u64,
}

#[allow(dead_code)]
impl Mutator {
    /// Longest line that is made, in bytes; longer ones are cut.
    const LINE_MAX: usize = 256 << 10;

    /// One that begins at `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// A number below `below`, by the generator SplitMix64.
    pub fn below(&mut self, below: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let z = usize::try_from((z ^ (z >> 31)) >> 32).unwrap_or_default();
        z % below.max(1)
    }

    /// The next line: `line` as it is, or another made of it and of `other`. Written into `made`.
    pub fn line(&mut self, line: &[u8], other: &[u8], made: &mut Vec<u8>) {
        made.clear();
        let kind = self.below(12);
        match kind {
            // As it is; out of its order all the same, when the caller picks it so.
            0..=3 => made.extend_from_slice(line),
            4 => made.extend_from_slice(&line[..self.below(line.len() + 1)]),
            5 => made.extend_from_slice(&line[self.below(line.len() + 1)..]),
            6 => {
                made.extend_from_slice(&line[..self.below(line.len() + 1)]);
                made.extend_from_slice(&other[self.below(other.len() + 1)..]);
            }
            7 => {
                made.extend_from_slice(line);
                made.extend_from_slice(other);
            }
            8 => {
                made.extend_from_slice(line);
                self.flip(made);
            }
            9 => self.swap_values(line, other, made),
            10 => self.nest(line, made),
            _ => {
                let len = self.below(200);
                made.extend((0..len).map(|_| u8::try_from(self.below(256)).unwrap_or_default()));
            }
        }
        made.truncate(Self::LINE_MAX);
        made.retain(|byte| *byte != b'\n');
    }

    fn flip(&mut self, made: &mut [u8]) {
        for _ in 0..=self.below(8) {
            let at = self.below(made.len());
            if let Some(byte) = made.get_mut(at) {
                *byte ^= 1 << self.below(8);
            }
        }
    }

    /// One JSON value in the place of another: other types, huge numbers, texts that are none.
    fn swap_values(&mut self, line: &[u8], other: &[u8], made: &mut Vec<u8>) {
        const ODD: [&[u8]; 10] = [
            b"null",
            b"true",
            b"-1",
            b"1e999",
            b"18446744073709551616",
            b"[]",
            b"{}",
            b"\"\"",
            b"\"\\ud800\"",
            b"[[[[]]]]",
        ];
        let colons: Vec<usize> = positions(line, b':');
        let Some(at) = colons.get(self.below(colons.len())) else {
            return made.extend_from_slice(other);
        };
        let end = line[*at..].iter().position(|byte| b",}".contains(byte));
        made.extend_from_slice(&line[..=*at]);
        made.extend_from_slice(ODD[self.below(ODD.len())]);
        made.extend_from_slice(&line[end.map_or(line.len(), |end| at + end)..]);
    }

    /// The line inside itself, or deep below brackets.
    fn nest(&mut self, line: &[u8], made: &mut Vec<u8>) {
        let depth = self.below(300);
        made.extend_from_slice(
            b"{\"type\":\"assistant\",\"method\":\"item/completed\",\"params\":",
        );
        made.extend(std::iter::repeat_n(b'[', depth));
        made.extend_from_slice(line);
        made.extend(std::iter::repeat_n(b']', depth));
        made.push(b'}');
    }
}

#[allow(dead_code)]
fn positions(line: &[u8], of: u8) -> Vec<usize> {
    let found = line.iter().enumerate().filter(|(_, byte)| **byte == of);
    found.map(|(at, _)| at).collect()
}
