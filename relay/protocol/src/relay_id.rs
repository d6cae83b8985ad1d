//! Which life of a relay this is.
//!
//! Invariant: two relays never have the same id, also on one directory: whoever compares ids never
//! takes the log of one for the log of the other.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One life of a relay, from its start to its end. Sixteen hexadecimal digits as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RelayId(u64);

/// The text is no id of a relay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the id of a relay has sixteen hexadecimal digits")]
pub struct InvalidRelayId;

impl RelayId {
    /// The id that these random bytes make.
    #[must_use]
    pub const fn from_random(bytes: [u8; 8]) -> Self {
        Self(u64::from_be_bytes(bytes))
    }
}

impl fmt::Display for RelayId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl From<RelayId> for String {
    fn from(id: RelayId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for RelayId {
    type Error = InvalidRelayId;

    fn try_from(text: String) -> Result<Self, InvalidRelayId> {
        let digits = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let id = u64::from_str_radix(&text, 16).ok().filter(|_| digits);
        id.map(Self).ok_or(InvalidRelayId)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_sixteen_digits_both_ways() {
        let id = RelayId::from_random([0, 1, 2, 3, 4, 5, 6, 255]);
        let json = serde_json::to_string(&id).unwrap();
        assert_eq!(json, "\"00010203040506ff\"");
        assert_eq!(serde_json::from_str::<RelayId>(&json).unwrap(), id);
    }

    #[test]
    fn other_text_is_no_id() {
        for bad in [
            "",
            "0",
            "+001020304050607",
            "00010203040506fg",
            "00010203040506ff0",
        ] {
            assert_eq!(
                RelayId::try_from(bad.to_owned()),
                Err(InvalidRelayId),
                "{bad}"
            );
        }
    }
}
