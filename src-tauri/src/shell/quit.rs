//! Quitting: asked about while agents work, because nobody is told then what they ask.

use std::sync::Arc;

use rfd::{AsyncMessageDialog, MessageButtons, MessageDialog, MessageDialogResult, MessageLevel};
use tauri::AppHandle;

use super::Shell;
use crate::desktop::Desktop as _;
use crate::follow;
use crate::home::Home;
use crate::words::Language;

/// Quits, if the user still wants to when they hear what works.
pub(super) fn ask(shell: &Arc<Shell>) {
    let shell = shell.clone();
    tauri::async_runtime::spawn(async move {
        let home = shell.home.lock().await;
        let is_own = home.as_ref().is_some_and(Home::is_own);
        drop(home);
        let working = match is_own {
            true => follow::working(&shell.client()).await.unwrap_or(0),
            false => 0,
        };
        match question(working, shell.language()) {
            None => shell.app.exit(0),
            Some(question) => shell.on_main(move |shell| put(shell, &question)),
        }
    });
}

/// What is asked while `working` agents work; nothing while none does.
fn question(working: usize, language: Language) -> Option<String> {
    let one = "An agent is working. It goes on without Paddock, but questions wait unseen until it runs again.";
    let many = "{n} agents are working. They go on without Paddock, but questions wait unseen until it runs again.";
    (working > 0).then(|| language.count(working, one, many))
}

fn put(shell: &Arc<Shell>, question: &str) {
    let language = shell.language();
    let (quit, stay) = (language.say("Quit"), language.say("Keep running"));
    let buttons = MessageButtons::OkCancelCustom(quit.to_owned(), stay.to_owned());
    let dialog = AsyncMessageDialog::new()
        .set_level(MessageLevel::Warning)
        .set_title(language.say("Quit Paddock?"))
        .set_description(question)
        .set_buttons(buttons)
        .show();
    let app = shell.app.clone();
    tauri::async_runtime::spawn(async move {
        let quits = match dialog.await {
            MessageDialogResult::Ok | MessageDialogResult::Yes => true,
            MessageDialogResult::Custom(button) => button == quit,
            MessageDialogResult::No | MessageDialogResult::Cancel => false,
        };
        if quits {
            app.exit(0);
        }
    });
}

/// Says why the program cannot start, to users who see no terminal.
pub(super) fn explain(error: &anyhow::Error, language: Language) {
    MessageDialog::new()
        .set_level(MessageLevel::Error)
        .set_title(language.say("Paddock cannot start"))
        .set_description(format!("{error:#}"))
        .show();
}

/// Quits when the system says so.
#[cfg(unix)]
pub(super) async fn when_told(app: AppHandle) {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate)) = (
        signal(SignalKind::interrupt()),
        signal(SignalKind::terminate()),
    ) else {
        return;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    app.exit(0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quitting_is_asked_about_only_while_agents_work() {
        let asked = |working| question(working, Language::En);
        assert_eq!(asked(0), None);
        assert!(asked(1).unwrap().starts_with("An agent is working."));
        assert!(asked(3).unwrap().starts_with("3 agents are working."));
        let german = question(3, Language::De);
        assert!(german.unwrap().starts_with("3 Agenten arbeiten."));
    }
}
