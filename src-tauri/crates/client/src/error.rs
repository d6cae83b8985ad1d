//! How a call ends when it does not end well.

use paddock_api::{ErrorBody, ErrorCode, ErrorDetail};

/// A call failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// Nobody answers there.
    #[error("no server answers at {url}: {cause}")]
    Unreachable {
        /// Where.
        url: String,
        /// Why.
        cause: String,
    },
    /// The server refused, or tried and failed.
    #[error("{}", detail.message)]
    Refused {
        /// The HTTP status.
        status: u16,
        /// The server's code, message and details.
        detail: Box<ErrorDetail>,
    },
    /// What came back is not what the API promises.
    #[error("the answer from {url} cannot be read: {cause}; are client and server of one version?")]
    Unreadable {
        /// Where it came from.
        url: String,
        /// What is wrong with it.
        cause: String,
    },
}

impl ClientError {
    /// The server's code; none when it did not answer in its own words.
    #[must_use]
    pub fn code(&self) -> Option<ErrorCode> {
        match self {
            Self::Refused { detail, .. } => Some(detail.code),
            Self::Unreachable { .. } | Self::Unreadable { .. } => None,
        }
    }

    pub(crate) fn unreachable(url: &str, error: &reqwest::Error) -> Self {
        Self::Unreachable {
            url: url.to_owned(),
            cause: innermost(error),
        }
    }

    pub(crate) fn unreadable(url: &str, cause: impl std::fmt::Display) -> Self {
        Self::Unreadable {
            url: url.to_owned(),
            cause: cause.to_string(),
        }
    }

    /// What an answer with an error status says; a body in other words becomes its message.
    pub(crate) fn refused(status: u16, body: &[u8]) -> Self {
        let detail = serde_json::from_slice::<ErrorBody>(body).map_or_else(
            |_| {
                let said: String = String::from_utf8_lossy(body).chars().take(200).collect();
                ErrorDetail {
                    code: ErrorCode::Unknown,
                    message: format!("the server answered {status}: {said}"),
                    details: serde_json::Value::Null,
                }
            },
            |body| body.error,
        );
        Self::Refused {
            status,
            detail: Box::new(detail),
        }
    }

    /// Whether trying again may help: the connection, not the request, is at fault.
    pub(crate) fn is_passing(&self) -> bool {
        match self {
            Self::Unreachable { .. } => true,
            Self::Refused { status, .. } => *status == 503,
            Self::Unreadable { .. } => false,
        }
    }
}

/// The cause at the bottom, which says more than the layers above it.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}
