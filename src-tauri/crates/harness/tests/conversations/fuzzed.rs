//! A short run of what `cargo xtask fuzz` does for longer: hostile lines made of recorded ones.

use paddock_harness::CodecSetup;

use crate::story::{Record, stories};

#[allow(unreachable_pub)] // of a file that others share
#[path = "../../fuzz/body.rs"]
mod body;

/// Lines for each recorded conversation.
const LINES: usize = 60;

#[test]
fn mangled_conversations_are_taken_and_no_later_line_is_lost() {
    let mut mutator = body::Mutator::new(7);
    let mut made = Vec::new();
    for story in stories() {
        let lines: Vec<&[u8]> = story
            .log
            .iter()
            .filter_map(|record| match record {
                Record::Out(line) => Some(line.as_slice()),
                Record::In(_, _) => None,
            })
            .collect();
        let mut codec = story.harness.codec(CodecSetup::default());
        let mut heard = Vec::new();
        let mut all = Vec::new();
        for nth in 0..LINES {
            let other = lines[mutator.below(lines.len())];
            mutator.line(lines[nth % lines.len()], other, &mut made);
            codec.hear(&made, &mut heard);
            all.extend_from_slice(&made);
            all.push(b'\n');
        }
        body::probe(story.harness, &mut *codec);
        body::take(story.harness, &all);
    }
}

#[test]
fn the_same_seed_makes_the_same_lines() {
    let lines = |seed| {
        let mut mutator = body::Mutator::new(seed);
        let mut made = Vec::new();
        let mut all = Vec::new();
        for _ in 0..50 {
            mutator.line(b"{\"a\":1,\"b\":[2]}", b"{\"c\":3}", &mut made);
            all.push(made.clone());
        }
        all
    };
    assert_eq!(lines(3), lines(3));
    assert_ne!(lines(3), lines(4));
}
