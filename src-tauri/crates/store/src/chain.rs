//! The seal of a journal: one hash that stands for every line up to a place, in order.
//!
//! Each line is hashed together with the seal before it, so a journal can be appended to without reading
//! it again, and a line that was changed, moved or removed anywhere gives another seal. It guards against
//! accidents and editors, not against somebody who makes it anew.

use sha2::{Digest, Sha256};

/// The seal of some lines; of none by default.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Chain([u8; 32]);

impl Chain {
    /// How many bytes it has.
    pub(crate) const LEN: usize = 32;

    /// Takes the next line, without its newline.
    pub(crate) fn add(&mut self, line: &[u8]) {
        let mut hash = Sha256::new();
        hash.update(self.0);
        hash.update(line);
        self.0 = hash.finalize().into();
    }

    pub(crate) fn bytes(&self) -> &[u8; Self::LEN] {
        &self.0
    }

    pub(crate) fn of_bytes(bytes: [u8; Self::LEN]) -> Self {
        Self(bytes)
    }

    /// As 64 hexadecimal digits.
    pub(crate) fn to_hex(self) -> String {
        crate::artifact::hex(&self.0)
    }

    /// The seal that `text` writes; nothing when it is none.
    pub(crate) fn of_hex(text: &str) -> Option<Self> {
        let mut bytes = [0; Self::LEN];
        if text.len() != 2 * Self::LEN || !text.is_ascii() {
            return None;
        }
        for (n, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(text.get(2 * n..2 * n + 2)?, 16).ok()?;
        }
        Some(Self(bytes))
    }
}

impl std::fmt::Debug for Chain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.to_hex())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_order_is_another_seal() {
        let seal = |lines: [&str; 2]| {
            let mut chain = Chain::default();
            lines.iter().for_each(|line| chain.add(line.as_bytes()));
            chain
        };
        assert_eq!(seal(["a", "b"]), seal(["a", "b"]));
        assert_ne!(seal(["a", "b"]), seal(["b", "a"]));
        assert_ne!(seal(["a", "b"]), seal(["ab", ""]));
    }

    #[test]
    fn it_is_written_and_read_back() {
        let mut chain = Chain::default();
        chain.add(b"x");
        assert_eq!(Chain::of_hex(&chain.to_hex()), Some(chain));
        for bad in ["", "00", &"g".repeat(64), &"ä".repeat(32)] {
            assert_eq!(Chain::of_hex(bad), None);
        }
    }
}
