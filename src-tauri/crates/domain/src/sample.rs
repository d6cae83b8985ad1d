//! Tasks for tests, from what their journals tell.

use crate::{Event, Task};

/// The task that begins and is then told `lines`, the insides of events of one run, one a second.
pub(crate) fn told(lines: &[&str]) -> Task {
    let mut seq = 0;
    let mut event = |rest: &str| -> Event {
        seq += 1;
        let line = format!(
            r#"{{"event_id":"e{seq}","ts":"2026-01-01T00:00:{seq:02}.000Z","seq":{seq},"task_id":"t","run_id":"r",{rest}}}"#
        );
        serde_json::from_str(&line).unwrap()
    };
    let first = event(
        r#""type":"session_started","task_description":"t","coding_provider":"claude","spec":{"prompt":"go","harness":"claude"}"#,
    );
    let mut task = Task::begin(&first).unwrap();
    for line in lines {
        task.record(&event(line));
    }
    task
}
