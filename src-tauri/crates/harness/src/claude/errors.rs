//! Which kind of failure a failed turn is.

use paddock_domain::ErrorClass;

use super::wire::TurnResult;
use crate::failure;

/// The class of a result that is an error; `spoken` is the error name of the message that the program
/// spoke in the model's name, which is often all there is.
pub(super) fn class(result: &TurnResult<'_>, spoken: Option<&str>) -> ErrorClass {
    if result.terminal_reason.as_deref() == Some("prompt_too_long") {
        return ErrorClass::ContextTooLong;
    }
    if result.stop_reason.as_deref() == Some("refusal") {
        return ErrorClass::Refused;
    }
    let by_status = result.api_error_status.and_then(failure::by_status);
    let named = result.api_error.as_deref().and_then(by_name);
    by_status
        .or(named)
        .or_else(|| spoken.and_then(by_name))
        .unwrap_or(ErrorClass::Agent)
}

/// The class of a failed request that is made again.
pub(super) fn of_retry(name: &str, status: Option<u64>) -> Option<ErrorClass> {
    by_name(name).or_else(|| status.and_then(failure::by_status))
}

fn by_name(name: &str) -> Option<ErrorClass> {
    match name {
        "authentication_failed" | "oauth_org_not_allowed" => Some(ErrorClass::Auth),
        "billing_error" | "rate_limit" => Some(ErrorClass::Quota),
        "overloaded" | "server_error" => Some(ErrorClass::Overload),
        "connection_failed" | "connection_timeout" => Some(ErrorClass::Network),
        "invalid_request" | "model_not_found" => Some(ErrorClass::Refused),
        _ => None,
    }
}

/// What the user can do about it, after the program's own words.
pub(super) fn advice(class: ErrorClass) -> &'static str {
    if class == ErrorClass::Auth {
        "check the key or login that Paddock passes to claude"
    } else if class == ErrorClass::ContextTooLong {
        "the conversation is too long: compact it or start a new task"
    } else {
        failure::advice(class)
    }
}
