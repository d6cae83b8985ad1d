//! The tray: its icon, its menu, and how many tasks wait beside it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use paddock_api::Link;
use tauri::menu::{CheckMenuItem, IsMenuItem, Menu, MenuItem, PredefinedMenuItem};
use tauri::tray::{MouseButton, MouseButtonState, TrayIconBuilder, TrayIconEvent};
use tauri::{AppHandle, Manager as _, Wry};
use tauri_plugin_autostart::ManagerExt as _;

use super::{Shell, locked, quit};
use crate::desktop::{Desktop as _, Tray};
use crate::words::Language;

const TRAY: &str = "paddock";
const OPEN: &str = "open";
const AUTOSTART: &str = "autostart";
const QUIT: &str = "quit";

/// Puts the icon there. A desktop without a place for it is no reason not to start.
pub(super) fn begin(shell: &Arc<Shell>) {
    // The library behind it panics where it finds no indicator library on the system.
    match catch_unwind(AssertUnwindSafe(|| make(shell))) {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(%error, "there is no tray"),
        Err(_) => tracing::warn!("there is no tray: install libayatana-appindicator3"),
    }
}

fn make(shell: &Arc<Shell>) -> tauri::Result<()> {
    let menu = menu(shell, &Tray::default())?;
    let (clicked, chosen) = (shell.clone(), shell.clone());
    let mut builder = TrayIconBuilder::with_id(TRAY)
        .tooltip("Paddock")
        .menu(&menu)
        .show_menu_on_left_click(false)
        .on_menu_event(move |_, event| choose(&chosen, event.id().as_ref()))
        .on_tray_icon_event(move |_, event| {
            if let TrayIconEvent::Click {
                button: MouseButton::Left,
                button_state: MouseButtonState::Up,
                ..
            } = event
            {
                clicked.open(&Link::Home);
            }
        });
    if let Some(icon) = shell.app.default_window_icon() {
        builder = builder.icon(icon.clone());
    }
    // Not where every user's programs write.
    if let Ok(dir) = shell.app.path().app_cache_dir() {
        builder = builder.temp_dir_path(dir);
    }
    builder.build(&shell.app)?;
    Ok(())
}

/// Shows what waits. A menu that says it already stays: a new one closes under who has it open.
pub(super) fn show(shell: &Shell, tray: &Tray) {
    let language = *locked(&shell.language);
    let (mut now, next) = (locked(&shell.tray), (language, tray.clone()));
    let Some(icon) = shell.app.tray_by_id(TRAY).filter(|_| *now != next) else {
        return;
    };
    let count = (tray.count > 0).then(|| tray.count.to_string());
    let shown = menu(shell, tray)
        .and_then(|menu| icon.set_menu(Some(menu)))
        .and_then(|()| icon.set_title(count.as_deref()))
        .and_then(|()| icon.set_tooltip(Some(tooltip(language, tray.count))));
    match shown {
        Ok(()) => *now = next,
        Err(error) => tracing::warn!(%error, "the tray cannot be changed"),
    }
}

fn tooltip(language: Language, count: usize) -> String {
    let (one, many) = ("Paddock: a task needs you", "Paddock: {n} tasks need you");
    let needed = (count > 0).then(|| language.count(count, one, many));
    needed.unwrap_or_else(|| "Paddock".to_owned())
}

fn menu(shell: &Shell, tray: &Tray) -> tauri::Result<Menu<Wry>> {
    let (app, language) = (&shell.app, *locked(&shell.language));
    let menu = Menu::new(app)?;
    let add = |item: &dyn IsMenuItem<Wry>| menu.append(item);
    let entry = |id: &str, text: &str| MenuItem::with_id(app, id, text, true, None::<&str>);
    add(&entry(OPEN, language.say("Open Paddock"))?)?;
    add(&PredefinedMenuItem::separator(app)?)?;
    for waiting in &tray.entries {
        // Doubled: one is what marks a key.
        let label = waiting.label(language).replace('&', "&&");
        add(&entry(&waiting.link.to_string(), &label)?)?;
    }
    let more = tray.count.saturating_sub(tray.entries.len());
    if more > 0 {
        add(&entry(OPEN, &language.count(more, "{n} more", "{n} more"))?)?;
    }
    if tray.count == 0 {
        let nothing = language.say("Nothing needs you");
        add(&MenuItem::new(app, nothing, false, None::<&str>)?)?;
    }
    add(&PredefinedMenuItem::separator(app)?)?;
    let starts = app.autolaunch().is_enabled().unwrap_or(false);
    let start = language.say("Start at login");
    add(&CheckMenuItem::with_id(
        app,
        AUTOSTART,
        start,
        true,
        starts,
        None::<&str>,
    )?)?;
    add(&entry(QUIT, language.say("Quit"))?)?;
    Ok(menu)
}

fn choose(shell: &Arc<Shell>, id: &str) {
    match id {
        OPEN => shell.open(&Link::Home),
        QUIT => quit::ask(shell),
        AUTOSTART => turn_autostart(&shell.app),
        task => match Link::parse(task) {
            Ok(link) => shell.open(&link),
            Err(error) => tracing::warn!(%error, "a menu entry leads nowhere"),
        },
    }
}

fn turn_autostart(app: &AppHandle) {
    let autostart = app.autolaunch();
    let turned = match autostart.is_enabled() {
        Ok(true) => autostart.disable(),
        Ok(false) => autostart.enable(),
        Err(error) => Err(error),
    };
    if let Err(error) = turned {
        tracing::warn!(%error, "starting at login cannot be changed");
    }
}
