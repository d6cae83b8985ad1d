//! The tools of a turn: files and commands.
//!
//! Start at [`Turn::tool`].

use std::fs;
use std::io;
use std::path::Path;

use super::News;
use super::turn::{Stop, Turn};
use crate::command::{Finished, MOST_OUTPUT, Running};
use crate::message::{Said, ToolInput, ToolKind};

/// How an image begins.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
/// Largest image that is shown, in bytes.
const MOST_IMAGE: usize = 1 << 20;

impl Turn<'_> {
    /// Runs a tool under an id of its own.
    pub(super) fn tool(&mut self, input: &ToolInput) -> Result<(), Stop> {
        let call = self.new_id('c');
        self.tool_as(call, input)
    }

    /// Runs a tool under the id `call`.
    pub(super) fn tool_as(&mut self, call: String, input: &ToolInput) -> Result<(), Stop> {
        let kind = input.kind();
        let started = Said::ToolStarted {
            call: call.clone(),
            kind,
            input: input.clone(),
        };
        self.say(&started)?;
        let mut images = Vec::new();
        let done = match input {
            ToolInput::Write { path, content } => write(path, content),
            ToolInput::Edit { path, old, new } => edit(path, old, new),
            ToolInput::Read { path } => fs::read(path).map(|bytes| read(&bytes, &mut images)),
            ToolInput::Bash { command } => return self.bash(call, command),
        };
        let (ok, output) = match done {
            Ok(output) => (true, output),
            Err(error) => (false, error.to_string()),
        };
        self.say(&Said::ToolFinished {
            call,
            kind,
            ok,
            output,
            exit: None,
            images,
        })
    }

    fn bash(&mut self, call: String, command: &str) -> Result<(), Stop> {
        let running = match Running::start(command, self.agent.queue.clone()) {
            Ok(running) => running,
            Err(error) => {
                let output = format!("cannot be run: {error}");
                return self.finish(call, ToolKind::Bash, false, output, None);
            }
        };
        let mut interrupted = false;
        let Finished { exit, output, .. } = loop {
            match self.agent.listen()? {
                News::Finished(finished) if finished.pid == running.pid => break finished,
                News::Interrupt => {
                    interrupted = true;
                    running.kill();
                }
                News::Reply(input) => self.agent.refuse(&input)?,
                News::Nothing | News::Finished(_) => {}
            }
        };
        let ok = exit == 0 && !interrupted;
        self.finish(call, ToolKind::Bash, ok, output, Some(exit))?;
        if interrupted {
            Err(Stop::Interrupted)
        } else {
            Ok(())
        }
    }

    fn finish(
        &mut self,
        call: String,
        kind: ToolKind,
        ok: bool,
        output: String,
        exit: Option<i32>,
    ) -> Result<(), Stop> {
        self.say(&Said::ToolFinished {
            call,
            kind,
            ok,
            output,
            exit,
            images: Vec::new(),
        })
    }
}

/// A file as text; an image is shown.
fn read(bytes: &[u8], images: &mut Vec<String>) -> String {
    if !bytes.starts_with(PNG) || bytes.len() > MOST_IMAGE {
        return text_of(bytes);
    }
    images.push(base64(bytes));
    "[image]".to_owned()
}

/// Bytes in the standard alphabet of RFC 4648, with padding.
fn base64(bytes: &[u8]) -> String {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let byte = |nth: usize| u32::from(three.get(nth).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for nth in 0..4 {
            let sign = alphabet[(bits >> (18 - 6 * nth) & 63) as usize];
            text.push(if nth <= three.len() {
                char::from(sign)
            } else {
                '='
            });
        }
    }
    text
}

fn write(path: &str, content: &str) -> io::Result<String> {
    if let Some(folder) = Path::new(path).parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, content)?;
    Ok(format!("wrote {} bytes", content.len()))
}

fn edit(path: &str, old: &str, new: &str) -> io::Result<String> {
    let text = fs::read_to_string(path)?;
    if !text.contains(old) {
        return Err(io::Error::other(format!("{old:?} is not in {path}")));
    }
    fs::write(path, text.replacen(old, new, 1))?;
    Ok("edited".to_owned())
}

fn text_of(bytes: &[u8]) -> String {
    let kept = &bytes[..bytes.len().min(MOST_OUTPUT)];
    String::from_utf8_lossy(kept).into_owned()
}
