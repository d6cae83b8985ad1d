//! Which kind of failure an agent tells of.
//!
//! The protocol has one code for a missing login; all else is the provider's words, passed on.

use paddock_domain::ErrorClass;

use super::wire::RpcError;
use crate::failure;

/// The protocol's code for "log in first".
const AUTH_REQUIRED: i64 = -32000;

/// The class of an error, and its words.
pub(super) fn class(error: &RpcError) -> ErrorClass {
    if error.code == AUTH_REQUIRED {
        return ErrorClass::Auth;
    }
    failure::by_words(&words(error)).unwrap_or_else(|| by_status(error.code))
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
    let status = u64::try_from(code).ok();
    status
        .and_then(failure::by_status)
        .unwrap_or(ErrorClass::Agent)
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
            (r#"{"code":413,"message":"x"}"#, ErrorClass::ContextTooLong),
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
