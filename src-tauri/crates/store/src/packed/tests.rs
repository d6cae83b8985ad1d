//! A compressed journal is the same journal, from any byte, and a broken one says so.

use std::io::Write as _;

use proptest::prelude::*;

use super::*;

/// A journal of `lines` lines, each with about `width` bytes.
fn journal(lines: usize, width: usize) -> Vec<u8> {
    let mut text = Vec::new();
    for seq in 1..=lines {
        let filler = "x".repeat(width + seq % 7);
        writeln!(text, r#"{{"seq":{seq},"text":"{filler}"}}"#).unwrap();
    }
    text
}

fn packed(text: &[u8]) -> (tempfile::NamedTempFile, Sum) {
    let file = tempfile::NamedTempFile::new().unwrap();
    let sum = pack(&mut &*text, &mut file.reopen().unwrap()).unwrap();
    (file, sum)
}

fn open(file: &tempfile::NamedTempFile) -> io::Result<Packed> {
    Packed::open(file.reopen()?)
}

#[test]
fn it_is_the_same_text_from_every_place() {
    let text = journal(3000, 700);
    let (file, written) = packed(&text);
    let mut packed = open(&file).unwrap();
    assert!(packed.table.frames.len() > 3, "several frames");
    assert_eq!((packed.len(), packed.last_seq()), (text.len() as u64, 3000));
    assert_eq!(sum(&mut packed).unwrap(), written);
    for offset in [0, 1, 511 << 10, 513 << 10, text.len() - 1, text.len()] {
        let mut read = Vec::new();
        let mut from = packed.text_from(offset as u64).unwrap();
        from.read_to_end(&mut read).unwrap();
        assert!(read == text[offset..], "from byte {offset}");
    }
    let file_len = file.as_file().metadata().unwrap().len();
    assert!(file_len * 10 < text.len() as u64, "it is smaller");
}

#[test]
fn a_line_is_looked_for_in_its_frame() {
    let (file, _) = packed(&journal(3000, 700));
    let packed = open(&file).unwrap();
    assert_eq!(packed.before(1), Mark::default());
    let second = packed.table.frames[1];
    assert_eq!(packed.before(second.seq).offset, second.offset);
    assert_eq!(packed.before(second.seq - 1), Mark::default());
    let last = packed.table.frames.last().unwrap();
    assert_eq!(packed.before(u64::MAX).seq, last.seq);
}

#[test]
fn a_line_longer_than_a_frame_is_a_frame() {
    let text = journal(3, 2 << 20);
    let (file, _) = packed(&text);
    let mut packed = open(&file).unwrap();
    let mut read = Vec::new();
    packed.text_from(0).unwrap().read_to_end(&mut read).unwrap();
    assert!(read == text);
}

#[test]
fn what_is_not_in_order_is_not_compressed() {
    let good = journal(3, 5);
    let torn = &good[..good.len() - 1];
    let doubled = [&good[..], &good[..]].concat();
    for bad in [torn, &doubled, b"nonsense\n"] {
        let file = tempfile::NamedTempFile::new().unwrap();
        let refused = pack(&mut &*bad, &mut file.reopen().unwrap()).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::InvalidData);
    }
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    let (file, _) = packed(&journal(50, 30));
    let whole = std::fs::read(file.path()).unwrap();
    for len in 0..whole.len() {
        std::fs::write(file.path(), &whole[..len]).unwrap();
        assert!(open(&file).is_err(), "cut at {len}");
    }
}

proptest! {
    #[test]
    fn a_changed_byte_never_gives_another_text(at in any::<prop::sample::Index>(), with in 1..=255_u8) {
        let text = journal(50, 30);
        let (file, written) = packed(&text);
        let mut bytes = std::fs::read(file.path()).unwrap();
        let at = at.index(bytes.len());
        bytes[at] ^= with;
        std::fs::write(file.path(), &bytes).unwrap();
        let Ok(mut packed) = open(&file) else { return Ok(()) };
        let told = Sum { len: packed.len(), last_seq: packed.last_seq(), chain: packed.chain() };
        match sum(&mut packed) {
            Err(_) => {}
            Ok(found) => prop_assert!(found == written || found != told, "a change went unseen"),
        }
    }
}
