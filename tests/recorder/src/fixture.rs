//! A recording as the two files that the codecs' tests read.

use std::path::Path;

use serde_json::{Value, json};

use crate::session::Recording;

/// Writes `NAME.jsonl` and `NAME.said.jsonl` into `folder`, with what is `hidden` replaced.
pub(crate) fn write(
    folder: &Path,
    name: &str,
    recording: &Recording,
    hidden: &[(String, &'static str)],
) -> anyhow::Result<()> {
    let plain = |line: &str| {
        let replace = |line: String, (from, to): &(String, &'static str)| line.replace(from, to);
        hidden.iter().fold(line.to_owned(), replace)
    };
    let lines = recording
        .out
        .iter()
        .map(|line| plain(&briefly(line)) + "\n");
    let out: String = lines.collect();
    let mut said = String::new();
    for (after, id, line) in &recording.said {
        let record = json!({"after": after, "id": id, "line": plain(line)});
        said += &format!("{record}\n");
    }
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join(format!("{name}.jsonl")), out)?;
    std::fs::write(folder.join(format!("{name}.said.jsonl")), said)?;
    Ok(())
}

/// How many entries of a list of commands are kept: some agents tell hundreds, again and again.
const COMMANDS: usize = 2;

/// The line without what is long and means nothing to a codec.
fn briefly(line: &str) -> String {
    let Ok(mut value) = serde_json::from_str::<Value>(line) else {
        return line.to_owned();
    };
    let Some(update) = value.pointer_mut("/params/update") else {
        return line.to_owned();
    };
    let Some(commands) = update.get_mut("availableCommands") else {
        return line.to_owned();
    };
    if let Some(commands) = commands.as_array_mut() {
        commands.truncate(COMMANDS);
    }
    if let Some(update) = update.as_object_mut() {
        update.remove("_meta");
    }
    value.to_string()
}
