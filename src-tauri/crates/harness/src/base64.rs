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

/// The bytes that `text` stands for; nothing where it is no base64.
pub(crate) fn decoded(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for four in text.chunks(4) {
        let mut bits = 0_u32;
        for sign in four {
            bits = bits << 6 | value(*sign)?;
        }
        let [_, first, second, third] = (bits << (6 * (4 - four.len()))).to_be_bytes();
        match four.len() {
            4 => bytes.extend([first, second, third]),
            3 => bytes.extend([first, second]),
            2 => bytes.push(first),
            _ => return None,
        }
    }
    Some(bytes)
}

fn value(sign: u8) -> Option<u32> {
    let value = match sign {
        b'A'..=b'Z' => sign - b'A',
        b'a'..=b'z' => sign - b'a' + 26,
        b'0'..=b'9' => sign - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(u32::from(value))
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
            assert_eq!(decoded(text).unwrap(), bytes.as_bytes());
        }
        assert_eq!(Base64(&[0xfb, 0xff, 0xfe]).text(), "+//+");
        assert_eq!(decoded("+//+").unwrap(), [0xfb, 0xff, 0xfe]);
    }

    #[test]
    fn what_is_no_base64_is_nothing() {
        for text in ["A", "Zm9v!", "Zm 9v", "Zm9vY", "ä"] {
            assert_eq!(decoded(text), None, "{text}");
        }
    }
}
