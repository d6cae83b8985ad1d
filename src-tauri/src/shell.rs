//! The shell in a window system: the program's life, and what its parts share.
//!
//! Closing the window ends the window alone; the agents and the API go on until the user quits. The page
//! is given four commands and no way to another origin: links that lead elsewhere open in the browser.
//!
//! Start at [`run`].

mod attach;
mod outside;
mod page;
mod quit;
mod tray;

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

use anyhow::{Context as _, Result};
use paddock_api::Link;
use paddock_client::Client;
use tauri::{AppHandle, Manager as _, RunEvent};
use tauri_plugin_notification::NotificationExt as _;
use tauri_plugin_window_state::StateFlags;

use crate::args::Args;
use crate::attention::Attention;
use crate::desktop::{Desktop, Notice, Tray};
use crate::follow::follow;
use crate::home::Home;
use crate::open_box::With;
use crate::premises::Premises;
use crate::words::Language;

/// How long a server that cannot be had is left alone before the next try.
const TRY_AGAIN: Duration = Duration::from_secs(2);

/// Runs until the user quits.
pub(crate) fn run(args: &Args, premises: Premises) -> Result<()> {
    let first = args.link.clone().unwrap_or(Link::Home);
    let hidden = args.hidden && args.link.is_none();
    let builder = tauri::Builder::default()
        // First, so that a second start ends before it touches the data.
        .plugin(tauri_plugin_single_instance::init(|app, words, _| {
            second_start(app, words)
        }))
        .plugin(
            tauri_plugin_window_state::Builder::new()
                .with_state_flags(StateFlags::SIZE | StateFlags::POSITION | StateFlags::MAXIMIZED)
                .build(),
        )
        .plugin(
            tauri_plugin_autostart::Builder::new()
                .arg(Args::HIDDEN)
                .build(),
        )
        .plugin(tauri_plugin_deep_link::init())
        .plugin(tauri_plugin_notification::init())
        // Whom it is offered stands in tauri.conf.json.
        .invoke_handler(tauri::generate_handler![
            page::open_box,
            page::speak,
            attach::take_dropped,
            attach::take_pasted
        ]);
    // It panics where there is a display that cannot be opened.
    let made = catch_unwind(AssertUnwindSafe(|| {
        builder.build(tauri::generate_context!())
    }));
    let app = made
        .ok()
        .context("the display cannot be opened")?
        .context("the window system cannot be used")?;
    let shell = begin(app.handle(), premises)?;
    if !hidden {
        shell.open(&first);
    }
    app.run(move |_, event| shell.on(event));
    Ok(())
}

/// What the parts of the shell share.
pub(crate) struct Shell {
    app: AppHandle,
    premises: Premises,
    home: tokio::sync::Mutex<Option<Home>>,
    client: RwLock<Client>,
    page: Mutex<page::Page>,
    language: Mutex<Language>,
    /// What the tray shows, in which language: at first that nothing waits.
    tray: Mutex<(Language, Tray)>,
    ending: AtomicBool,
}

fn begin(app: &AppHandle, premises: Premises) -> Result<Arc<Shell>> {
    let language = Language::kept(&language_file(app), |name| std::env::var(name).ok());
    let home = tauri::async_runtime::block_on(Home::open(&premises))
        .inspect_err(|error| quit::explain(error, language))?;
    let shell = Arc::new(Shell {
        app: app.clone(),
        premises,
        client: RwLock::new(home.client().clone()),
        home: tokio::sync::Mutex::new(Some(home)),
        page: Mutex::default(),
        language: Mutex::new(language),
        tray: Mutex::new((language, Tray::default())),
        ending: AtomicBool::new(false),
    });
    app.manage(shell.clone());
    tray::begin(&shell);
    listen(&shell);
    tauri::async_runtime::spawn(keep(shell.clone()));
    Ok(shell)
}

/// Where the language is kept that the page spoke last.
fn language_file(app: &AppHandle) -> PathBuf {
    let dir = app.path().app_config_dir();
    dir.unwrap_or_default().join(Language::FILE)
}

