//! Amounts for people: bytes, and times that have passed.

use paddock_domain::Timestamp;

/// `bytes` in the unit that fits.
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let (mut whole, mut rest, mut unit) = (bytes, 0, 0);
    while whole >= 1024 && unit + 1 < UNITS.len() {
        (whole, rest, unit) = (whole / 1024, whole % 1024, unit + 1);
    }
    let name = UNITS.get(unit).copied().unwrap_or_default();
    if unit == 0 || whole >= 100 {
        return format!("{whole} {name}");
    }
    format!("{whole}.{} {name}", rest * 10 / 1024)
}

/// How long ago `then` was.
pub(crate) fn ago(then: Timestamp, now: Timestamp) -> String {
    span(now.since_ms(then))
}

/// A time of `ms` milliseconds in the unit that fits.
pub(crate) fn span(ms: u64) -> String {
    let seconds = ms / 1000;
    match seconds {
        0..=59 => format!("{seconds} s"),
        60..=3599 => format!("{} min", seconds / 60),
        3600..=86_399 => format!("{} h", seconds / 3600),
        _ => format!("{} d", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_told_in_the_unit_that_fits() {
        let told: Vec<_> = [0, 1023, 1024, 1536, 150 << 20, u64::MAX].map(size).into();
        assert_eq!(
            told,
            [
                "0 B",
                "1023 B",
                "1.0 KiB",
                "1.5 KiB",
                "150 MiB",
                "16777215 TiB"
            ]
        );
    }

    #[test]
    fn times_read_as_people_say_them() {
        let at = |s: i64| Timestamp::from_unix_ms(s * 1000);
        let told = [5, 65, 7300, 200_000].map(|s| ago(at(0), at(s)));
        assert_eq!(told, ["5 s", "1 min", "2 h", "2 d"]);
    }
}
