//! The window and the page in it.
//!
//! A window is paired by a code that is good once. Where to go is kept until the page stands; from then
//! on the page's own router goes there, by a path in which nothing needs escaping. Nothing but the
//! server's origin is ever loaded.

use std::path::PathBuf;
use std::sync::Arc;

use paddock_api::Link;
use paddock_client::Client;
use tauri::webview::{NewWindowResponse, PageLoadEvent};
use tauri::{Manager as _, State, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder};

use super::{Shell, attach, language_file, locked, outside, tray};
use crate::open_box::With;
use crate::words::Language;
use crate::{home, open_box};

/// The one window.
const WINDOW: &str = "main";
/// Its size unless the user chose another, in logical pixels.
const SIZE: (f64, f64) = (1280.0, 820.0);
/// The smallest that the page is made for.
const SIZE_MIN: (f64, f64) = (390.0, 480.0);

/// How far the page is.
#[derive(Debug, Default)]
pub(super) struct Page {
    making: bool,
    stands: bool,
    next: Option<Link>,
    /// What was dropped on it last and is not taken yet.
    pub(super) dropped: Vec<PathBuf>,
}

/// Brings the window to the front, at `link`.
pub(super) fn open(shell: &Arc<Shell>, link: &Link) {
    let Some(window) = shell.app.get_webview_window(WINDOW) else {
        make(shell, link);
        return;
    };
    let shown = window
        .unminimize()
        .and_then(|()| window.show())
        .and_then(|()| window.set_focus());
    if let Err(error) = shown {
        tracing::warn!(%error, "the window cannot be brought to the front");
    }
    if *link != Link::Home {
        go(shell, &window, link.clone());
    }
}

fn make(shell: &Arc<Shell>, link: &Link) {
    {
        let mut page = locked(&shell.page);
        page.next = Some(link.clone());
        page.stands = false;
        if std::mem::replace(&mut page.making, true) {
            return;
        }
    }
    let shell = shell.clone();
    tauri::async_runtime::spawn(async move {
        let address = pairing(&shell.client()).await;
        shell.on_main(move |shell| {
            if let Some(address) = address
                && let Err(error) = build(shell, address)
            {
                tracing::error!(%error, "no window can be made");
            }
            locked(&shell.page).making = false;
        });
    });
}

async fn pairing(client: &Client) -> Option<Url> {
    let address = home::pairing_url(client).await;
    address
        .inspect_err(|error| tracing::error!(%error, "the window cannot be paired"))
        .ok()?
        .parse()
        .ok()
}

fn build(shell: &Arc<Shell>, address: Url) -> tauri::Result<()> {
    let (at_navigation, at_load) = (shell.clone(), shell.clone());
    let window = WebviewWindowBuilder::new(&shell.app, WINDOW, WebviewUrl::External(address))
        .title("Paddock")
        .inner_size(SIZE.0, SIZE.1)
        .min_inner_size(SIZE_MIN.0, SIZE_MIN.1)
        // Files are dropped on the page, which uploads them: the window's own handler would keep them from it.
        .disable_drag_drop_handler()
        .on_navigation(move |url| {
            let ours = is_ours(&at_navigation, url);
            if !ours {
                outside::browse(url);
            }
            ours
        })
        .on_new_window(|url, _| {
            outside::browse(&url);
            NewWindowResponse::Deny
        })
        // Where the system keeps what was downloaded, under a name that is free.
        .on_download(|_, _| true)
        .on_document_title_changed(|window, title| {
            if let Err(error) = window.set_title(&title) {
                tracing::debug!(%error, "the window takes no title");
            }
        })
        .on_page_load(move |window, load| {
            let stands =
                load.event() == PageLoadEvent::Finished && !load.url().path().starts_with("/pair");
            let mut page = locked(&at_load.page);
            page.stands = stands;
            let next = if stands { page.next.take() } else { None };
            drop(page);
            if let Some(link) = next.filter(|link| *link != Link::Home) {
                steer(&window, &link);
            }
        })
        .build()?;
    attach::toolkit::heed(shell, &window)
}

fn go(shell: &Shell, window: &WebviewWindow, link: Link) {
    let mut page = locked(&shell.page);
    if page.stands {
        drop(page);
        steer(window, &link);
    } else {
        page.next = Some(link);
    }
}

/// Has the page's own router go to `link`.
fn steer(window: &WebviewWindow, link: &Link) {
    // As JSON: no path of a link needs escaping, and none is trusted for that.
    let path = serde_json::Value::from(link.path());
    let script = format!(
        "history.pushState(null, '', {path}); dispatchEvent(new PopStateEvent('popstate'));"
    );
    if let Err(error) = window.eval(script) {
        tracing::warn!(%error, "the page cannot be steered");
    }
}

impl Shell {
    /// Shows the page of the server that is there now, in the window that is open.
    pub(super) fn reload(&self) {
        let Some(window) = self.app.get_webview_window(WINDOW) else {
            return;
        };
        let client = self.client();
        tauri::async_runtime::spawn(async move {
            if let Some(address) = pairing(&client).await
                && let Err(error) = window.navigate(address)
            {
                tracing::warn!(%error, "the page cannot be loaded anew");
            }
        });
    }
}

/// What the user looks at.
pub(super) fn watched(shell: &Shell) -> Option<Link> {
    let window = shell.app.get_webview_window(WINDOW)?;
    let is_seen = window.is_focused().ok()? && window.is_visible().ok()?;
    let url = window.url().ok().filter(|_| is_seen)?;
    Link::of_path(url.path())
}

/// Shows `count` on the program's icon, where the system has such a thing.
pub(super) fn badge(shell: &Shell, count: usize) {
    let Some(window) = shell.app.get_webview_window(WINDOW) else {
        return;
    };
    let count = i64::try_from(count).ok().filter(|count| *count > 0);
    if let Err(error) = window.set_badge_count(count) {
        tracing::debug!(%error, "the icon takes no badge");
    }
}

fn is_ours(shell: &Shell, url: &Url) -> bool {
    let origin = shell
        .client()
        .url()
        .parse::<Url>()
        .map(|server| server.origin());
    url.as_str() == "about:blank" || origin.is_ok_and(|origin| origin == url.origin())
}

/// Opens the work tree of `task` outside of the window, for our own page.
#[tauri::command]
pub(super) async fn open_box(
    window: WebviewWindow,
    shell: State<'_, Arc<Shell>>,
    task: String,
    how: With,
) -> Result<(), String> {
    asked_by_us(&window, &shell)?;
    let opened = open_box::open_box(&shell.client(), shell.inner(), &task, how).await;
    opened.map_err(|error| error.to_string())
}

/// Says tray, notifications and dialogs in the language of our own page from now on.
#[tauri::command]
pub(super) async fn speak(
    window: WebviewWindow,
    shell: State<'_, Arc<Shell>>,
    language: Language,
) -> Result<(), String> {
    asked_by_us(&window, &shell)?;
    *locked(&shell.language) = language;
    shell.on_main(|shell| {
        let shown = locked(&shell.tray).1.clone();
        tray::show(shell, &shown);
    });
    let kept = language.keep(&language_file(&shell.app));
    kept.map_err(|error| error.to_string())
}

pub(super) fn asked_by_us(window: &WebviewWindow, shell: &Shell) -> Result<(), &'static str> {
    let ours = window.url().is_ok_and(|url| is_ours(shell, &url));
    ours.then_some(()).ok_or("this page is not Paddock's")
}