/// What comes from outside: clicks on notifications, links, signals.
fn listen(shell: &Arc<Shell>) {
    let opener = shell.clone();
    let clicked = move |performed: &tauri_plugin_notification::ActionPerformed| {
        let shown = performed
            .notification()
            .and_then(|shown| shown.extra().get(LINK));
        let link = shown.and_then(|link| Link::parse(link.as_str()?).ok());
        opener.open(&link.unwrap_or(Link::Home));
    };
    if let Err(error) = shell.app.notification().on_action(clicked) {
        tracing::warn!(%error, "clicks on notifications cannot be heard");
    }
    // Elsewhere a link comes as an argument of a start.
    #[cfg(target_os = "macos")]
    {
        use tauri_plugin_deep_link::DeepLinkExt as _;
        let opener = shell.clone();
        shell.app.deep_link().on_open_url(move |event| {
            let links = event.urls();
            let link = links.first().and_then(|url| Link::parse(url.as_str()).ok());
            opener.open(&link.unwrap_or(Link::Home));
        });
    }
    #[cfg(unix)]
    tauri::async_runtime::spawn(quit::when_told(shell.app.clone()));
}

/// The key of a notification's link.
const LINK: &str = "link";

/// Somebody started the program again: they want to see it, perhaps at a task.
fn second_start(app: &AppHandle, words: Vec<String>) {
    let Some(shell) = app.try_state::<Arc<Shell>>() else {
        return;
    };
    match Args::parse(words.into_iter().skip(1).map(Into::into)) {
        Ok(args) => shell.open(&args.link.unwrap_or(Link::Home)),
        Err(error) => {
            tracing::warn!(%error, "a second start is not understood");
            shell.open(&Link::Home);
        }
    }
}

/// Follows the server, and the next one when it is gone: the one that got the data, or our own.
async fn keep(shell: Arc<Shell>) {
    let mut attention = Attention::default();
    loop {
        let client = shell.client();
        if let Some(error) = follow(&client, &shell, &mut attention).await {
            tracing::debug!(%error, "the server cannot be followed");
        }
        if shell.ending.load(Ordering::Acquire) {
            return;
        }
        if let Err(error) = shell.renew().await {
            let error = format!("{error:#}");
            tracing::warn!(error, "no server can be had; trying again");
        }
        tokio::time::sleep(TRY_AGAIN).await;
    }
}

impl Shell {
    /// The server's client.
    fn client(&self) -> Client {
        self.client
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Finds another server where the one that was shown is gone.
    async fn renew(&self) -> Result<()> {
        let mut home = self.home.lock().await;
        let gone = match &*home {
            Some(home) => home.is_gone().await,
            None => true,
        };
        if !gone || self.ending.load(Ordering::Acquire) {
            return Ok(());
        }
        let next = Home::open(&self.premises).await?;
        *self.client.write().unwrap_or_else(PoisonError::into_inner) = next.client().clone();
        *home = Some(next);
        self.reload();
        Ok(())
    }

    fn on(self: &Arc<Self>, event: RunEvent) {
        match event {
            // No code: the last window was closed. With one, somebody quits.
            RunEvent::ExitRequested {
                code: None, api, ..
            } => api.prevent_exit(),
            RunEvent::Exit => {
                self.ending.store(true, Ordering::Release);
                let home = async { self.home.lock().await.take() };
                tauri::async_runtime::block_on(async {
                    if let Some(home) = home.await {
                        home.close().await;
                    }
                });
            }
            #[cfg(target_os = "macos")]
            RunEvent::Reopen { .. } => self.open(&Link::Home),
            _ => {}
        }
    }

    /// Does `work` where the window system wants it done.
    fn on_main(self: &Arc<Self>, work: impl FnOnce(&Arc<Self>) + Send + 'static) {
        let shell = self.clone();
        if let Err(error) = self.app.run_on_main_thread(move || work(&shell)) {
            tracing::warn!(%error, "the window system does not answer");
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Desktop for Arc<Shell> {
    fn tray(&self, tray: &Tray) {
        let tray = tray.clone();
        self.on_main(move |shell| tray::show(shell, &tray));
    }

    fn badge(&self, count: usize) {
        page::badge(self, count);
    }

    fn notify(&self, notice: &Notice) {
        let made = self
            .app
            .notification()
            .builder()
            .title(&notice.title)
            .body(&notice.body);
        if let Err(error) = made.extra(LINK, notice.link.to_string()).show() {
            tracing::warn!(%error, "a notification could not be shown");
        }
    }

    fn open(&self, link: &Link) {
        page::open(self, link);
    }

    fn language(&self) -> Language {
        *locked(&self.language)
    }

    fn watched(&self) -> Option<Link> {
        page::watched(self)
    }

    fn show(&self, folder: &Path, with: With) -> io::Result<()> {
        outside::show(folder, with)
    }
}
