//! Reading a whole journal and holding it against everything that it must be. Changes nothing.
//!
//! Lines are numbered from 1 without gaps, each is an event of this task with an id of its own, sources of
//! agent output ascend, artifacts are there and are what their names say, and the index knows the same. A
//! fault does not end the check: it goes on with the next line that can be read.

mod lines;

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufRead, Read};
use std::path::Path;

use paddock_domain::{
    ArtifactRef, Event, JournalCheck, JournalFault, JournalFinding, JournalForm, TaskId,
};
use sha2::{Digest, Sha256};

use crate::fold::Snapshot;
use crate::held::Held;
use crate::index::Entry;
use crate::layout::Layout;
use crate::text::{Ended, Head, read_line};
use crate::{artifact, file, settle};

use lines::Lines;

/// Most findings of one journal that are told one by one.
const FINDINGS_MAX: usize = 1_000;

/// Checks the journal of task `id`, its first `up_to` bytes where that is given, against what the index
/// knows of it. An index that knows less is not wrong: it is caught up at the next start.
pub(crate) fn check(
    layout: &Layout,
    id: &TaskId,
    known: Option<&Entry>,
    up_to: Option<u64>,
) -> JournalCheck {
    let mut check = Check::new(layout, id);
    // What cannot be read is told below.
    if settle::both_differ(layout, id).is_ok_and(|differ| differ) {
        let text = "a plain and a compressed journal stand here, and they differ: the next start \
                    keeps the compressed one and sets the plain one aside";
        check.tell(JournalFault::TwoForms, None, text.to_owned());
    }
    if let Err(error) = check.read(known.map(|entry| &entry.snapshot), up_to) {
        let kind = if error.kind() == io::ErrorKind::InvalidData {
            JournalFault::Compressed
        } else {
            JournalFault::Unreadable
        };
        check.tell(kind, None, format!("it cannot be read to its end: {error}"));
    }
    if known.is_some_and(|entry| entry.archived) && !layout.archived(id).exists() {
        let text = "the index has it as archived, and its mark is not there";
        check.tell(JournalFault::Index, None, text.to_owned());
    }
    check.told
}

/// A check under way.
struct Check<'a> {
    layout: &'a Layout,
    id: &'a TaskId,
    told: JournalCheck,
    hashed: HashSet<String>,
    /// Whether artifacts were removed on purpose.
    without_artifacts: bool,
}

impl<'a> Check<'a> {
    fn new(layout: &'a Layout, id: &'a TaskId) -> Self {
        Self {
            layout,
            id,
            told: JournalCheck {
                task_id: id.clone(),
                form: None,
                lines: 0,
                text_bytes: 0,
                artifacts: 0,
                kept: kept(layout, id),
                findings: Vec::new(),
                more: false,
            },
            hashed: HashSet::new(),
            without_artifacts: layout.artifacts_removed(id).exists(),
        }
    }

    fn tell(&mut self, kind: JournalFault, line: Option<u64>, text: String) {
        if self.told.findings.len() >= FINDINGS_MAX {
            self.told.more = true;
            return;
        }
        let finding = JournalFinding { kind, line, text };
        self.told.findings.push(finding);
    }

    fn read(&mut self, known: Option<&Snapshot>, up_to: Option<u64>) -> io::Result<()> {
        let mut held = Held::open(self.layout, self.id, false)?;
        self.told.form = Some(match held {
            Held::Plain(_) => JournalForm::Plain,
            Held::Packed(_) => JournalForm::Compressed,
        });
        let seal = match &held {
            Held::Plain(_) => None,
            Held::Packed(packed) => Some(packed.chain()),
        };
        let mut text = held.text_from(0)?.take(up_to.unwrap_or(u64::MAX));
        let mut lines = Lines::new(self.id, known);
        self.read_lines(&mut lines, &mut text)?;
        for (kind, line, text) in lines.end(seal) {
            self.tell(kind, line, text);
        }
        Ok(())
    }

    fn read_lines(&mut self, lines: &mut Lines<'_>, text: &mut impl BufRead) -> io::Result<()> {
        let mut line = Vec::new();
        loop {
            let (ended, bytes) = read_line(text, &mut line)?;
            if ended == Ended::Nothing {
                return Ok(());
            }
            self.told.lines += 1;
            self.told.text_bytes += bytes;
            let whole = (ended == Ended::Whole).then_some(line.as_slice());
            let parsed = whole.map(|line| (serde_json::from_slice::<Event>(line), Head::of(line)));
            match parsed {
                Some((Ok(event), _)) => {
                    self.artifacts(&event);
                    lines.event(&event, &line, bytes);
                }
                Some((Err(error), Some(head))) => lines.unknown(head.seq, &error, &line),
                Some((Err(_), None)) | None => lines.garbled(bytes, ended == Ended::Torn),
            }
            for (kind, line, text) in lines.found() {
                self.tell(kind, line, text);
            }
        }
    }

    fn artifacts(&mut self, event: &Event) {
        if self.without_artifacts {
            return;
        }
        let attached = event.body.attachments().iter();
        let attached = attached.map(|attachment| ArtifactRef {
            path: format!("artifacts/{}/{}", self.id, attachment.sha256),
            sha256: attachment.sha256.clone(),
            size: attachment.size,
        });
        let attached: Vec<_> = attached.collect();
        for reference in attached.iter().chain(event.body.artifacts()) {
            if self.hashed.insert(reference.sha256.clone())
                && let Some((kind, text)) = self.artifact(reference)
            {
                self.tell(kind, Some(event.seq), text);
            }
        }
    }

    fn artifact(&mut self, reference: &ArtifactRef) -> Option<(JournalFault, String)> {
        let named = format!("artifacts/{}/{}", self.id, reference.sha256);
        let path = match self.layout.artifact(self.id, &reference.sha256) {
            Ok(path) if reference.path == named => path,
            Ok(_) | Err(_) => {
                let text = "it refers to an artifact of another task or by no hash".to_owned();
                return Some((JournalFault::ArtifactWrong, text));
            }
        };
        self.told.artifacts += 1;
        let short = reference.sha256.get(..12).unwrap_or_default();
        match hash(&path) {
            Ok(found) if found == reference.sha256 => None,
            Ok(_) => {
                let text = format!("artifact {short}… does not hold what its name says");
                Some((JournalFault::ArtifactWrong, text))
            }
            Err(error) => {
                let text = format!("artifact {short}… cannot be read: {error}");
                Some((JournalFault::ArtifactMissing, text))
            }
        }
    }
}

/// The names of what is kept beside a journal, sorted.
pub(crate) fn kept(layout: &Layout, id: &TaskId) -> Vec<String> {
    let entries = fs::read_dir(layout.task(id)).into_iter().flatten();
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let is_kept =
        |name: &String| name.starts_with(Layout::CUT) || name.starts_with(Layout::BEFORE_REPAIR);
    let mut kept: Vec<_> = names.filter(is_kept).collect();
    kept.sort();
    kept
}

/// The SHA-256 of a plain file, in hexadecimal.
fn hash(path: &Path) -> io::Result<String> {
    let mut file: File = file::open_plain(path, false)?;
    let (mut hash, mut part) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut part)? {
            0 => return Ok(artifact::hex(&hash.finalize())),
            n => hash.update(part.get(..n).unwrap_or_default()),
        }
    }
}
