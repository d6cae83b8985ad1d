//! Reads the patches that `git diff-tree -p` prints, for added lines alone.
//!
//! Merges come as combined patches, with one column of signs for each parent; a line is added when
//! every column says so.

use crate::Oid;

/// What one commit adds to one file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Patch<'a> {
    /// The commit, when the patch is of one.
    pub(super) commit: Option<Oid>,
    /// The file.
    pub(super) path: String,
    /// Its content afterwards.
    pub(super) blob: Option<Oid>,
    /// The lines added.
    pub(super) added: Vec<Added<'a>>,
    /// Whether git showed nothing of it: it calls some files of merges binary whatever it is told.
    pub(super) opaque: bool,
}

/// One added line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Added<'a> {
    /// Its number in the file, from 1.
    pub(super) number: u64,
    /// The line without its end.
    pub(super) text: &'a [u8],
}

impl<'a> Patch<'a> {
    /// All patches in `text`.
    pub(super) fn read(text: &'a [u8]) -> Vec<Self> {
        let mut reader = Reader::default();
        for line in text.split(|byte| *byte == b'\n') {
            reader.take(line);
        }
        reader.files
    }

    /// The file with `content` instead, every line of it added.
    pub(super) fn with<'b>(&self, content: &'b [u8]) -> Patch<'b> {
        let lines = content.split(|byte| *byte == b'\n');
        let added = (1..)
            .zip(lines)
            .map(|(number, text)| Added { number, text });
        Patch {
            commit: self.commit.clone(),
            path: self.path.clone(),
            blob: self.blob.clone(),
            added: added.collect(),
            opaque: false,
        }
    }

    /// Whether what was added is no text.
    pub(super) fn is_binary(&self) -> bool {
        self.added.iter().any(|line| line.text.contains(&0))
    }
}

#[derive(Default)]
struct Reader<'a> {
    commit: Option<Oid>,
    files: Vec<Patch<'a>>,
    /// Signs before each line of the hunk; 0 outside of hunks.
    columns: usize,
    /// The number of the next line of the file.
    next: u64,
}

impl<'a> Reader<'a> {
    fn take(&mut self, line: &'a [u8]) {
        match line.first() {
            Some(b'+' | b'-' | b' ' | b'\\') if self.columns > 0 => self.take_content(line),
            Some(b'@') => self.take_hunk(line),
            Some(_) => self.take_header(line),
            None => {}
        }
    }

    fn take_content(&mut self, line: &'a [u8]) {
        let Some((signs, text)) = line.split_at_checked(self.columns) else {
            return;
        };
        if signs.contains(&b'-') || signs.first() == Some(&b'\\') {
            return;
        }
        let number = self.next;
        self.next += 1;
        if signs.iter().all(|sign| *sign == b'+')
            && let Some(file) = self.files.last_mut()
        {
            file.added.push(Added { number, text });
        }
    }

    /// `@@ -1,2 +3,4 @@`, with one more `@` and one more old range for each further parent.
    fn take_hunk(&mut self, line: &[u8]) {
        let columns = line.iter().take_while(|byte| **byte == b'@').count() - 1;
        let words = line.split(|byte| *byte == b' ');
        let new = words.skip(1).find_map(|word| word.strip_prefix(b"+"));
        let start = new.and_then(|range| range.split(|byte| *byte == b',').next());
        let start = start.and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
        self.columns = columns;
        self.next = start.unwrap_or(0);
    }

    fn take_header(&mut self, line: &[u8]) {
        if let Some(rest) = line.strip_prefix(b"diff --") {
            self.columns = 0;
            self.files.push(Patch {
                commit: self.commit.clone(),
                path: path_of(rest),
                ..Patch::default()
            });
        } else if let Some(rest) = line.strip_prefix(b"index ") {
            let blob = blob_of(rest);
            if let Some(file) = self.files.last_mut() {
                file.blob = blob;
            }
        } else if line.starts_with(b"Binary files ") {
            if let Some(file) = self.files.last_mut() {
                file.opaque = true;
            }
        } else if let Some(commit) = std::str::from_utf8(line).ok().and_then(Oid::parse) {
            self.columns = 0;
            self.commit = Some(commit);
        }
    }
}

/// The file in `git a/x b/x`, `combined x` or `cc x`.
fn path_of(rest: &[u8]) -> String {
    let (kind, names) = match rest.iter().position(|byte| *byte == b' ') {
        Some(space) => (&rest[..space], &rest[space + 1..]),
        None => (rest, &[][..]),
    };
    if kind != b"git" {
        return unquoted(names);
    }
    // Without renames both names are the same but for their prefix, so they are equally long.
    let name = unquoted(&names[..names.len() / 2]);
    name.strip_prefix("a/").map_or(name.clone(), str::to_owned)
}

