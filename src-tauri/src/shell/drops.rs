//! What the user drops on the window.
//!
//! A page has the files that are dropped on it, but for one toolkit: since pages could be given files that no user
//! meant to give (CVE-2025-13947), `WebKitGTK` keeps those of every drag from them. There the shell remembers what
//! was dropped, and uploads it like any client when the page, which knows what it fell on, takes it: once, only what
//! came from another program, and only plain files.

use std::sync::Arc;

use paddock_domain::Attachment;
use tauri::{State, WebviewWindow, async_runtime};

use super::{Shell, locked, page};

/// Remembers what is dropped on `window`, where its toolkit keeps that from the page.
#[cfg(target_os = "linux")]
pub(super) fn heed(shell: &Arc<Shell>, window: &WebviewWindow) -> tauri::Result<()> {
    use std::cell::{Cell, RefCell};
    use std::rc::Rc;

    use gtk::prelude::WidgetExt as _;

    let shell = shell.clone();
    window.with_webview(move |view| {
        let view = view.inner();
        // A page can say of its own drag that it holds any file there is.
        let of_page = Rc::new(Cell::new(false));
        let (begun, ended) = (of_page.clone(), of_page.clone());
        view.connect_drag_begin(move |_, _| begun.set(true));
        view.connect_drag_end(move |_, _| ended.set(false));
        let offered = Rc::new(RefCell::new(None));
        let dropped = offered.clone();
        view.connect_drag_data_received(move |_, drag, _, _, data, _, _| {
            let addresses = data.uris();
            if !addresses.is_empty() && !of_page.get() {
                let files = addresses.iter().filter_map(|address| local_file(address));
                *offered.borrow_mut() = Some((drag.clone(), files.collect()));
            }
        });
        view.connect_drag_drop(move |_, drag, _, _, _| {
            let files = dropped.take().filter(|(of, _)| of == drag);
            locked(&shell.page).dropped = files.map(|(_, files)| files).unwrap_or_default();
            // The toolkit goes on, and tells the page.
            false
        });
    })
}

/// The file of this machine that `address` names.
#[cfg(target_os = "linux")]
fn local_file(address: &str) -> Option<std::path::PathBuf> {
    let (file, host) = gtk::glib::filename_from_uri(address).ok()?;
    host.is_none().then_some(file)
}

/// Remembers nothing: the page has what is dropped on it.
#[cfg(not(target_os = "linux"))]
pub(super) fn heed(_: &Arc<Shell>, _: &WebviewWindow) -> tauri::Result<()> {
    Ok(())
}

/// Uploads what was dropped last, for our own page to send along.
#[tauri::command]
pub(super) async fn take_dropped(
    window: WebviewWindow,
    shell: State<'_, Arc<Shell>>,
) -> Result<Vec<Attachment>, String> {
    page::asked_by_us(&window, &shell)?;
    let dropped = std::mem::take(&mut locked(&shell.page).dropped);
    let client = shell.client();
    // On a thread of its own: the compiler cannot tell that a call which is made again may change threads.
    let upload = move || Ok(async_runtime::block_on(client.upload_files(&dropped))?);
    let uploaded = async_runtime::spawn_blocking(upload).await;
    let uploaded = uploaded.map_err(anyhow::Error::new).flatten();
    uploaded.map_err(|error| format!("{error:#}"))
}
