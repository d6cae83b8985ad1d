//! Which kind of failure the words of a provider or of its client tell of, and what to do about it.

use paddock_domain::ErrorClass;

/// Words by which providers and their clients are known, in the order in which they count.
const WORDS: &[(ErrorClass, &[&str])] = &[
    (
        ErrorClass::Auth,
        &[
            "invalid x-api-key",
            "invalid api key",
            "api key is missing",
            "missing api key",
            "unauthenticated",
            "unauthorized",
            "401",
        ],
    ),
    (
        ErrorClass::ContextTooLong,
        &[
            "context_length",
            "context length",
            "too long",
            "maximum context",
        ],
    ),
    (
        ErrorClass::Quota,
        &[
            "rate limit",
            "rate_limit",
            "too many requests",
            "quota",
            "429",
        ],
    ),
    (
        ErrorClass::Overload,
        &["overloaded", "unavailable", "529", "503"],
    ),
    (
        ErrorClass::Network,
        &[
            "econn",
            "fetch failed",
            "terminated",
            "socket",
            "network",
            "timed out",
        ],
    ),
    (
        ErrorClass::Refused,
        &["invalid_request", "request is invalid", "invalid request"],
    ),
];

/// The class of an HTTP status of a model's API, where it tells one.
pub(crate) fn by_status(status: u64) -> Option<ErrorClass> {
    match status {
        401 | 403 => Some(ErrorClass::Auth),
        402 | 429 => Some(ErrorClass::Quota),
        413 => Some(ErrorClass::ContextTooLong),
        400..=499 => Some(ErrorClass::Refused),
        500..=599 => Some(ErrorClass::Overload),
        _ => None,
    }
}

/// The class that the words of a failure tell, where they tell one.
pub(crate) fn by_words(words: &str) -> Option<ErrorClass> {
    let words = words.to_lowercase();
    let known = WORDS
        .iter()
        .find(|(_, signs)| signs.iter().any(|sign| words.contains(sign)));
    known.map(|(class, _)| *class)
}

/// What the user can do about it, after the agent's own words.
pub(crate) fn advice(class: ErrorClass) -> &'static str {
    match class {
        ErrorClass::Auth => "check the key that Paddock passes to the agent",
        ErrorClass::Quota => "wait until the limit is lifted, or use another account",
        ErrorClass::Overload => "the provider is overloaded: try again in a while",
        ErrorClass::Network => "the provider cannot be reached: check the network and the base URL",
        ErrorClass::ContextTooLong => "the conversation is too long: start a new task",
        ErrorClass::Refused => "change the request: the provider will refuse it again",
        ErrorClass::Agent
        | ErrorClass::SessionLost
        | ErrorClass::UnknownLine
        | ErrorClass::Setup
        | ErrorClass::Git
        | ErrorClass::Internal => "say it again, or stop and revive the task",
    }
}