/// The name after the dots in `old..new mode` or `old,old..new`.
fn blob_of(rest: &[u8]) -> Option<Oid> {
    let text = std::str::from_utf8(rest).ok()?;
    let new = text.split_once("..")?.1.split(' ').next()?;
    Oid::parse(new).filter(|oid| oid.as_str().bytes().any(|digit| digit != b'0'))
}

/// A name as git prints it: as it is, or in quotes with the escapes of C.
fn unquoted(name: &[u8]) -> String {
    let Some(inner) = name.strip_prefix(b"\"").and_then(|n| n.strip_suffix(b"\"")) else {
        return String::from_utf8_lossy(name).into_owned();
    };
    let mut plain = Vec::new();
    let mut rest = inner;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'\\' {
            plain.push(byte);
            continue;
        }
        let (byte, taken) = escape(rest);
        plain.extend(byte);
        rest = &rest[taken..];
    }
    String::from_utf8_lossy(&plain).into_owned()
}

/// What follows a backslash: the byte that is meant and how many bytes say so.
fn escape(rest: &[u8]) -> (Option<u8>, usize) {
    let octal = |byte: &u8| (b'0'..=b'7').contains(byte);
    if rest.len() >= 3 && rest[..3].iter().all(octal) {
        let value = rest[..3]
            .iter()
            .fold(0_u32, |n, d| n * 8 + u32::from(d - b'0'));
        return (u8::try_from(value).ok(), 3);
    }
    let byte = rest.first().map(|byte| match byte {
        b'a' => 7,
        b'b' => 8,
        b't' => b'\t',
        b'n' => b'\n',
        b'v' => 11,
        b'f' => 12,
        b'r' => b'\r',
        other => *other,
    });
    (byte, rest.len().min(1))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const OID: &str = "1111111111111111111111111111111111111111";

    fn lines(text: &str) -> Vec<(String, u64, String)> {
        let added = |file: &Patch<'_>| {
            let one = |a: &Added<'_>| (a.number, String::from_utf8_lossy(a.text).into_owned());
            file.added.iter().map(one).collect::<Vec<_>>()
        };
        Patch::read(text.as_bytes())
            .iter()
            .flat_map(|file| {
                let path = file.path.clone();
                added(file)
                    .into_iter()
                    .map(move |(n, t)| (path.clone(), n, t))
            })
            .collect()
    }

    #[test]
    fn added_lines_are_numbered_and_headers_are_not_lines() {
        let text = format!(
            "{OID}\ndiff --git a/x y b/x y\nindex {OID}..{OID} 100644\n--- a/x y\n+++ b/x y\n\
             @@ -3,0 +4,2 @@ fn\n+one\n+++ two\n@@ -9 +11 @@\n-old\n+new\n\\ No newline at end of file\n"
        );
        let x = || "x y".to_owned();
        assert_eq!(
            lines(&text),
            [
                (x(), 4, "one".into()),
                (x(), 5, "++ two".into()),
                (x(), 11, "new".into())
            ]
        );
        let files = Patch::read(text.as_bytes());
        assert_eq!(files[0].commit, Oid::parse(OID));
        assert_eq!(files[0].blob, Oid::parse(OID));
    }

    #[test]
    fn a_line_is_added_by_a_merge_only_when_no_parent_has_it() {
        let text = format!(
            "{OID}\ndiff --combined m.txt\nindex {OID},{OID}..{OID}\n--- a/m.txt\n+++ b/m.txt\n\
             @@@ -1,1 -1,1 +1,2 @@@\n +theirs\n++evil\n- gone\n"
        );
        assert_eq!(lines(&text), [("m.txt".to_owned(), 2, "evil".to_owned())]);
    }

    #[test]
    fn quoted_names_are_read() {
        let text =
            "diff --git \"a/t\\ta\\\"\\303\\244\" \"b/t\\ta\\\"\\303\\244\"\n@@ -0,0 +1 @@\n+x\n";
        assert_eq!(lines(text), [("t\ta\"ä".to_owned(), 1, "x".to_owned())]);
    }

    proptest! {
        #[test]
        fn no_patch_panics(text in "((diff --|@|\\+|-|index )?[ -~\n]{0,30}){0,8}") {
            let _ = Patch::read(text.as_bytes());
        }

        #[test]
        fn every_added_line_is_found(wanted in proptest::collection::vec("[^\n\r]{0,20}", 1..10)) {
            let mut text = "diff --git a/f b/f\n@@ -0,0 +1,9 @@\n".to_owned();
            for line in &wanted {
                text.push_str(&format!("+{line}\n"));
            }
            let found: Vec<_> = lines(&text).into_iter().map(|(_, _, line)| line).collect();
            prop_assert_eq!(found, wanted);
        }
    }
}
