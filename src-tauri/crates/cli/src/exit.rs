//! How `paddock` ends: one code a way, the same for every verb, documented in `--help`.

use std::fmt::Write as _;

use paddock_api::ErrorCode;
use paddock_client::{BadServer, ClientError};

/// What every `--help` says of exit codes.
pub(crate) const HELP: &str = "\
Exit codes:
   0  it went well; the turn ended well
   1  it failed
   2  the command line is wrong
   3  the turn failed, or the agent crashed
   4  the turn was interrupted or the task stopped
   5  the agent needs an answer (`paddock answer`)
   6  the task could not be set up
   7  no server can be reached
   8  refused: not possible now, would lose work, in conflict, or too busy
   9  no token, or a wrong one
  10  there is no such task, harness, repository …
  11  another server has this data directory (`serve`)
  12  left alone with Ctrl-C; the task goes on";

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// It went well.
    Well,
    /// It failed.
    Failed,
    /// The command line is wrong.
    Usage,
    /// The turn failed, or the agent crashed.
    TurnFailed,
    /// The turn was interrupted or the task stopped.
    Interrupted,
    /// The agent needs an answer.
    NeedsAnswer,
    /// The task could not be set up.
    SetupFailed,
    /// No server can be reached.
    Unreachable,
    /// Refused.
    Refused,
    /// No token, or a wrong one.
    Unauthenticated,
    /// There is no such thing.
    NotFound,
    /// Another server has this data directory.
    InUse,
    /// Left alone; the task goes on.
    Detached,
}

impl Exit {
    /// The code that the shell sees.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Well => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::TurnFailed => 3,
            Self::Interrupted => 4,
            Self::NeedsAnswer => 5,
            Self::SetupFailed => 6,
            Self::Unreachable => 7,
            Self::Refused => 8,
            Self::Unauthenticated => 9,
            Self::NotFound => 10,
            Self::InUse => 11,
            Self::Detached => 12,
        }
    }

    /// How an error ends the program.
    pub(crate) fn of(error: &anyhow::Error) -> Self {
        if let Some(told) = error.downcast_ref::<Told>() {
            return told.exit;
        }
        match error.downcast_ref::<ClientError>() {
            Some(ClientError::Unreachable { .. }) => return Self::Unreachable,
            Some(other) => return other.code().map_or(Self::Failed, Self::of_code),
            None => {}
        }
        match error.downcast_ref::<BadServer>() {
            Some(BadServer::Url { .. }) => Self::Usage,
            Some(BadServer::NotServing { .. }) => Self::Unreachable,
            Some(BadServer::File { .. }) | None => Self::Failed,
        }
    }

    fn of_code(code: ErrorCode) -> Self {
        match code {
            ErrorCode::Invalid => Self::Usage,
            ErrorCode::Unauthenticated | ErrorCode::Forbidden | ErrorCode::TooManyAttempts => {
                Self::Unauthenticated
            }
            ErrorCode::NotFound => Self::NotFound,
            ErrorCode::NotNow
            | ErrorCode::WouldLose
            | ErrorCode::Conflict
            | ErrorCode::Findings
            | ErrorCode::DiskFull
            | ErrorCode::Overloaded
            | ErrorCode::ShuttingDown => Self::Refused,
            ErrorCode::MethodNotAllowed
            | ErrorCode::TooLarge
            | ErrorCode::UnsupportedMediaType
            | ErrorCode::Failed
            | ErrorCode::Internal
            | ErrorCode::Unknown => Self::Failed,
        }
    }
}

/// An error of our own words that knows how it ends the program.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(crate) struct Told {
    pub(crate) exit: Exit,
    pub(crate) message: String,
}

/// An error that ends the program as `exit`, saying `message`.
pub(crate) fn told(exit: Exit, message: impl Into<String>) -> anyhow::Error {
    Told {
        exit,
        message: message.into(),
    }
    .into()
}

/// What the user is told of an error: what happened, and what to do where the server says so in details.
pub(crate) fn tell(error: &anyhow::Error) -> String {
    let mut said = format!("paddock: {error:#}");
    let Some(ClientError::Refused { detail, .. }) = error.downcast_ref::<ClientError>() else {
        return said;
    };
    for path in strings(&detail.details["paths"]) {
        let _ = write!(said, "\n  in conflict: {path}");
    }
    for finding in detail.details["findings"].as_array().into_iter().flatten() {
        let text = |name: &str| finding[name].as_str().unwrap_or_default().to_owned();
        let _ = write!(
            said,
            "\n  {}  {}  {}  {}",
            text("id"),
            text("rule"),
            text("path"),
            text("excerpt")
        );
    }
    for (key, why) in detail.details["fields"].as_object().into_iter().flatten() {
        let _ = write!(said, "\n  {key}: {}", why.as_str().unwrap_or_default());
    }
    if detail.code == ErrorCode::Findings {
        said.push_str("\n  let some pass with --allow ID");
    }
    if detail.code == ErrorCode::WouldLose {
        said.push_str("\n  go on all the same with --force");
    }
    said
}

fn strings(value: &serde_json::Value) -> impl Iterator<Item = &str> {
    value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(serde_json::Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;
    use paddock_api::ErrorDetail;

    fn refused(code: ErrorCode, details: serde_json::Value) -> anyhow::Error {
        let detail = Box::new(ErrorDetail {
            code,
            message: "no".into(),
            details,
        });
        ClientError::Refused {
            status: code.status(),
            detail,
        }
        .into()
    }

    #[test]
    fn every_code_is_in_the_help_and_no_two_are_the_same() {
        let all = [
            Exit::Well,
            Exit::Failed,
            Exit::Usage,
            Exit::TurnFailed,
            Exit::Interrupted,
            Exit::NeedsAnswer,
            Exit::SetupFailed,
            Exit::Unreachable,
            Exit::Refused,
            Exit::Unauthenticated,
            Exit::NotFound,
            Exit::InUse,
            Exit::Detached,
        ];
        for (nth, exit) in all.iter().enumerate() {
            assert_eq!(usize::from(exit.code()), nth);
            assert!(HELP.contains(&format!("\n  {nth:>2}  ")), "{nth}");
        }
    }

    #[test]
    fn errors_end_with_their_code() {
        let null = serde_json::Value::Null;
        for (code, exit) in [
            (ErrorCode::Unauthenticated, 9),
            (ErrorCode::NotFound, 10),
            (ErrorCode::NotNow, 8),
            (ErrorCode::Invalid, 2),
            (ErrorCode::Failed, 1),
        ] {
            assert_eq!(
                Exit::of(&refused(code, null.clone())).code(),
                exit,
                "{code}"
            );
        }
        let gone = ClientError::Unreachable {
            url: "u".into(),
            cause: "c".into(),
        };
        assert_eq!(Exit::of(&gone.into()), Exit::Unreachable);
        assert_eq!(
            Exit::of(&told(Exit::InUse, "x").context("deeper")),
            Exit::InUse
        );
        assert_eq!(Exit::of(&anyhow::anyhow!("x")), Exit::Failed);
    }

    #[test]
    fn findings_are_listed_with_what_to_do() {
        let details = serde_json::json!({ "findings": [
            { "id": "f1", "rule": "aws-key", "path": "a.env", "excerpt": "AKIA…" }
        ]});
        let said = tell(&refused(ErrorCode::Findings, details));
        assert!(
            said.contains("f1  aws-key  a.env  AKIA…") && said.contains("--allow"),
            "{said}"
        );
    }
}
