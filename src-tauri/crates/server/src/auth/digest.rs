//! Secrets as digests, compared in constant time.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq;

/// The SHA-256 digest of a secret. Digests are of one length, so comparing them tells nothing.
#[derive(Clone, Copy)]
pub(super) struct Digest([u8; 32]);

impl Digest {
    /// The digest of `secret`.
    pub(super) fn of(secret: &str) -> Self {
        Self(Sha256::digest(secret.as_bytes()).into())
    }

    /// Reads what [`Self::hex`] wrote.
    pub(super) fn parse(hex: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        if hex.len() != 64 || !hex.is_ascii() {
            return None;
        }
        for (nth, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(hex.get(2 * nth..2 * nth + 2)?, 16).ok()?;
        }
        Some(Self(bytes))
    }

    /// The digest in hexadecimal.
    pub(super) fn hex(self) -> String {
        to_hex(&self.0)
    }

    /// Eight characters that stand for the digest and tell nothing of the secret.
    pub(super) fn short(self) -> String {
        let again = Sha256::digest(self.0);
        to_hex(again.get(..4).unwrap_or_default())
    }

    /// Whether it is the digest of `secret`.
    pub(super) fn is_of(self, secret: &str) -> bool {
        self.is(Self::of(secret))
    }

    /// Whether it is `other`.
    pub(super) fn is(self, other: Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

/// `bytes` random bytes in hexadecimal, at most 32.
pub(super) fn random_hex(bytes: usize) -> String {
    let random: [u8; 32] = rand::random();
    to_hex(random.get(..bytes).unwrap_or(&random))
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
