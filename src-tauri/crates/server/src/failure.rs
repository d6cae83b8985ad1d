//! Every answer that is not a success, in one shape; and the one table from what the orchestrator says to
//! what a client branches on.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use paddock_api::{ErrorBody, ErrorCode, ErrorDetail};
use paddock_orchestrator::CommandError;
use serde_json::{Value, json};

/// A request is refused, or failed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Failure {
    pub(crate) code: ErrorCode,
    pub(crate) message: String,
    pub(crate) details: Value,
    /// After how many seconds it is worth another try.
    pub(crate) retry_after_s: Option<u64>,
}

impl Failure {
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            details: Value::Null,
            retry_after_s: None,
        }
    }

    pub(crate) fn with(mut self, details: Value) -> Self {
        self.details = details;
        self
    }

    pub(crate) fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after_s = Some(seconds);
        self
    }

    pub(crate) fn not_found(what: &'static str, message: impl Into<String>) -> Self {
        Self::new(ErrorCode::NotFound, message).with(json!({ "what": what }))
    }

    /// As it is told within a stream.
    pub(crate) fn detail(self) -> ErrorDetail {
        ErrorDetail {
            code: self.code,
            message: self.message,
            details: self.details,
        }
    }
}

/// The table.
impl From<CommandError> for Failure {
    fn from(error: CommandError) -> Self {
        let message = error.to_string();
        let plain = |code| Self::new(code, message.clone());
        match error {
            CommandError::NoSuchTask { .. } => Self::not_found("task", message),
            CommandError::NotFound { what, .. } => Self::not_found(what, message),
            CommandError::Invalid(_) | CommandError::Bad { .. } => plain(ErrorCode::Invalid),
            CommandError::NotNow { action, state } => {
                plain(ErrorCode::NotNow).with(json!({ "action": action, "state": state }))
            }
            CommandError::WouldLose { .. } => plain(ErrorCode::WouldLose),
            CommandError::Conflict { paths, .. } => {
                plain(ErrorCode::Conflict).with(json!({ "paths": paths }))
            }
            CommandError::Findings { findings } => {
                plain(ErrorCode::Findings).with(json!({ "findings": findings }))
            }
            CommandError::DiskFull { .. } => plain(ErrorCode::DiskFull).retry_after(10),
            CommandError::Overloaded { .. } => plain(ErrorCode::Overloaded).retry_after(1),
            CommandError::ShuttingDown => plain(ErrorCode::ShuttingDown).retry_after(5),
            CommandError::Failed { .. } => plain(ErrorCode::Failed),
            // The enum may grow; what is not in the table is a fault of ours.
            _ => plain(ErrorCode::Internal),
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.code.status());
        let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        if status == StatusCode::INTERNAL_SERVER_ERROR {
            tracing::warn!(code = %self.code, "a request failed");
        }
        let retry = self.retry_after_s;
        let mut response = (
            status,
            Json(ErrorBody {
                error: self.detail(),
            }),
        )
            .into_response();
        if let Some(seconds) = retry {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if status == StatusCode::UNAUTHORIZED {
            let scheme = HeaderValue::from_static("Bearer realm=\"paddock\"");
            response
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, scheme);
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use paddock_domain::{Action, InvalidSpec, StateName};

    #[test]
    fn every_refusal_of_the_orchestrator_has_its_code_and_status() {
        let text = || "m".to_owned();
        let table = [
            (CommandError::NoSuchTask { task: text() }, "not_found", 404),
            (
                CommandError::NotFound {
                    what: "harness",
                    message: text(),
                },
                "not_found",
                404,
            ),
            (
                CommandError::Invalid(InvalidSpec::EmptyPrompt),
                "invalid",
                400,
            ),
            (CommandError::Bad { message: text() }, "invalid", 400),
            (
                CommandError::NotNow {
                    action: Action::Send,
                    state: StateName::Purged,
                },
                "not_now",
                409,
            ),
            (
                CommandError::WouldLose { message: text() },
                "would_lose",
                409,
            ),
            (
                CommandError::Conflict {
                    message: text(),
                    paths: vec!["a".into()],
                },
                "conflict",
                409,
            ),
            (CommandError::Findings { findings: vec![] }, "findings", 409),
            (
                CommandError::Overloaded { what: "queue" },
                "overloaded",
                503,
            ),
            (CommandError::DiskFull { message: text() }, "disk_full", 507),
            (CommandError::ShuttingDown, "shutting_down", 503),
            (CommandError::Failed { message: text() }, "failed", 500),
        ];
        for (error, code, status) in table {
            let shown = format!("{error:?}");
            let failure = Failure::from(error);
            assert_eq!(
                (failure.code.as_str(), failure.code.status()),
                (code, status),
                "{shown}"
            );
        }
    }

    #[test]
    fn details_tell_a_client_what_to_offer_instead() {
        let not_now = CommandError::NotNow {
            action: Action::Send,
            state: StateName::Purged,
        };
        let details = Failure::from(not_now).details;
        assert_eq!(details, json!({ "action": "send", "state": "purged" }));
        let conflict = CommandError::Conflict {
            message: "m".into(),
            paths: vec!["a".into()],
        };
        assert_eq!(Failure::from(conflict).details, json!({ "paths": ["a"] }));
    }
}
