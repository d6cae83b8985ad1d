//! Unified diffs from what agents say they applied to files.

use std::fmt::Write as _;

/// One change as a unified diff.
#[derive(Debug)]
pub(crate) struct Patch(String);

impl Patch {
    /// A file that is new, or gone when `gone`, with its whole `content`.
    pub(crate) fn whole(path: &str, work_dir: &str, content: &str, gone: bool) -> Self {
        let name = shown(path, work_dir);
        let (old, new) = match gone {
            true => (format!("a/{name}"), "/dev/null".to_owned()),
            false => ("/dev/null".to_owned(), format!("b/{name}")),
        };
        let mut text = format!("--- {old}\n+++ {new}\n");
        let count = content.lines().count();
        let (sign, head) = match gone {
            true => ('-', format!("@@ -1,{count} +0,0 @@\n")),
            false => ('+', format!("@@ -0,0 +1,{count} @@\n")),
        };
        if count > 0 {
            text.push_str(&head);
        }
        for line in content.lines() {
            text.push(sign);
            text.push_str(line);
            text.push('\n');
        }
        if !content.is_empty() && !content.ends_with('\n') {
            text.push_str("\\ No newline at end of file\n");
        }
        Self(text)
    }

    /// A changed file, ready for its hunks.
    pub(crate) fn change(from: &str, to: &str, work_dir: &str) -> Self {
        let (from, to) = (shown(from, work_dir), shown(to, work_dir));
        Self(format!("--- a/{from}\n+++ b/{to}\n"))
    }

    /// Appends hunks that are a diff already.
    pub(crate) fn hunks(mut self, hunks: &str) -> Self {
        self.0.push_str(hunks);
        if !hunks.ends_with('\n') && !hunks.is_empty() {
            self.0.push('\n');
        }
        self
    }

    /// Appends one hunk: where it stands before and after, as (first line, lines).
    pub(crate) fn hunk<'l>(
        &mut self,
        old: (u64, u64),
        new: (u64, u64),
        lines: impl Iterator<Item = &'l str>,
    ) {
        let _ = writeln!(self.0, "@@ -{},{} +{},{} @@", old.0, old.1, new.0, new.1);
        for line in lines {
            self.0.push_str(line);
            self.0.push('\n');
        }
    }

    pub(crate) fn into_text(self) -> String {
        self.0
    }
}

/// The path as the repository names it, where it lies in the work directory.
fn shown<'p>(path: &'p str, work_dir: &str) -> &'p str {
    let inside = path.strip_prefix(work_dir.trim_end_matches('/'));
    let inside = inside.filter(|rest| rest.starts_with('/') && !work_dir.is_empty());
    inside.unwrap_or(path).trim_start_matches('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_is_all_plus() {
        let patch = Patch::whole("/w/a.txt", "/w", "x\ny", false).into_text();
        assert_eq!(
            patch,
            "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,2 @@\n+x\n+y\n\\ No newline at end of file\n"
        );
    }

    #[test]
    fn a_path_outside_the_work_directory_keeps_its_name() {
        let patch = Patch::change("/work2/a", "/work2/a", "/work").into_text();
        assert_eq!(patch, "--- a/work2/a\n+++ b/work2/a\n");
    }
}
