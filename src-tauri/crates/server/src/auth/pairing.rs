//! Pairing codes: short enough to type, good once and not for long.

use paddock_domain::Timestamp;

use super::digest::Digest;

/// Codes that were made and not yet taken.
#[derive(Default)]
pub(super) struct Pairing {
    codes: Vec<(Digest, Timestamp)>,
}

impl Pairing {
    /// How long a code is good, in milliseconds.
    pub(super) const GOOD_FOR_MS: i64 = 10 * 60 * 1000;
    /// Most codes that are good at once; the oldest gives way.
    const CODES_MAX: usize = 16;
    /// Crockford's base 32: no letter that is mistaken for another.
    const ALPHABET: &'static [u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    /// Makes a code of 40 random bits; gives it and when it ends.
    pub(super) fn make(&mut self, now: Timestamp) -> (String, Timestamp) {
        let random: [u8; 8] = rand::random();
        let letters = random.map(|byte| char::from(Self::ALPHABET[usize::from(byte % 32)]));
        let plain: String = letters.iter().collect();
        let ends = now.plus_ms(Self::GOOD_FOR_MS);
        self.drop_ended(now);
        if self.codes.len() >= Self::CODES_MAX {
            self.codes.remove(0);
        }
        self.codes.push((Digest::of(&plain), ends));
        let (head, tail) = plain.split_at(4);
        (format!("{head}-{tail}"), ends)
    }

    /// Takes a code, typed in whichever way; true when it was good, and then never again.
    pub(super) fn take(&mut self, code: &str, now: Timestamp) -> bool {
        self.drop_ended(now);
        let typed = code.chars().filter(char::is_ascii_alphanumeric).take(64);
        let plain: String = typed
            .map(|c| match c.to_ascii_uppercase() {
                'O' => '0',
                'I' | 'L' => '1',
                other => other,
            })
            .collect();
        let offered = Digest::of(&plain);
        let before = self.codes.len();
        self.codes.retain(|(good, _)| !good.is(offered));
        self.codes.len() < before
    }

    fn drop_ended(&mut self, now: Timestamp) {
        self.codes.retain(|(_, ends)| *ends > now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noon() -> Timestamp {
        Timestamp::from_unix_ms(1_000)
    }

    #[test]
    fn a_code_is_good_once_however_it_is_typed() {
        let mut pairing = Pairing::default();
        let (code, _) = pairing.make(noon());
        let typed = format!(" {}", code.to_lowercase().replace('-', " "));
        assert!(pairing.take(&typed, noon()));
        assert!(!pairing.take(&code, noon()));
    }

    #[test]
    fn a_code_ends_by_itself() {
        let mut pairing = Pairing::default();
        let (code, ends) = pairing.make(noon());
        assert!(!pairing.take(&code, ends));
    }

    #[test]
    fn the_oldest_of_too_many_codes_gives_way() {
        let mut pairing = Pairing::default();
        let codes: Vec<_> = (0..=Pairing::CODES_MAX)
            .map(|_| pairing.make(noon()).0)
            .collect();
        assert!(!pairing.take(&codes[0], noon()));
        assert!(pairing.take(&codes[1], noon()));
    }
}
