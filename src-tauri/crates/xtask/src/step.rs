//! One step: a program that is run to its end, with its progress shown and its failure named.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, bail};

use crate::say;

/// Lines of a quiet program that are shown when it fails.
const TAIL: usize = 60;

/// Runs `command` with its output in plain sight.
pub(crate) fn shown(what: &str, command: &mut Command) -> anyhow::Result<()> {
    say::begin(what);
    let began = Instant::now();
    let status = command.status().with_context(|| cannot_start(command))?;
    if !status.success() {
        bail!("{what}: {} ended with {status}", name(command));
    }
    say::good(&format!("{what} ({})", say::time(began.elapsed())));
    Ok(())
}

/// Runs `command` and shows its output only when it fails.
pub(crate) fn quiet(what: &str, command: &mut Command) -> anyhow::Result<String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| cannot_start(command))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    let lines: Vec<&str> = said.lines().collect();
    let tail = &lines[lines.len().saturating_sub(TAIL)..];
    bail!(
        "{what}: {} ended with {}\n{}",
        name(command),
        output.status,
        tail.join("\n")
    );
}

/// Whether `command` runs and ends well. What it says is not shown.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    let silent = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    silent.status().is_ok_and(|status| status.success())
}

/// Runs `command`, gives each line of its output to `each`, and hands over how it ended.
pub(crate) fn lines(
    command: &mut Command,
    mut each: impl FnMut(&str) -> anyhow::Result<()>,
) -> anyhow::Result<std::process::ExitStatus> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| cannot_start(command))?;
    if let Some(stdout) = child.stdout.take() {
        for line in std::io::BufRead::lines(std::io::BufReader::new(stdout)) {
            each(&line?)?;
        }
    }
    std::io::stdout().flush()?;
    Ok(child.wait()?)
}

fn cannot_start(command: &Command) -> String {
    format!("cannot start {}", name(command))
}

fn name(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_shows_what_was_said() {
        let error = quiet("greet", Command::new("sh").args(["-c", "echo no; exit 3"])).unwrap_err();
        let text = format!("{error:#}");
        assert!(
            text.contains("greet") && text.contains("no") && text.contains('3'),
            "{text}"
        );
    }

    #[test]
    fn lines_come_one_by_one() {
        let mut seen = Vec::new();
        let status = lines(Command::new("sh").args(["-c", "echo a; echo b"]), |line| {
            seen.push(line.to_owned());
            Ok(())
        });
        assert!(status.unwrap().success());
        assert_eq!(seen, ["a", "b"]);
    }
}
