//! A check of a task's work: a command of the user's, run in the box, judged by its exit code.

use std::time::Duration;

use paddock_domain::{Body, CheckResult};
use paddock_exec::{Command, ExecError, Exit, Limits};
use tokio::time::Instant;

use super::Work;
use crate::runner::Note;
use crate::{CommandError, place};

/// How long a check may take.
const TIME: Duration = Duration::from_secs(20 * 60);

/// Runs the check with its words kept apart from the work tree, says the end of them, and ends as it did.
const SCRIPT: &str = r#"log="${TMPDIR:-/tmp}/paddock-check.$$"; sh -c "$1" >"$log" 2>&1 </dev/null; code=$?; tail -c "$2" "$log"; rm -f "$log"; exit $code"#;

/// Runs `command` in the box, and writes down how it ended.
pub(crate) async fn check(work: &Work, command: String) -> Result<CheckResult, CommandError> {
    let live = work.place()?;
    let most = CheckResult::OUTPUT_MAX.to_string();
    let run = place::environment(live, std::collections::BTreeMap::new())
        .into_iter()
        .fold(Command::new("sh"), |run, (name, value)| {
            run.env(name, value)
        });
    let run = run
        .args(["-c", SCRIPT, "sh", &command, &most])
        .cwd(&live.work_dir);
    let begun = Instant::now();
    let limits = Limits {
        stdout: CheckResult::OUTPUT_MAX * 2,
        time: TIME,
    };
    let (exit_code, output) = match live.place().run(&run, limits).await {
        Ok(output) => {
            let code = match output.exit {
                Exit::Code(code) => Some(code),
                Exit::Signal(_) => None,
            };
            (code, output.text())
        }
        Err(ExecError::TimedOut { .. }) => {
            let minutes = TIME.as_secs() / 60;
            (
                None,
                format!("it took more than {minutes} minutes and was ended"),
            )
        }
        Err(error) => return Err(CommandError::failed(error)),
    };
    let result = CheckResult {
        command,
        exit_code,
        duration_ms: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
        output,
        finished_at: None,
    };
    work.note(Note::Write(vec![Body::CheckFinished(result.clone())]))
        .await;
    Ok(result)
}
