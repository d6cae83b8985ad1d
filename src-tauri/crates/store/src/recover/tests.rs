//! A journal is cut, and garbled, at every one of its bytes.

use std::fs;

use paddock_domain::{JournalFault, TaskId};

use super::*;
use crate::check::check;
use crate::index::Entry;
use crate::open::make_folders;

/// A journal of four lines.
const TEXT: &str = concat!(
    r#"{"event_id":"e1","ts":"2026-11-21T00:00:00.000Z","seq":1,"task_id":"t1","type":"session_started","task_description":"t","coding_provider":"scripted","spec":{"prompt":"t","harness":"scripted"}}"#,
    "\n",
    r#"{"event_id":"e2","ts":"2026-11-21T00:00:00.000Z","seq":2,"task_id":"t1","type":"notice","level":"info","text":"two"}"#,
    "\n",
    r#"{"event_id":"e3","ts":"2026-11-21T00:00:00.000Z","seq":3,"task_id":"t1","type":"notice","level":"info","text":"three"}"#,
    "\n",
    r#"{"event_id":"e4","ts":"2026-11-21T00:00:00.000Z","seq":4,"task_id":"t1","type":"notice","level":"info","text":"four"}"#,
    "\n",
);

struct World {
    _data: tempfile::TempDir,
    layout: Layout,
    id: TaskId,
    known: Entry,
}

impl World {
    fn new() -> Self {
        let data = tempfile::tempdir().unwrap();
        let (layout, id) = (Layout::new(data.path()), TaskId::parse("t1").unwrap());
        make_folders(data.path(), &layout).unwrap();
        fs::create_dir(layout.task(&id)).unwrap();
        fs::write(layout.journal(&id), TEXT).unwrap();
        let snapshot = recover(&layout, &id, None)
            .unwrap()
            .folded
            .snapshot
            .unwrap();
        assert_eq!(snapshot.task.last_seq, 4);
        let archived = false;
        Self {
            _data: data,
            layout,
            id,
            known: Entry { snapshot, archived },
        }
    }

    /// Puts `text` in the journal's place; what was cut off earlier ones is gone.
    fn put(&self, text: &[u8]) {
        fs::write(self.layout.journal(&self.id), text).unwrap();
        let _ = fs::remove_file(self.layout.cut(&self.id, 1));
    }

    /// The journal and what was cut off it: every byte that there was.
    fn all(&self) -> Vec<u8> {
        let mut all = fs::read(self.layout.journal(&self.id)).unwrap();
        all.extend(fs::read(self.layout.cut(&self.id, 1)).unwrap_or_default());
        all
    }
}

fn lines_before(at: usize) -> u64 {
    TEXT.as_bytes()[..at]
        .iter()
        .filter(|&&byte| byte == b'\n')
        .count() as u64
}

#[test]
fn cut_at_every_byte_it_keeps_every_whole_line_and_every_byte() {
    let world = World::new();
    for at in 0..TEXT.len() {
        let text = &TEXT.as_bytes()[..at];
        for known in [None, Some(world.known.snapshot.clone())] {
            world.put(text);
            let recovered = recover(&world.layout, &world.id, known).unwrap();
            assert!(recovered.uncut.is_none() && recovered.folded.extent.damage.is_none());
            assert_eq!(
                recovered.folded.extent.last_seq,
                lines_before(at),
                "at {at}"
            );
            assert_eq!(world.all(), text, "at {at}");
        }
    }
}

#[test]
fn garbled_at_every_byte_it_is_found_and_loses_nothing_before_it() {
    let world = World::new();
    for at in 0..TEXT.len() {
        for with in [0xFF, b'\n', b'"', b'9'] {
            let mut text = TEXT.as_bytes().to_vec();
            if text[at] == with {
                continue;
            }
            text[at] = with;
            world.put(&text);
            let found = check(&world.layout, &world.id, Some(&world.known), None).findings;
            assert!(!found.is_empty(), "{with} at {at} went unseen");
            assert!(
                found
                    .iter()
                    .all(|found| found.kind != JournalFault::Unreadable)
            );
            let known = Some(world.known.snapshot.clone());
            let recovered = recover(&world.layout, &world.id, known);
            let folded = recovered.unwrap().folded;
            assert!(folded.extent.last_seq >= lines_before(at), "{with} at {at}");
            assert_eq!(world.all(), text, "{with} at {at}");
        }
    }
}
