//! Quitting: asked about while agents work, because nobody is told then what they ask.

use std::sync::Arc;

use rfd::{AsyncMessageDialog, MessageButtons, MessageDialog, MessageDialogResult, MessageLevel};
use tauri::AppHandle;

use super::Shell;
use crate::follow;

const QUIT: &str = "Quit";
const STAY: &str = "Keep running";

/// Quits, if the user still wants to when they hear what works.
pub(super) fn ask(shell: &Arc<Shell>) {
    let shell = shell.clone();
    tauri::async_runtime::spawn(async move {
        let is_own = shell
            .home
            .lock()
            .await
            .as_ref()
            .is_some_and(crate::home::Home::is_own);
        let working = if is_own {
            follow::working(&shell.client()).await.unwrap_or(0)
        } else {
            0
        };
        match question(working) {
            None => shell.app.exit(0),
            Some(question) => shell.on_main(move |shell| put(shell, &question)),
        }
    });
}

/// What is asked while `working` agents work; nothing while none does.
fn question(working: usize) -> Option<String> {
    let agents = match working {
        0 => return None,
        1 => "An agent is working. It goes".to_owned(),
        _ => format!("{working} agents are working. They go"),
    };
    Some(format!(
        "{agents} on without Paddock, but questions wait unseen until it runs again."
    ))
}

fn put(shell: &Arc<Shell>, question: &str) {
    let dialog = AsyncMessageDialog::new()
        .set_level(MessageLevel::Warning)
        .set_title("Quit Paddock?")
        .set_description(question)
        .set_buttons(MessageButtons::OkCancelCustom(
            QUIT.to_owned(),
            STAY.to_owned(),
        ))
        .show();
    let app = shell.app.clone();
    tauri::async_runtime::spawn(async move {
        let answer = dialog.await;
        let quits = match answer {
            MessageDialogResult::Ok | MessageDialogResult::Yes => true,
            MessageDialogResult::Custom(button) => button == QUIT,
            MessageDialogResult::No | MessageDialogResult::Cancel => false,
        };
        if quits {
            app.exit(0);
        }
    });
}

/// Says why the program cannot start, to users who see no terminal.
pub(super) fn explain(error: &anyhow::Error) {
    MessageDialog::new()
        .set_level(MessageLevel::Error)
        .set_title("Paddock cannot start")
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
        assert_eq!(question(0), None);
        assert!(question(1).unwrap().starts_with("An agent is working."));
        assert!(question(3).unwrap().starts_with("3 agents are working."));
    }
}
