//! The handshake: who is there, and which protocol versions each side speaks.
//!
//! Both sides send [`MAGIC`] and a greeting at once, neither waits for the other first, so each can
//! name both ranges when they do not meet.

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use crate::wire::{WireError, encode_header, read_header};
use crate::{BoxId, RelayId, limits};

/// The first bytes in either direction.
pub const MAGIC: [u8; 8] = *b"PADDOCK\n";

/// The protocol versions that one side speaks, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VersionRange {
    /// Oldest.
    pub min: u16,
    /// Newest.
    pub max: u16,
}

impl VersionRange {
    /// What this build speaks. Since 2 a relay holds terminals.
    pub const THIS_BUILD: Self = Self { min: 1, max: 2 };

    /// Reads `MIN-MAX`, or one version.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (min, max) = text.split_once('-').unwrap_or((text, text));
        let range = Self {
            min: min.parse().ok()?,
            max: max.parse().ok()?,
        };
        (range.min <= range.max).then_some(range)
    }

    /// The newest version that both speak.
    #[must_use]
    pub fn meet(self, other: Self) -> Option<u16> {
        let newest = self.max.min(other.max);
        (newest >= self.min && newest >= other.min).then_some(newest)
    }
}

impl std::fmt::Display for VersionRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} to {}", self.min, self.max)
    }
}

/// What one side says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Greeting {
    /// The versions it speaks.
    pub versions: VersionRange,
    /// Its build, for people.
    pub build: String,
    /// The box that it serves; absent on the client's side.
    #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
    pub box_id: Option<BoxId>,
    /// Which life of which relay this is; absent on the client's side, and of older relays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relay: Option<RelayId>,
}

/// What came of a greeting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreed {
    /// The version to speak.
    pub version: u16,
    /// The other side.
    pub peer: Greeting,
}

/// The two sides do not understand each other.
#[derive(Debug, thiserror::Error)]
pub enum GreetError {
    /// The other side is something else.
    #[error("the other side is no Paddock relay: it began with {began:?}")]
    NotARelay {
        /// Its first bytes, as text.
        began: String,
    },
    /// No common version.
    #[error(
        "no common protocol version: this side speaks {ours}, the other ({peer_build}) {theirs}; update the older one"
    )]
    VersionMismatch {
        /// Our range.
        ours: VersionRange,
        /// Theirs.
        theirs: VersionRange,
        /// Their build.
        peer_build: String,
    },
    /// Nothing came in time.
    #[error("the other side did not greet within {} s", limits::GREETING_TIME.as_secs())]
    TimedOut,
    /// The stream broke, or the greeting was not one.
    #[error(transparent)]
    Wire(#[from] WireError),
}

/// Sends `ours`, reads the other side's greeting, and settles the version.
///
/// # Errors
/// [`GreetError`].
pub async fn greet(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    ours: &Greeting,
) -> Result<Agreed, GreetError> {
    match tokio::time::timeout(limits::GREETING_TIME, exchange(stream, ours)).await {
        Ok(agreed) => agreed,
        Err(_) => Err(GreetError::TimedOut),
    }
}

async fn exchange(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    ours: &Greeting,
) -> Result<Agreed, GreetError> {
    let mut out = MAGIC.to_vec();
    out.extend(encode_header(ours, limits::GREETING_LEN)?);
    stream.write_all(&out).await.map_err(WireError::Io)?;
    stream.flush().await.map_err(WireError::Io)?;

    let mut magic = [0; MAGIC.len()];
    stream.read_exact(&mut magic).await.map_err(WireError::Io)?;
    if magic != MAGIC {
        let began = String::from_utf8_lossy(&magic).into_owned();
        return Err(GreetError::NotARelay { began });
    }
    let json = read_header(stream, limits::GREETING_LEN).await?;
    let peer: Greeting = serde_json::from_slice(&json).map_err(WireError::Json)?;
    match ours.versions.meet(peer.versions) {
        Some(version) => Ok(Agreed { version, peer }),
        None => Err(GreetError::VersionMismatch {
            ours: ours.versions,
            theirs: peer.versions,
            peer_build: peer.build,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_ranges_meet_at_the_newest_common_version() {
        let range = |min, max| VersionRange { min, max };
        assert_eq!(range(1, 3).meet(range(2, 5)), Some(3));
        assert_eq!(range(1, 1).meet(range(1, 1)), Some(1));
        assert_eq!(range(1, 2).meet(range(3, 4)), None);
        assert_eq!(range(3, 4).meet(range(1, 2)), None);
    }

    #[test]
    fn a_range_is_read_from_its_text() {
        let range = |min, max| Some(VersionRange { min, max });
        assert_eq!(VersionRange::parse("2-9"), range(2, 9));
        assert_eq!(VersionRange::parse("3"), range(3, 3));
        for bad in ["", "-", "2-", "9-2", "1-2-3", "70000"] {
            assert_eq!(VersionRange::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_greeting_of_an_older_or_newer_build_is_understood() {
        let older: Greeting =
            serde_json::from_str(r#"{"versions":{"min":1,"max":1},"build":"0.0.1"}"#).unwrap();
        assert_eq!((older.box_id, older.relay), (None, None));
        let newer = r#"{"versions":{"min":1,"max":7},"build":"9","box":"b","relay":"00000000000000ff","mood":"good"}"#;
        let newer: Greeting = serde_json::from_str(newer).unwrap();
        assert_eq!(newer.versions.meet(VersionRange::THIS_BUILD), Some(2));
        assert!(newer.relay.is_some());
    }

    #[test]
    fn a_greeting_is_the_magic_a_length_and_json() {
        let greeting = Greeting {
            versions: VersionRange { min: 1, max: 2 },
            build: "0.1.0".to_owned(),
            box_id: Some(BoxId::parse("b1").unwrap()),
            relay: None,
        };
        let bytes = encode_header(&greeting, limits::GREETING_LEN).unwrap();
        let json = br#"{"versions":{"min":1,"max":2},"build":"0.1.0","box":"b1"}"#;
        assert_eq!(bytes[..4], [0, 0, 0, 57]);
        assert_eq!(&bytes[4..], json);
    }
}
