//! The agents' own programs for people: how each is started on a terminal with a task's session.
//!
//! Data, one line a harness. Environment and files are those of a run, so what holds there (no secret in
//! arguments, no update, no telemetry) holds here; only the arguments differ. Start at [`terminal`].

use crate::launch::plain;
use crate::{Harness, LaunchError, LaunchPlan, LaunchRequest};

/// How one program is started for a person.
struct ForPeople {
    harness: &'static str,
    /// What comes before the id of a session that is gone on with.
    resume: &'static [&'static str],
    /// What begins a session.
    begin: &'static [&'static str],
    /// The option that names the model.
    model: &'static str,
}

const PROGRAMS: &[ForPeople] = &[
    ForPeople {
        harness: "claude",
        resume: &["--resume"],
        begin: &[],
        model: "--model",
    },
    ForPeople {
        harness: "codex",
        resume: &["resume"],
        begin: &[],
        model: "--model",
    },
    ForPeople {
        harness: "scripted",
        resume: &["--terminal", "--resume"],
        begin: &["--terminal"],
        model: "--model",
    },
];

/// Whether `harness` has a program for people.
#[must_use]
pub fn has_terminal(harness: &dyn Harness) -> bool {
    row(harness).is_some()
}

/// How the program of `harness` is started on a terminal; none when it has none for people.
///
/// # Errors
/// As [`Harness::launch`].
#[must_use]
pub fn terminal(
    harness: &dyn Harness,
    request: &LaunchRequest<'_>,
) -> Option<Result<LaunchPlan, LaunchError>> {
    let program = row(harness)?;
    let plan = harness.launch(request).and_then(|plan| {
        let args = arguments(program, request)?;
        Ok(LaunchPlan { args, ..plan })
    });
    Some(plan)
}

fn row(harness: &dyn Harness) -> Option<&'static ForPeople> {
    let name = harness.name();
    PROGRAMS.iter().find(|row| row.harness == name.as_str())
}

fn arguments(program: &ForPeople, request: &LaunchRequest<'_>) -> Result<Vec<String>, LaunchError> {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let mut args: Vec<String> = match request.resume {
        None => words(program.begin),
        Some(session) => {
            plain(program.harness, "session", session)?;
            let mut args: Vec<String> = words(program.resume);
            args.push(session.to_owned());
            args
        }
    };
    if let Some(model) = request.model {
        plain(program.harness, "model", model)?;
        args.extend([program.model.to_owned(), model.to_owned()]);
    }
    Ok(args)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use paddock_domain::PermissionMode;

    use super::*;
    use crate::{find, registry};

    fn args(harness: &str, resume: Option<&str>, model: Option<&str>) -> String {
        let provider = BTreeMap::from([
            ("ANTHROPIC_API_KEY".to_owned(), "secret-1".to_owned()),
            ("OPENAI_API_KEY".to_owned(), "secret-2".to_owned()),
        ]);
        let request = LaunchRequest {
            model,
            effort: None,
            permission_mode: PermissionMode::FullAuto,
            home: "/h",
            work_dir: "/w",
            resume,
            fork: false,
            session_id: "fresh",
            provider: &provider,
        };
        match terminal(find(harness).unwrap(), &request) {
            None => "none".to_owned(),
            Some(Err(error)) => error.to_string(),
            Some(Ok(plan)) => {
                assert!(!plan.args.concat().contains("secret"));
                assert!(plan.env.values().any(|value| value.contains("/h")));
                plan.args.join(" ")
            }
        }
    }

    #[test]
    fn a_session_is_gone_on_with_where_there_is_one() {
        assert_eq!(args("claude", Some("s-1"), None), "--resume s-1");
        assert_eq!(args("claude", None, Some("opus")), "--model opus");
        assert_eq!(
            args("codex", Some("s-1"), Some("m")),
            "resume s-1 --model m"
        );
        assert_eq!(
            args("scripted", Some("s-1"), None),
            "--terminal --resume s-1"
        );
        assert_eq!(args("pi", Some("s-1"), None), "none");
    }

    #[test]
    fn nothing_that_looks_like_an_option_is_passed_as_a_session() {
        let said = args("claude", Some("--dangerously"), None);
        assert!(said.contains("option"), "{said}");
    }

    #[test]
    fn every_line_names_a_harness() {
        for row in PROGRAMS {
            let known = registry()
                .iter()
                .any(|known| known.name().as_str() == row.harness);
            assert!(known, "{}", row.harness);
        }
    }
}
