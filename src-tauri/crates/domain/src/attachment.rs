//! Files that a user sends along with words: images above all, and anything else that an agent may read.
//! Images that an agent's tools give are kept in the same way.
//!
//! An attachment is named by the hash of its content, so the same file is kept once and nothing that a
//! client says of it is believed: its type is told from its first bytes, its name loses everything that
//! could lead somewhere, its size is counted. Who offers anything else than [`Attachment::of`] gives is
//! refused.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::InvalidSpec;

/// A file that came with a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Attachment {
    /// SHA-256 of its content, in hexadecimal.
    pub sha256: String,
    /// What it is called: one plain component of a path.
    pub name: String,
    /// What it is, as its first bytes tell.
    pub media_type: String,
    /// Its size in bytes.
    pub size: u64,
}

impl Attachment {
    /// Most files of one message.
    pub const COUNT_MAX: usize = 16;
    /// Largest file, in bytes.
    pub const SIZE_MAX: usize = crate::ArtifactRef::MAX;
    /// Longest name, in bytes.
    pub const NAME_MAX: usize = 100;
    /// Most bytes of all files of one message.
    pub const TOTAL_MAX: u64 = 32 << 20;
    /// Largest image that is shown to an agent, in bytes: five megabytes as the text that carries it.
    /// A larger one is a file like any other.
    pub const SHOWN_MAX: u64 = 15 << 18;
    /// Most bytes of all images that are shown with one message: they must fit one input of a run.
    pub const SHOWN_TOTAL_MAX: u64 = 8 << 20;

    /// The attachment that `content`, whose hash is `sha256`, makes under the name `name`.
    #[must_use]
    pub fn of(content: &[u8], sha256: String, name: &str) -> Self {
        let media_type = media_type(content);
        Self {
            sha256,
            name: plain_name(name, media_type),
            media_type: media_type.to_owned(),
            size: content.len() as u64,
        }
    }

    /// The attachment that an image makes which came without a file's name.
    #[must_use]
    pub fn image(content: &[u8], sha256: String, stem: &str) -> Self {
        let end = media_type(content).strip_prefix("image/");
        Self::of(content, sha256, &format!("{stem}.{}", end.unwrap_or("bin")))
    }

    /// Whether agents and pages can show it as an image.
    #[must_use]
    pub fn is_image(&self) -> bool {
        IMAGES.iter().any(|(_, image)| *image == self.media_type)
    }

    /// Where it lies in a box, relative to the agent's home: under its hash, so that two files of one name
    /// do not meet.
    #[must_use]
    pub fn path_in_home(&self) -> String {
        let short = self.sha256.get(..12).unwrap_or(&self.sha256);
        format!("attachments/{short}/{}", self.name)
    }

    /// Holds the attachments of one message against the limits, and each against what can be one.
    ///
    /// # Errors
    /// [`InvalidSpec::Attachments`] with what is wrong and what to do.
    pub fn check(all: &[Self]) -> Result<(), InvalidSpec> {
        let refuse = |message: String| Err(InvalidSpec::Attachments { message });
        if all.len() > Self::COUNT_MAX {
            let (count, max) = (all.len(), Self::COUNT_MAX);
            return refuse(format!("{count} files are more than {max}: send fewer"));
        }
        let total: u64 = all.iter().fold(0, |sum, one| sum.saturating_add(one.size));
        if total > Self::TOTAL_MAX {
            let max = Self::TOTAL_MAX >> 20;
            return refuse(format!(
                "the files are larger together than {max} MiB: send fewer"
            ));
        }
        let is_hash = |text: &str| {
            let digit = |c: u8| matches!(c, b'0'..=b'9' | b'a'..=b'f');
            text.len() == 64 && text.bytes().all(digit)
        };
        let bad = all
            .iter()
            .find(|one| !is_hash(&one.sha256) || plain_name(&one.name, "") != one.name);
        match bad {
            Some(one) => {
                let name: String = one.name.chars().take(40).collect();
                refuse(format!(
                    "`{name}` is not as its upload said: upload it again"
                ))
            }
            None => Ok(()),
        }
    }
}

/// How images begin.
const IMAGES: [(&[u8], &str); 4] = [
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"RIFF", "image/webp"),
];

