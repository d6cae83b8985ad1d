//! Recorded conversations for the tests of this room.

use std::path::{Path, PathBuf};

use paddock_domain::{Body, InputId, PermissionMode};
use paddock_harness::{Codec, CodecSetup, Harness, Heard, find};
use serde_json::{Value, json};

/// One recorded conversation.
pub(crate) struct Story {
    /// `<harness>-<version>/<scenario>`.
    pub(crate) name: String,
    pub(crate) harness: &'static dyn Harness,
    pub(crate) log: Vec<Record>,
    path: PathBuf,
}

/// One record of a run's log.
#[derive(Clone, Debug)]
pub(crate) enum Record {
    Out(Vec<u8>),
    In(InputId, Vec<u8>),
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/transcripts")
}

/// All of them, by name.
pub(crate) fn stories() -> Vec<Story> {
    let mut names = Vec::new();
    for folder in std::fs::read_dir(root()).unwrap() {
        let folder = folder.unwrap();
        if !folder.file_type().unwrap().is_dir() {
            continue;
        }
        for file in std::fs::read_dir(folder.path()).unwrap() {
            let file = file.unwrap().file_name().into_string().unwrap();
            if let Some(scenario) = file.strip_suffix(".said.jsonl") {
                names.push(format!(
                    "{}/{scenario}",
                    folder.file_name().to_str().unwrap()
                ));
            }
        }
    }
    names.sort();
    assert!(names.len() > 80, "the transcripts are gone");
    names.iter().map(|name| Story::named(name)).collect()
}

impl Story {
    pub(crate) fn named(name: &str) -> Self {
        let path = root().join(name);
        let out = std::fs::read(path.with_extension("jsonl")).unwrap();
        let mut said = std::fs::read_to_string(path.with_extension("said.jsonl")).unwrap();
        said.push_str("{\"after\":1000000000}");
        let mut said = said
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap())
            .peekable();
        let mut log = Vec::new();
        let lines = out
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty());
        for (nth, line) in lines.enumerate() {
            while let Some(record) = said.next_if(|record| record["after"] == nth) {
                let id = InputId::parse(record["id"].as_str().unwrap()).unwrap();
                log.push(Record::In(id, record["line"].as_str().unwrap().into()));
            }
            log.push(Record::Out(line.to_vec()));
        }
        let harness = name.split('-').next().unwrap();
        Self {
            name: name.to_owned(),
            harness: find(harness).unwrap(),
            log,
            path,
        }
    }

    pub(crate) fn codec(&self) -> Box<dyn Codec> {
        let codex_asks = self.name.starts_with("codex") && self.name.contains("/perm-");
        let known = ["claude", "codex", "pi", "scripted"];
        let asks = codex_asks || !known.contains(&self.harness.name().as_str());
        let permission_mode = match asks {
            true => PermissionMode::Ask,
            false => PermissionMode::FullAuto,
        };
        self.harness.codec(CodecSetup {
            permission_mode,
            work_dir: "/box/repo".to_owned(),
            ..CodecSetup::default()
        })
    }

    pub(crate) fn expected_path(&self) -> PathBuf {
        self.path.with_extension("events.jsonl")
    }

    /// The lines that the program said.
    pub(crate) fn lines(&self) -> Vec<&[u8]> {
        let lines = self.log.iter().filter_map(|record| match record {
            Record::Out(line) => Some(line.as_slice()),
            Record::In(..) => None,
        });
        lines.collect()
    }

    /// All that the log means.
    pub(crate) fn hear(&self) -> Vec<Heard> {
        let mut codec = self.codec();
        let mut heard = Vec::new();
        for record in &self.log {
            play(&mut *codec, record, &mut heard);
        }
        heard
    }

    pub(crate) fn event_types(&self) -> Vec<String> {
        let types = self.hear().into_iter().filter_map(|heard| match heard {
            Heard::Event(body) => Some(body.type_name().to_owned()),
            _ => None,
        });
        types.collect()
    }

    /// What is committed: one line for each thing heard but deltas, with the number of its line.
    pub(crate) fn told(&self) -> String {
        let mut codec = self.codec();
        let mut text = String::new();
        let mut number = 0;
        let mut deltas = 0;
        for record in &self.log {
            let mut heard = Vec::new();
            play(&mut *codec, record, &mut heard);
            number += usize::from(matches!(record, Record::Out(_)));
            for heard in heard {
                let shown = match heard {
                    Heard::Event(body) => json!({"line": number, "event": shortened(body)}),
                    Heard::Send(outgoing) => {
                        let line = String::from_utf8(outgoing.bytes).unwrap();
                        json!({"line": number, "send": outgoing.id, "bytes": line})
                    }
                    Heard::TurnBegan => json!({"line": number, "turn": "began by itself"}),
                    Heard::Delta(_) => {
                        deltas += 1;
                        continue;
                    }
                };
                text += &format!("{shown}\n");
            }
        }
        text + &format!("{}\n", json!({"deltas": deltas}))
    }
}

/// An id of what a user says.
pub(crate) fn id(text: &str) -> InputId {
    InputId::parse(text).unwrap()
}

/// The codec after the story of this name was told.
pub(crate) fn codec_after(story: &str) -> Box<dyn Codec> {
    let story = Story::named(story);
    let mut codec = story.codec();
    for record in &story.log {
        play(&mut *codec, record, &mut Vec::new());
    }
    codec
}

pub(crate) fn play(codec: &mut dyn Codec, record: &Record, heard: &mut Vec<Heard>) {
    match record {
        Record::Out(line) => codec.hear(line, heard),
        Record::In(id, bytes) => codec.said(id, bytes),
    }
}

/// Long texts cut: what is compared is that they are there.
fn shortened(body: Body) -> Value {
    fn cut(value: &mut Value) {
        match value {
            Value::String(text) if text.len() > 400 => {
                let short: String = text.chars().take(120).collect();
                *text = format!("{short}… ({} bytes)", text.len());
            }
            Value::Array(items) => items.iter_mut().for_each(cut),
            Value::Object(fields) => fields.values_mut().for_each(cut),
            _ => {}
        }
    }
    let mut value = serde_json::to_value(body).unwrap();
    cut(&mut value);
    value
}
