//! Bytes as a text of JSON, in the standard alphabet of RFC 4648 with padding.

use serde::{Serialize, Serializer};

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Serialises as the bytes' base64.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Base64<'a>(pub(crate) &'a [u8]);

impl Base64<'_> {
    fn text(self) -> String {
        let mut text = String::with_capacity(self.0.len().div_ceil(3) * 4);
        for three in self.0.chunks(3) {
            let byte = |nth: usize| u32::from(three.get(nth).copied().unwrap_or_default());
            let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
            for nth in 0..4_usize {
                match nth <= three.len() {
                    true => text.push(digit(bits >> (18 - 6 * nth))),
                    false => text.push('='),
                }
            }
        }
        text
    }
}

impl Serialize for Base64<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text())
    }
}

fn digit(bits: u32) -> char {
    ALPHABET
        .get((bits & 63) as usize)
        .copied()
        .map_or('A', char::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_rfc_come_out() {
        let cases = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ];
        for (bytes, text) in cases {
            assert_eq!(Base64(bytes.as_bytes()).text(), text);
        }
        assert_eq!(Base64(&[0xfb, 0xff, 0xfe]).text(), "+//+");
    }
}
