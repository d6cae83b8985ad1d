//! What the user drops on the window or pastes into it.
//!
//! Pages have that themselves, but for one toolkit: `WebKitGTK` gives them no picture that is pasted, and, since pages
//! could be given files that no user meant to give (CVE-2025-13947), no file that is pasted or dropped. There the
//! shell knows what was dropped last, and what the clipboard holds, and uploads it like any client when the page,
//! which knows where it belongs, takes it. Only what came from another program, and only plain files.

use std::path::PathBuf;
use std::sync::Arc;

use paddock_domain::Attachment;
use tauri::{State, WebviewWindow, async_runtime};
use tokio::sync::oneshot;

use super::{Shell, locked, page};

/// What a picture that is pasted is called.
const PICTURE_NAME: &str = "pasted.png";

/// What the user gave.
enum Given {
    Files(Vec<PathBuf>),
    #[cfg_attr(not(target_os = "linux"), allow(dead_code))] // there pages have it
    Picture(Vec<u8>),
}

/// Uploads what was dropped last, once, for our own page to send along.
#[tauri::command]
pub(super) async fn take_dropped(
    window: WebviewWindow,
    shell: State<'_, Arc<Shell>>,
) -> Result<Vec<Attachment>, String> {
    page::asked_by_us(&window, &shell)?;
    let dropped = std::mem::take(&mut locked(&shell.page).dropped);
    upload(&shell, Given::Files(dropped)).await
}

/// Uploads what the clipboard holds besides words, for our own page to send along.
#[tauri::command]
pub(super) async fn take_pasted(
    window: WebviewWindow,
    shell: State<'_, Arc<Shell>>,
) -> Result<Vec<Attachment>, String> {
    page::asked_by_us(&window, &shell)?;
    let (tell, told) = oneshot::channel();
    shell.on_main(|_| toolkit::copied(tell));
    match told.await {
        Ok(given) => upload(&shell, given).await,
        Err(_) => Ok(Vec::new()),
    }
}

async fn upload(shell: &Shell, given: Given) -> Result<Vec<Attachment>, String> {
    let client = shell.client();
    let upload = async move || {
        Ok(match given {
            Given::Files(files) => client.upload_files(&files).await?,
            Given::Picture(png) => vec![client.upload(PICTURE_NAME, png.into()).await?],
        })
    };
    // On a thread of its own: the compiler cannot tell that a call which is made again may change threads.
    let uploaded = async_runtime::spawn_blocking(|| async_runtime::block_on(upload())).await;
    let uploaded = uploaded.map_err(anyhow::Error::new).flatten();
    uploaded.map_err(|error| format!("{error:#}"))
}

#[cfg(target_os = "linux")]
pub(super) mod toolkit {
    use std::cell::{Cell, RefCell};
    use std::rc::Rc;

    use gtk::gdk::{Atom, SELECTION_CLIPBOARD, WindowType, selection_owner_get};
    use gtk::glib::{GString, filename_from_uri};
    use gtk::prelude::WidgetExt as _;

    use super::{Arc, Given, PathBuf, Shell, WebviewWindow, locked, oneshot};

    /// What the clipboard calls a picture.
    const PICTURE: &str = "image/png";

    /// Remembers what is dropped on `window`.
    pub(in crate::shell) fn heed(shell: &Arc<Shell>, window: &WebviewWindow) -> tauri::Result<()> {
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
                    *offered.borrow_mut() = Some((drag.clone(), local_files(&addresses)));
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

    /// Tells what the clipboard holds besides words; nothing where that is nothing.
    pub(super) fn copied(tell: oneshot::Sender<Given>) {
        let clipboard = gtk::Clipboard::get(&SELECTION_CLIPBOARD);
        // A page can copy the address of any file there is.
        let of_page = selection_owner_get(&SELECTION_CLIPBOARD)
            .is_some_and(|owner| owner.window_type() != WindowType::Foreign);
        clipboard.request_uris(move |clipboard, addresses| {
            let files = local_files(addresses);
            if !files.is_empty() && !of_page {
                let _ = tell.send(Given::Files(files));
                return;
            }
            clipboard.request_contents(&Atom::intern(PICTURE), |_, picture| {
                // Less than nothing where there is none.
                if picture.length() > 0 {
                    let _ = tell.send(Given::Picture(picture.data()));
                }
            });
        });
    }

    /// The files of this machine that are among `addresses`.
    fn local_files(addresses: &[GString]) -> Vec<PathBuf> {
        let named = addresses
            .iter()
            .filter_map(|address| filename_from_uri(address).ok());
        let here = named.filter(|(_, host)| host.is_none());
        here.map(|(file, _)| file).collect()
    }
}

/// Pages have all of it.
#[cfg(not(target_os = "linux"))]
pub(super) mod toolkit {
    use super::{Arc, Given, Shell, WebviewWindow, oneshot};

    pub(in crate::shell) fn heed(_: &Arc<Shell>, _: &WebviewWindow) -> tauri::Result<()> {
        Ok(())
    }

    pub(super) fn copied(_: oneshot::Sender<Given>) {}
}
