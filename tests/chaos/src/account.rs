//! The two accounts of what was said in a box that do not come from the server: the agent's own record,
//! and the logs that the relay keeps.
//!
//! Start at [`Account::read`].

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use paddock_relay_protocol::{Body as RecordBody, Ending, LineKind, Record};
use serde_json::Value;

/// Where the agent keeps its record, as it is told.
pub(crate) const RECORD_IN_BOX: &str = "~/.record.jsonl";
/// The same below the box's directory.
const RECORD: &str = "home/.record.jsonl";
/// Where the relay keeps its logs, below the same.
const RUNS: &str = "relay/runs";

/// What one process of the agent says that it heard and said.
#[derive(Clone, Debug, Default)]
pub(crate) struct Life {
    pub(crate) pid: u64,
    pub(crate) pages: Vec<Page>,
}

/// One entry of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    Heard(String),
    Said(String),
    /// A line that is no text, of so many bytes.
    SaidBytes(u64),
}

/// One run as the relay's log has it.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunLog {
    pub(crate) run: String,
    pub(crate) pid: Option<u64>,
    pub(crate) lines: Vec<Line>,
    pub(crate) ending: Option<Ending>,
    /// Bytes behind the last newline.
    pub(crate) torn: usize,
}

/// One record of a log.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) offset: u64,
    pub(crate) what: What,
}

#[derive(Clone, Debug)]
pub(crate) enum What {
    Out(Vec<u8>),
    In { id: String, bytes: Vec<u8> },
    Undelivered(String),
    Else,
}

/// Both accounts of one box.
#[derive(Clone, Debug, Default)]
pub(crate) struct Account {
    pub(crate) lives: Vec<Life>,
    pub(crate) runs: Vec<RunLog>,
    /// What of them makes no sense.
    pub(crate) unreadable: Vec<String>,
}

impl Account {
    /// Reads both from the box in `dir`; runs in the order in which `began` names them. Their ids have no
    /// order where a clock jumps.
    pub(crate) fn read(dir: &Path, began: &[String]) -> Self {
        let mut account = Self::default();
        match fs::read_to_string(dir.join(RECORD)) {
            Ok(text) => account.read_record(&text),
            Err(error) => account.not_read(RECORD, &error),
        }
        let mut runs: Vec<_> = match fs::read_dir(dir.join(RUNS)) {
            Ok(entries) => entries.flatten().collect(),
            Err(error) => {
                account.not_read(RUNS, &error);
                Vec::new()
            }
        };
        let place = |run: &fs::DirEntry| {
            let name = run.file_name();
            let known = began.iter().position(|run| name == run.as_str());
            (known.unwrap_or(began.len()), name)
        };
        runs.sort_by_key(place);
        for run in runs {
            let name = run.file_name().to_string_lossy().into_owned();
            match fs::read(run.path().join("log.jsonl")) {
                Ok(log) => account.read_log(name, &log),
                Err(error) => account.not_read(&name, &error),
            }
        }
        account
    }

    /// An account that is not there yet is an empty one: the box may have been lost before it was begun.
    fn not_read(&mut self, what: &str, error: &std::io::Error) {
        if error.kind() != ErrorKind::NotFound {
            self.unreadable.push(format!("{what}: {error}"));
        }
    }

    fn read_record(&mut self, text: &str) {
        for line in text.lines() {
            let Ok(entry) = serde_json::from_str::<Value>(line) else {
                self.unreadable
                    .push(format!("the agent's record has {line:?}"));
                continue;
            };
            if entry["n"] == 1 {
                self.lives.push(Life {
                    pid: entry["pid"].as_u64().unwrap_or_default(),
                    pages: Vec::new(),
                });
            }
            let Some(life) = self.lives.last_mut() else {
                continue;
            };
            if let Some(said) = entry["out"].as_str() {
                life.pages.push(Page::Said(said.to_owned()));
            } else if let Some(bytes) = entry["raw"].as_u64() {
                life.pages.push(Page::SaidBytes(bytes));
            } else if let Some(id) = entry["in"].as_str() {
                life.pages.push(Page::Heard(id.to_owned()));
            }
        }
    }

    fn read_log(&mut self, run: String, log: &[u8]) {
        let mut found = RunLog {
            run,
            ..RunLog::default()
        };
        let mut offset = 0;
        for line in log.split_inclusive(|byte| *byte == b'\n') {
            let at = offset;
            offset += u64::try_from(line.len()).unwrap_or_default();
            if !line.ends_with(b"\n") {
                found.torn = line.len();
                break;
            }
            match Record::decode(line) {
                Ok(record) => found.take(at, record.body),
                Err(error) => {
                    let text = format!("the log of {} at {at}: {error}", found.run);
                    self.unreadable.push(text);
                }
            }
        }
        self.runs.push(found);
    }
}

impl RunLog {
    fn take(&mut self, offset: u64, body: RecordBody<'_>) {
        let what = match body {
            RecordBody::Start { pid, .. } => {
                self.pid = pid.map(u64::from);
                What::Else
            }
            RecordBody::Line {
                kind: LineKind::Out,
                line,
            } => What::Out(line.content.as_bytes().to_vec()),
            RecordBody::In { id, content, .. } => What::In {
                id: id.as_str().to_owned(),
                bytes: content.as_bytes().to_vec(),
            },
            RecordBody::Undelivered { id, .. } => What::Undelivered(id.as_str().to_owned()),
            RecordBody::Exit(exit) => {
                self.ending = Some(exit.ending);
                What::Else
            }
            RecordBody::Line {
                kind: LineKind::Err | LineKind::Pty,
                ..
            }
            | RecordBody::Torn { .. }
            | RecordBody::Other { .. } => What::Else,
        };
        self.lines.push(Line { offset, what });
    }

    /// Every line of output, in order.
    pub(crate) fn outs(&self) -> impl Iterator<Item = &[u8]> {
        self.lines.iter().filter_map(|line| match &line.what {
            What::Out(bytes) => Some(&bytes[..]),
            What::In { .. } | What::Undelivered(_) | What::Else => None,
        })
    }

    /// Ids of messages that the agent was given, without those that it did not take.
    pub(crate) fn delivered(&self) -> Vec<&str> {
        let mut ids: Vec<&str> = Vec::new();
        for line in &self.lines {
            match &line.what {
                What::In { id, .. } => ids.push(id),
                What::Undelivered(id) => ids.retain(|delivered| delivered != id),
                What::Out(_) | What::Else => {}
            }
        }
        ids
    }
}

impl Life {
    /// Every line that it said, in order.
    pub(crate) fn said(&self) -> Vec<&Page> {
        let said = |page: &&Page| !matches!(page, Page::Heard(_));
        self.pages.iter().filter(said).collect()
    }

    /// Ids of what it heard.
    pub(crate) fn heard(&self) -> impl Iterator<Item = &str> {
        self.pages.iter().filter_map(|page| match page {
            Page::Heard(id) => Some(id.as_str()),
            Page::Said(_) | Page::SaidBytes(_) => None,
        })
    }
}

impl Page {
    /// Whether it is this line of output.
    pub(crate) fn is(&self, line: &[u8]) -> bool {
        match self {
            Self::Heard(_) => false,
            Self::Said(text) => text.as_bytes() == line,
            Self::SaidBytes(bytes) => u64::try_from(line.len()).ok() == Some(*bytes),
        }
    }

    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::Heard(_) => 0,
            Self::Said(text) => u64::try_from(text.len()).unwrap_or_default(),
            Self::SaidBytes(bytes) => *bytes,
        }
    }
}
