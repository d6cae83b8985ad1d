//! Programs beside the window: the browser, what shows folders, an editor.

use std::io;
use std::path::Path;

use tauri::Url;

use crate::open_box::With;

/// Editors that show a folder in a window of their own, as they are called here; the first that is there is
/// taken.
#[cfg(not(target_os = "macos"))]
const EDITORS: &[&str] = &[
    "code", "cursor", "codium", "windsurf", "zed", "zeditor", "subl",
];
#[cfg(target_os = "macos")]
const EDITORS: &[&str] = &[
    "Visual Studio Code",
    "Cursor",
    "VSCodium",
    "Windsurf",
    "Zed",
    "Sublime Text",
];

/// Opens what leads elsewhere in the user's browser: web pages and nothing else, because agents write links.
pub(super) fn browse(url: &Url) {
    if !matches!(url.scheme(), "http" | "https") {
        tracing::info!(scheme = url.scheme(), "a link of this kind is not opened");
        return;
    }
    if let Err(error) = open::that_detached(url.as_str()) {
        tracing::warn!(%error, "the browser cannot be opened");
    }
}

/// Opens `folder`.
pub(super) fn show(folder: &Path, with: With) -> io::Result<()> {
    match with {
        With::Folder => open::that_detached(folder),
        With::Editor => edit(folder),
    }
}

fn edit(folder: &Path) -> io::Result<()> {
    let mut opened = EDITORS
        .iter()
        .map(|editor| open::with_detached(folder, *editor));
    if opened.any(|opened| opened.is_ok()) {
        return Ok(());
    }
    let tried = EDITORS.join(", ");
    Err(io::Error::new(
        io::ErrorKind::NotFound,
        format!("none of these editors is there: {tried}"),
    ))
}
