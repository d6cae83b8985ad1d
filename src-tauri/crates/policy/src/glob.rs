//! Patterns of paths, domains and tool names.

/// Whether `pattern` covers the relative path `path`: `*` within one part, `**` for any number of parts.
pub(crate) fn path_matches(pattern: &str, path: &str) -> bool {
    let pattern: Vec<&str> = pattern.split('/').collect();
    let path: Vec<&str> = path.split('/').collect();
    parts_match(&pattern, &path)
}

/// Linear for patterns without `**`, and bounded by the product of both for those with it: the last `**` alone
/// is gone back to.
fn parts_match(pattern: &[&str], path: &[&str]) -> bool {
    let (mut at, mut on) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while on < path.len() {
        match pattern.get(at) {
            Some(&"**") => {
                back = Some((at, on));
                at += 1;
                continue;
            }
            Some(part) if path.get(on).is_some_and(|name| name_matches(part, name)) => {
                at += 1;
                on += 1;
                continue;
            }
            Some(_) | None => {}
        }
        let Some((star, from)) = back else {
            return false;
        };
        at = star + 1;
        on = from + 1;
        back = Some((star, from + 1));
    }
    pattern
        .get(at..)
        .unwrap_or_default()
        .iter()
        .all(|part| *part == "**")
}

/// Whether `pattern` covers `name`: `*` for any characters.
pub(crate) fn name_matches(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let Some(mut left) = name.strip_prefix(first) else {
        return false;
    };
    let pieces: Vec<&str> = rest.split('*').collect();
    let Some((last, middle)) = pieces.split_last() else {
        return false;
    };
    for piece in middle {
        let Some(at) = left.find(piece) else {
            return false;
        };
        left = left.get(at + piece.len()..).unwrap_or_default();
    }
    left.len() >= last.len() && left.ends_with(last)
}

/// Whether `pattern` covers the host `name`, both in small letters.
pub(crate) fn domain_matches(pattern: &str, name: &str) -> bool {
    match pattern.strip_prefix("*.") {
        Some(parent) => name
            .strip_suffix(parent)
            .is_some_and(|below| below.len() > 1 && below.ends_with('.')),
        None => pattern == name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stays_within_one_part_of_a_path() {
        let table = [
            ("src/*.rs", "src/a.rs", true),
            ("src/*.rs", "src/b/a.rs", false),
            ("src/**", "src/b/a.rs", true),
            ("src/**", "src", true),
            ("src/**", "srcx/a", false),
            ("**", "any/thing", true),
            ("**/*.md", "README.md", true),
            ("**/*.md", "docs/a/b.md", true),
            ("**/*.md", "docs/a/b.mdx", false),
            ("a/**/b/**/c", "a/x/b/y/z/c", true),
            ("a/**/b/**/c", "a/x/y/z/c", false),
            ("*", "a/b", false),
        ];
        for (pattern, path, expected) in table {
            assert_eq!(path_matches(pattern, path), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn a_domain_covers_what_is_below_it_only_where_it_says_so() {
        let table = [
            ("docs.rs", "docs.rs", true),
            ("docs.rs", "evildocs.rs", false),
            ("docs.rs", "a.docs.rs", false),
            ("*.docs.rs", "a.docs.rs", true),
            ("*.docs.rs", "a.b.docs.rs", true),
            ("*.docs.rs", "docs.rs", false),
            ("*.docs.rs", "evildocs.rs", false),
        ];
        for (pattern, name, expected) in table {
            assert_eq!(domain_matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn names_are_covered_piece_by_piece() {
        let table = [
            ("mcp__github__*", "mcp__github__issue", true),
            ("mcp__github__*", "mcp__gitlab__issue", false),
            ("a*a", "a", false),
            ("a*b*c", "aXbYc", true),
            ("a*b*c", "acb", false),
        ];
        for (pattern, name, expected) in table {
            assert_eq!(name_matches(pattern, name), expected, "{pattern} {name}");
        }
    }
}
