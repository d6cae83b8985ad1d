//! How a request is refused, or fails: one body shape, one code a client can branch on.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The body of every answer that is not a success.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ErrorBody {
    /// What went wrong.
    pub error: ErrorDetail,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ErrorDetail {
    /// What a client branches on.
    pub code: ErrorCode,
    /// What happened and what to do, for a person.
    pub message: String,
    /// What a client needs to go on; its shape follows from the code, `null` where there is nothing.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub details: serde_json::Value,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $wire:literal, $status:literal;)*) => {
        /// What a client branches on. A code from a newer server reads as [`Self::Unknown`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum ErrorCode {
            $($(#[$doc])* $variant,)*
            /// A code that this client does not know; never sent.
            #[serde(other)]
            Unknown,
        }

        impl ErrorCode {
            /// Every code that is sent.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The code on the wire.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $wire,)* Self::Unknown => "unknown" }
            }

            /// The HTTP status that goes with it. This is the one table of codes and statuses.
            #[must_use]
            pub fn status(self) -> u16 {
                match self { $(Self::$variant => $status,)* Self::Unknown => 500 }
            }
        }
    };
}

codes! {
    /// The request makes no sense as it is.
    Invalid = "invalid", 400;
    /// No token, no cookie, or a wrong one.
    Unauthenticated = "unauthenticated", 401;
    /// The request comes from a place that may not ask: another site, an unknown host name.
    Forbidden = "forbidden", 403;
    /// What the request names is not there; `details.what` says which kind of thing.
    NotFound = "not_found", 404;
    /// The path is there and takes other methods.
    MethodNotAllowed = "method_not_allowed", 405;
    /// Not possible while the task is in its state; `details` has `action` and `state`.
    NotNow = "not_now", 409;
    /// It would lose work; repeat with `force` to go on all the same.
    WouldLose = "would_lose", 409;
    /// The world is not as the caller believed; `details.paths` names files in conflict.
    Conflict = "conflict", 409;
    /// The scan holds the push back; `details.findings` can be let pass by name.
    Findings = "findings", 409;
    /// The body is larger than is taken.
    TooLarge = "too_large", 413;
    /// The body is not `application/json`.
    UnsupportedMediaType = "unsupported_media_type", 415;
    /// Too many wrong tokens or codes; try again after `Retry-After`.
    TooManyAttempts = "too_many_attempts", 429;
    /// It was tried and broke; the message says what was kept.
    Failed = "failed", 500;
    /// A fault in Paddock itself.
    Internal = "internal", 500;
    /// The disk has no room for new work; what runs goes on, and so does this once there is room.
    DiskFull = "disk_full", 507;
    /// Too much is waiting; try again in a moment.
    Overloaded = "overloaded", 503;
    /// Paddock is shutting down; tasks go on.
    ShuttingDown = "shutting_down", 503;
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_code_is_its_wire_form() {
        for code in ErrorCode::ALL {
            assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
        }
    }

    #[test]
    fn a_code_from_the_future_is_read_as_unknown() {
        let body = r#"{"error":{"code":"out_of_coffee","message":"m"}}"#;
        let body: ErrorBody = serde_json::from_str(body).unwrap();
        assert_eq!(body.error.code, ErrorCode::Unknown);
        assert_eq!(body.error.details, serde_json::Value::Null);
    }

    #[test]
    fn every_code_is_an_error_status() {
        for code in ErrorCode::ALL {
            assert!((400..600).contains(&code.status()), "{code}");
        }
    }
}