/// What `content` is, as its first bytes tell; text where it reads as such.
fn media_type(content: &[u8]) -> &'static str {
    let image = IMAGES.iter().find(|(start, _)| content.starts_with(start));
    match image {
        Some((_, "image/webp")) if content.get(8..12) != Some(b"WEBP") => {}
        Some((_, image)) => return image,
        None => {}
    }
    if content.starts_with(b"%PDF-") {
        return "application/pdf";
    }
    if std::str::from_utf8(content).is_ok_and(|text| !text.contains('\0')) {
        return "text/plain";
    }
    "application/octet-stream"
}

/// `name` as one component of a path that is safe in a shell, in a header and on a screen.
fn plain_name(name: &str, media_type: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain: String = last
        .chars()
        .map(|c| match c {
            c if c.is_alphanumeric() || "-_.".contains(c) => c,
            _ => '-',
        })
        .collect();
    let plain = plain.trim_matches(['.', '-']);
    if plain.is_empty() {
        let end = match media_type.strip_prefix("image/") {
            Some(end) => format!(".{end}"),
            None => String::new(),
        };
        return format!("file{end}");
    }
    // The end says what it is: a long name loses its middle.
    let over = plain.len().saturating_sub(Attachment::NAME_MAX);
    if over == 0 {
        return plain.to_owned();
    }
    let end = plain.rsplit_once('.').map_or("", |(_, end)| end);
    let end = if end.len() < 12 { end } else { "" };
    let start = plain.floor_char_boundary(Attachment::NAME_MAX - end.len() - 1);
    let start = plain.get(..start).unwrap_or_default();
    let start = start.trim_end_matches(['.', '-']);
    match end {
        "" => start.to_owned(),
        end => format!("{start}.{end}"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(content: &[u8], name: &str) -> Attachment {
        Attachment::of(content, "a".repeat(64), name)
    }

    #[test]
    fn what_a_file_is_is_told_from_its_bytes_and_not_from_its_name() {
        let check = |content: &[u8], expected: &str| {
            assert_eq!(of(content, "x.png").media_type, expected);
        };
        check(b"\x89PNG\r\n\x1a\n...", "image/png");
        check(b"\xff\xd8\xff\xe0", "image/jpeg");
        check(b"RIFF\0\0\0\0WEBPVP8 ", "image/webp");
        check(b"RIFF\xff\0\0\0WAVE", "application/octet-stream");
        check(b"<svg xmlns='http://www.w3.org/2000/svg'/>", "text/plain");
        check(b"\0\x01\x02", "application/octet-stream");
        check(b"", "text/plain");
    }

    #[test]
    fn a_name_leads_nowhere_and_hides_nothing() {
        let name = |text: &str| of(b"x", text).name;
        assert_eq!(name("../../etc/passwd"), "passwd");
        assert_eq!(name("C:\\users\\me\\shot 1.png"), "shot-1.png");
        assert_eq!(name("-rf ~"), "rf");
        assert_eq!(name(".."), "file");
        assert_eq!(name("a\u{202e}gnp.exe\n"), "a-gnp.exe");
        assert_eq!(of(b"GIF89a", "").name, "file.gif");
        assert_eq!(name("größe.txt"), "größe.txt");
    }

    #[test]
    fn what_a_client_made_up_is_refused() {
        let good = of(b"x", "a.txt");
        assert_eq!(Attachment::check(std::slice::from_ref(&good)), Ok(()));
        let bad = [
            Attachment {
                sha256: "../x".into(),
                ..good.clone()
            },
            Attachment {
                name: "../x".into(),
                ..good.clone()
            },
            Attachment {
                name: String::new(),
                ..good.clone()
            },
            Attachment {
                size: 33 << 20,
                ..good.clone()
            },
        ];
        for bad in bad {
            assert!(Attachment::check(&[bad]).is_err());
        }
        assert!(Attachment::check(&vec![good; 17]).is_err());
    }

    proptest! {
        #[test]
        fn any_name_becomes_one_that_stays_as_it_is(name in ".{0,200}") {
            let plain = of(b"x", &name).name;
            prop_assert!(!plain.is_empty() && plain.len() <= Attachment::NAME_MAX);
            prop_assert!(!plain.contains('/') && !plain.starts_with(['.', '-']));
            prop_assert_eq!(plain_name(&plain, ""), plain);
        }
    }
}
