//! Which kind of failure Codex tells of.

use paddock_domain::ErrorClass;

use super::wire::{Named, TurnError};
use crate::failure;
use crate::json::Text;

/// The class of an error.
pub(super) fn class(error: &TurnError<'_>) -> ErrorClass {
    let Some(info) = error.codex_error_info else {
        return by_words(error);
    };
    if let Ok(name) = serde_json::from_str::<Text<'_>>(info.get()) {
        return by_name(&name).unwrap_or_else(|| by_words(error));
    }
    let named: Named<'_> = serde_json::from_str(info.get()).unwrap_or_default();
    match named
        .values()
        .next()
        .map(|failure| failure.http_status_code)
    {
        Some(Some(status)) => failure::by_status(status).unwrap_or(ErrorClass::Network),
        Some(None) => ErrorClass::Network,
        None => by_words(error),
    }
}

fn by_name(name: &str) -> Option<ErrorClass> {
    match name {
        "contextWindowExceeded" => Some(ErrorClass::ContextTooLong),
        "sessionBudgetExceeded" | "usageLimitExceeded" | "rateLimitExceeded" => {
            Some(ErrorClass::Quota)
        }
        "serverOverloaded"
        | "flexUnavailable"
        | "policyCapacityUnavailable"
        | "internalServerError" => Some(ErrorClass::Overload),
        "unauthorized" => Some(ErrorClass::Auth),
        "badRequest"
        | "modelNotFound"
        | "cyberPolicy"
        | "misalignmentPolicyViolation"
        | "inferenceHookDenied"
        | "tooManyDenials" => Some(ErrorClass::Refused),
        _ => None,
    }
}

/// Where the program says no more than `other`, its words are often the provider's.
fn by_words(error: &TurnError<'_>) -> ErrorClass {
    let words = error.message.as_deref().unwrap_or_default();
    if words.contains("context_length_exceeded") {
        ErrorClass::ContextTooLong
    } else if words.contains("invalid_request_error") {
        ErrorClass::Refused
    } else if words.contains("Missing environment variable") {
        ErrorClass::Auth
    } else {
        ErrorClass::Agent
    }
}

/// What the user can do about it, after the program's own words.
pub(super) fn advice(class: ErrorClass) -> &'static str {
    if class == ErrorClass::Auth {
        "check the key that Paddock passes to codex (OPENAI_API_KEY)"
    } else if class == ErrorClass::Network {
        "the provider cannot be reached: check the network and OPENAI_BASE_URL"
    } else {
        failure::advice(class)
    }
}
