//! Which kind of failure an agent tells of.
//!
//! The protocol has one code for a missing login; all else is the provider's words, passed on.

use paddock_domain::ErrorClass;

use super::wire::RpcError;

/// The protocol's code for "log in first".
const AUTH_REQUIRED: i64 = -32000;

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

/// The class of an error, and its words.
pub(super) fn class(error: &RpcError) -> ErrorClass {
    if error.code == AUTH_REQUIRED {
        return ErrorClass::Auth;
    }
    let words = words(error).to_lowercase();
    let known = WORDS
        .iter()
        .find(|(_, signs)| signs.iter().any(|sign| words.contains(sign)));
    known.map_or_else(|| by_status(error.code), |(class, _)| *class)
}

/// The message with the detail that some agents keep apart from it.
pub(super) fn words(error: &RpcError) -> String {
    let data = error.data.as_ref();
    let detail = data.and_then(|data| {
        let places = ["details", "message"];
        data.as_str()
            .or(places.iter().find_map(|key| data.get(key)?.as_str()))
    });
    match detail {
        Some(detail) if !error.message.contains(detail) => format!("{}: {detail}", error.message),
        Some(_) | None if error.message.is_empty() => "no reason given".to_owned(),
        Some(_) | None => error.message.clone(),
    }
}

/// Gemini's codes are the provider's HTTP status.
fn by_status(code: i64) -> ErrorClass {
    match code {
        401 | 403 => ErrorClass::Auth,
        402 | 429 => ErrorClass::Quota,
        400..=499 => ErrorClass::Refused,
        500..=599 => ErrorClass::Overload,
        _ => ErrorClass::Agent,
    }
}

/// What the user can do about it, after the agent's own words.
pub(super) fn advice(class: ErrorClass) -> &'static str {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn class_of(line: &str) -> ErrorClass {
        class(&serde_json::from_str(line).unwrap())
    }

    #[test]
    fn errors_of_the_real_agents_have_their_class() {
        let cases = [
            (
                r#"{"code":-32000,"message":"Authentication required: 401 invalid x-api-key"}"#,
                ErrorClass::Auth,
            ),
            (
                r#"{"code":401,"message":"{\"error\":{\"status\":\"UNAUTHENTICATED\"}}"}"#,
                ErrorClass::Auth,
            ),
            (
                r#"{"code":500,"message":"terminated"}"#,
                ErrorClass::Network,
            ),
            (
                r#"{"code":-32603,"message":"Internal error: fake: this request is invalid"}"#,
                ErrorClass::Refused,
            ),
            (
                r#"{"code":-32603,"message":"Internal error","data":{"details":"No previous sessions"}}"#,
                ErrorClass::Agent,
            ),
            (
                r#"{"code":-32603,"message":"x","data":{"message":"last status: 429 Too Many Requests"}}"#,
                ErrorClass::Quota,
            ),
        ];
        for (line, expected) in cases {
            assert_eq!(class_of(line), expected, "{line}");
        }
    }

    #[test]
    fn a_detail_is_told_beside_the_message() {
        let error: RpcError = serde_json::from_str(
            r#"{"code":1,"message":"Internal error","data":{"details":"gone"}}"#,
        )
        .unwrap();
        assert_eq!(words(&error), "Internal error: gone");
    }
}
