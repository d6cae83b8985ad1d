//! Guessing which name was meant.

/// The one of `known` that `typed` most likely stands for: the same without its table, or a few
/// letters away.
pub(crate) fn closest<'k>(
    typed: &str,
    known: impl IntoIterator<Item = &'k str>,
) -> Option<&'k str> {
    let mut best: Option<(usize, &'k str)> = None;
    for name in known {
        let same_tail = name.rsplit('.').next() == Some(typed);
        let away = if same_tail { 0 } else { distance(typed, name) };
        if best.is_none_or(|(least, _)| away < least) {
            best = Some((away, name));
        }
    }
    let tolerated = (typed.chars().count() / 4).max(2);
    best.filter(|(away, _)| *away <= tolerated)
        .map(|(_, name)| name)
}

/// How many letters have to be put in, left out or changed (Levenshtein).
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut next = vec![i + 1];
        let mut left = i + 1;
        for (pair, &other) in row.windows(2).zip(&b) {
            let &[diagonal, above] = pair else { continue };
            left = (left + 1)
                .min(above + 1)
                .min(diagonal + usize::from(letter != other));
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_finds_the_name_and_another_word_does_not() {
        let known = ["listen", "limits.parallel_tasks", "box.image"];
        assert_eq!(closest("lisen", known), Some("listen"));
        assert_eq!(
            closest("limits.paralel_task", known),
            Some("limits.parallel_tasks")
        );
        assert_eq!(closest("image", known), Some("box.image"));
        assert_eq!(closest("colour", known), None);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "ab"), 2);
    }
}
