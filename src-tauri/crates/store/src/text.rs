//! Reading a file line by line without ever holding more than one line of [`Line::MAX`] bytes.

use std::io::{self, BufRead, Read};

use crate::Line;

/// How a line ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// With a newline.
    Whole,
    /// With a newline, after more than [`Line::MAX`] bytes, which were passed over.
    Overlong,
    /// With the end of the file.
    Torn,
    /// There is no line: the file ended before it.
    Nothing,
}

/// Reads the next line into `line`, without its newline. Gives how it ended and how many bytes of the
/// file it took.
pub(crate) fn read_line(file: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<(Ended, u64)> {
    line.clear();
    let most = Line::MAX as u64 + 1;
    let mut taken = file.by_ref().take(most).read_until(b'\n', line)? as u64;
    if line.last() == Some(&b'\n') {
        line.pop();
        return Ok((Ended::Whole, taken));
    }
    match taken {
        0 => Ok((Ended::Nothing, 0)),
        n if n < most => Ok((Ended::Torn, n)),
        _ => {
            line.clear();
            taken += file.skip_until(b'\n')? as u64;
            Ok((Ended::Overlong, taken))
        }
    }
}

/// What can be told of a line without knowing its type.
#[derive(serde::Deserialize)]
pub(crate) struct Head {
    /// The line's number.
    pub(crate) seq: u64,
}

impl Head {
    /// The head of `line`; nothing when it is not a JSON object with a number.
    pub(crate) fn of(line: &[u8]) -> Option<Self> {
        serde_json::from_slice(line).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(text: &[u8]) -> Vec<(Ended, usize, u64)> {
        let (mut file, mut line, mut found) = (text, Vec::new(), Vec::new());
        loop {
            let (ended, taken) = read_line(&mut file, &mut line).unwrap();
            if ended == Ended::Nothing {
                return found;
            }
            found.push((ended, line.len(), taken));
        }
    }

    #[test]
    fn lines_end_with_a_newline_or_are_torn() {
        let found = read_all(b"ab\n\nc");
        assert_eq!(
            found,
            [
                (Ended::Whole, 2, 3),
                (Ended::Whole, 0, 1),
                (Ended::Torn, 1, 1)
            ]
        );
    }

    #[test]
    fn an_overlong_line_is_passed_over_and_the_next_is_read() {
        let mut text = vec![b'x'; Line::MAX + 5];
        text.extend_from_slice(b"\nab\n");
        let found = read_all(&text);
        let overlong = (Ended::Overlong, 0, Line::MAX as u64 + 6);
        assert_eq!(found, [overlong, (Ended::Whole, 2, 3)]);
    }
}
