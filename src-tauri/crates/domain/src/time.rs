//! Points in time, in milliseconds, written as RFC 3339 in UTC.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use utoipa::ToSchema;

/// Milliseconds since 1970 in UTC; on the wire `2026-11-21T22:42:39.123Z`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, ToSchema)]
#[schema(value_type = String, format = DateTime)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The time `unix_ms` milliseconds after 1970, kept within the years that RFC 3339 can write.
    #[must_use]
    pub fn from_unix_ms(unix_ms: i64) -> Self {
        // 0000-01-01 to 9999-12-31.
        Self(unix_ms.clamp(-62_167_219_200_000, 253_402_207_200_000))
    }

    /// Milliseconds since 1970.
    #[must_use]
    pub fn unix_ms(self) -> i64 {
        self.0
    }

    /// This time and `ms` milliseconds.
    #[must_use]
    pub fn plus_ms(self, ms: i64) -> Self {
        Self::from_unix_ms(self.0.saturating_add(ms))
    }

    /// Milliseconds from `earlier` to this time, 0 when it is later.
    #[must_use]
    pub fn since_ms(self, earlier: Self) -> u64 {
        u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = jiff::Timestamp::from_millisecond(self.0).unwrap_or_default();
        write!(f, "{time:.3}")
    }
}

impl std::str::FromStr for Timestamp {
    type Err = jiff::Error;
    fn from_str(text: &str) -> Result<Self, jiff::Error> {
        let time: jiff::Timestamp = text.parse()?;
        Ok(Self::from_unix_ms(time.as_millisecond()))
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(from)?;
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_written_in_utc_with_milliseconds_and_read_back() {
        let time = Timestamp::from_unix_ms(1_795_300_959_007);
        let text = time.to_string();
        assert_eq!(text, "2026-11-21T22:42:39.007Z");
        assert_eq!(text.parse::<Timestamp>().unwrap(), time);
    }

    #[test]
    fn the_ends_of_time_do_not_panic() {
        for ms in [i64::MIN, i64::MAX, 0] {
            let time = Timestamp::from_unix_ms(ms).plus_ms(i64::MAX);
            assert!(time.to_string().parse::<Timestamp>().is_ok());
        }
    }
}
