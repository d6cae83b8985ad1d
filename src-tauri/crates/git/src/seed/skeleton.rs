//! The few files of a `.git` that git does not write by itself, as one archive.

use bytes::Bytes;

use super::{Seed, SeedError};
use crate::{ObjectFormat, public_url};

/// The archive to unpack in the work tree. It holds no `HEAD`, so that `git init` finishes it.
pub(super) fn of(seed: &Seed) -> Result<Bytes, SeedError> {
    let mut alternates = String::new();
    for dir in &seed.alternates {
        alternates.push_str(&quoted_path(dir)?);
        alternates.push('\n');
    }
    let mut files = vec![
        ("objects/info/alternates", alternates),
        ("config", config(seed)?),
    ];
    if !seed.shallow.is_empty() {
        let lines: String = seed.shallow.iter().map(|oid| format!("{oid}\n")).collect();
        files.push(("shallow", lines));
    }
    Ok(archive(&files))
}

/// A path as `alternates` wants it: quoted when it could be taken for a comment or a quotation.
fn quoted_path(path: &str) -> Result<String, SeedError> {
    let path = one_line(path)?;
    if path.starts_with(['#', '"']) {
        return Ok(quoted(path));
    }
    Ok(path.to_owned())
}

fn config(seed: &Seed) -> Result<String, SeedError> {
    let (version, extension) = match seed.object_format {
        ObjectFormat::Sha1 => (0, ""),
        ObjectFormat::Sha256 => (1, "[extensions]\n\tobjectFormat = sha256\n"),
    };
    let mut text = format!(
        "[core]\n\trepositoryFormatVersion = {version}\n\tbare = false\n\tlogAllRefUpdates = true\n{extension}"
    );
    if let Some(identity) = &seed.identity {
        let name = quoted(one_line(&identity.name)?);
        let email = quoted(one_line(&identity.email)?);
        text.push_str(&format!("[user]\n\tname = {name}\n\temail = {email}\n"));
    }
    // Borrowed objects may be many; packing them again would copy them all.
    text.push_str("[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n");
    for remote in &seed.remotes {
        let Some(url) = public_url(&remote.url) else {
            continue;
        };
        let name = one_line(&remote.name)?;
        let refspec = format!("+refs/heads/*:refs/remotes/{name}/*");
        text.push_str(&format!(
            "[remote {}]\n\turl = {}\n\tfetch = {}\n",
            quoted(name),
            quoted(&url),
            quoted(&refspec)
        ));
    }
    Ok(text)
}

fn one_line(text: &str) -> Result<&str, SeedError> {
    if text.contains(['\n', '\r', '\0']) {
        return Err(SeedError::LineBreak {
            text: text.escape_debug().to_string(),
        });
    }
    Ok(text)
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn archive(files: &[(&str, String)]) -> Bytes {
    let mut tar = tar::Builder::new(Vec::new());
    for dir in [".git/", ".git/objects/", ".git/objects/info/"] {
        append(&mut tar, dir, tar::EntryType::Directory, 0o755, b"");
    }
    for (name, content) in files {
        let path = format!(".git/{name}");
        append(
            &mut tar,
            &path,
            tar::EntryType::Regular,
            0o644,
            content.as_bytes(),
        );
    }
    // Writing to memory does not fail.
    tar.into_inner().map(Bytes::from).unwrap_or_default()
}

fn append(
    tar: &mut tar::Builder<Vec<u8>>,
    path: &str,
    kind: tar::EntryType,
    mode: u32,
    content: &[u8],
) {
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(kind);
    header.set_mode(mode);
    header.set_size(content.len() as u64);
    // A time of 0 makes some unpackers warn.
    header.set_mtime(1_000_000_000);
    if tar.append_data(&mut header, path, content).is_err() {
        tracing::error!(path, "a file of the repository could not be archived");
    }
}
