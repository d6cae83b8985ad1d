//! Pairing: a code that is good once and for a short time becomes a cookie.

use paddock_domain::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Exchanges a pairing code for a session cookie.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExchangeRequest {
    /// The code.
    pub code: String,
}

/// A code that pairs one browser or window.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PairingCode {
    /// The code; good once.
    pub code: String,
    /// The path that exchanges it when a browser opens it.
    pub path: String,
    /// When it is no longer good.
    pub expires_at: Timestamp,
}
