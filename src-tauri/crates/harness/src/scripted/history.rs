//! What the `scripted` agent writes down of its sessions: one file of one line each, with what was said
//! last in it.

use paddock_domain::Speaker;
use serde::Deserialize;

use crate::history::{History, PastLine, said};

/// See the head of this file.
pub(super) const HISTORY: History = History {
    dir: DIR,
    depth: 0,
    session: |file| file.strip_suffix(".json"),
    read,
    moved: |path, _| path.to_owned(),
    adapted: <[u8]>::to_vec,
};

pub(super) const DIR: &str = ".scripted/sessions";

#[derive(Deserialize)]
struct Session {
    cwd: Option<String>,
    #[serde(default)]
    said: Vec<Said>,
}

#[derive(Deserialize)]
struct Said {
    by: String,
    text: String,
}

fn read(line: &[u8], tell: &mut dyn FnMut(PastLine)) {
    let Ok(session) = serde_json::from_slice::<Session>(line) else {
        return;
    };
    if let Some(cwd) = session.cwd {
        tell(PastLine::Directory(cwd));
    }
    for message in session.said {
        let by = match message.by.as_str() {
            "user" => Speaker::User,
            "agent" => Speaker::Agent,
            _ => continue,
        };
        if let Some(line) = said(by, &message.text, None) {
            tell(line);
        }
    }
}
