//! Lets what a session says of the user's repositories be true in a box: their paths become those that the
//! box has. A path is replaced only where it is one, not as a part of a longer name.

use std::path::Path;

/// Shorter directories than this many parts are never replaced: too much would be below them.
const PARTS_MIN: usize = 3;

/// From and to, the longest first, so that a repository within another goes to its own place.
pub(super) fn moves(
    repositories: &[(String, String)],
    directory: Option<&str>,
    work_dir: &str,
) -> Vec<(String, String)> {
    let mut moves = repositories.to_vec();
    let within = |directory: &str| {
        repositories
            .iter()
            .any(|(host, _)| Path::new(directory).starts_with(host))
    };
    // A session of another clone of the one repository that the task works on.
    if let (Some(directory), [_]) = (directory, repositories)
        && !within(directory)
        && Path::new(directory).components().count() > PARTS_MIN
    {
        moves.push((directory.to_owned(), work_dir.to_owned()));
    }
    moves.retain(|(from, to)| from != to && from.starts_with('/') && from.len() > 1);
    moves.sort_by_key(|(from, _)| std::cmp::Reverse(from.len()));
    moves
}

/// `content` with every path of `moves` replaced.
pub(super) fn moved(content: &[u8], moves: &[(String, String)]) -> Vec<u8> {
    let mut whole = Vec::with_capacity(content.len());
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = content[at..].iter().position(|byte| *byte == b'/') {
        let start = at + found;
        let (before, rest) = content.split_at(start);
        let begins = before.last().is_none_or(|byte| !is_name(*byte));
        let hit = moves.iter().find(|(from, _)| {
            let after = rest.strip_prefix(from.as_bytes());
            begins && after.is_some_and(|after| after.first().is_none_or(|byte| !is_name(*byte)))
        });
        at = match hit {
            Some((from, to)) => {
                whole.extend_from_slice(&content[copied..start]);
                whole.extend_from_slice(to.as_bytes());
                copied = start + from.len();
                copied
            }
            None => start + 1,
        };
    }
    whole.extend_from_slice(&content[copied..]);
    whole
}

/// Whether a name goes on with this byte.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let repositories = [
            ("/home/u/api".to_owned(), "/work/api".to_owned()),
            ("/home/u/api/sub".to_owned(), "/work/sub".to_owned()),
        ];
        let moves = moves(&repositories, None, "/work");
        let moved = moved(text.as_bytes(), &moves);
        assert_eq!(String::from_utf8(moved).unwrap(), expected);
    }

    #[test]
    fn a_path_is_moved_wherever_it_stands_and_never_as_part_of_another() {
        check(
            r#"{"cwd":"/home/u/api","x":"see /home/u/api/src/a.rs."}"#,
            r#"{"cwd":"/work/api","x":"see /work/api/src/a.rs."}"#,
        );
        check(
            "/home/u/api/sub/x /home/u/api/subs",
            "/work/sub/x /work/api/subs",
        );
        let others = "/home/u/api2 /home/u/api-old /mnt/home/u/api /home/u/ap /home/u";
        check(others, others);
        check("", "");
        check("/", "/");
    }

    #[test]
    fn a_session_of_another_clone_is_moved_and_one_of_the_whole_home_is_not() {
        let one = [("/home/u/api".to_owned(), "/work/api".to_owned())];
        let found = |directory| moves(&one, Some(directory), "/work/api").len();
        assert_eq!(found("/home/u/clone"), 2);
        assert_eq!(found("/home/u/api/src"), 1);
        assert_eq!(found("/home/u"), 1);
        assert!(moves(&[], Some("/home/u/x/y"), "/work").is_empty());
    }
}
