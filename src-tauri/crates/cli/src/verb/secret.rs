//! The vault: `secret ls`, `secret set`, `secret rm`. A value is never in an argument, which every user of
//! the machine can read.

use std::io::{IsTerminal as _, Read as _, Write as _};

use anyhow::{Context as _, Result};
use paddock_api::{SecretList, SecretRequest, VaultKind};

use crate::args::{Global, SecretArgs, SecretVerb};
use crate::exit::{Exit, told};
use crate::reach;
use crate::render::{clean, json, line, say, table};

/// Most bytes that are read for a value; the server says what it takes of them.
const VALUE_MAX: u64 = 64 << 10;

/// Lists, keeps or forgets secrets.
pub(crate) async fn secret(global: &Global, args: SecretArgs) -> Result<Exit> {
    match args.verb {
        SecretVerb::Ls => {
            let list = reach::client_or_start(global).await?.secrets().await?;
            ls(global, &list)
        }
        SecretVerb::Set { name } => {
            let client = reach::client_or_start(global).await?;
            let value = tokio::task::spawn_blocking(read).await??;
            let kept = client.keep_secret(&name, &SecretRequest { value }).await?;
            if global.json {
                json(&kept)?;
            } else if kept.used_by.is_empty() {
                say("kept; no agent reads a variable of this name");
            } else {
                let names: Vec<_> = kept.used_by.iter().map(ToString::to_string).collect();
                say(&format!("kept; given to {}", names.join(", ")));
            }
            Ok(Exit::Well)
        }
        SecretVerb::Rm { name } => {
            let gone = reach::client_or_start(global)
                .await?
                .forget_secret(&name)
                .await?;
            if global.json {
                json(&gone)?;
            }
            Ok(Exit::Well)
        }
    }
}

fn ls(global: &Global, list: &SecretList) -> Result<Exit> {
    if global.json {
        json(list)?;
        return Ok(Exit::Well);
    }
    let why = clean(&list.vault.why);
    match list.vault.kind {
        Some(kind) => say(&format!("kept in {}: {why}", vault(kind))),
        None => say(&format!("the vault does not open: {why}")),
    }
    let rows = list.items.iter().map(|secret| {
        let readers: Vec<_> = secret.used_by.iter().map(ToString::to_string).collect();
        vec![clean(&secret.name), readers.join(" ")]
    });
    let rows: Vec<_> = rows.collect();
    if !rows.is_empty() {
        line(&table(&["SECRET", "GIVEN TO"], rows, None));
    }
    Ok(Exit::Well)
}

fn vault(kind: VaultKind) -> &'static str {
    match kind {
        VaultKind::Keychain => "the system's keychain",
        VaultKind::Passphrase => "a file encrypted with your passphrase",
        VaultKind::KeyFile => "a file encrypted with a key that lies beside it",
        VaultKind::Memory => "memory",
    }
}

/// A value from standard input: all of it without the last line break, or one line typed unseen.
pub(super) fn read() -> Result<String> {
    let mut value = String::new();
    if std::io::stdin().is_terminal() {
        value = typed_unseen()?;
    } else {
        let mut input = std::io::stdin().lock().take(VALUE_MAX);
        input
            .read_to_string(&mut value)
            .context("standard input cannot be read")?;
    }
    let value = value.trim_end_matches(['\n', '\r']);
    if value.is_empty() {
        return Err(told(Exit::Usage, "no value came: nothing was changed"));
    }
    Ok(value.to_owned())
}

/// Reads a line with the terminal's echo off.
#[cfg(unix)]
fn typed_unseen() -> Result<String> {
    use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
    let terminal = std::io::stdin();
    let before = tcgetattr(&terminal).context("the terminal cannot be asked")?;
    let mut quiet = before.clone();
    quiet.local_modes -= LocalModes::ECHO;
    // A prompt that cannot be shown keeps nobody from typing.
    let _ = write!(std::io::stderr(), "value (not shown): ");
    tcsetattr(&terminal, OptionalActions::Flush, &quiet)
        .context("the echo cannot be turned off")?;
    let mut line = String::new();
    let read = terminal.read_line(&mut line);
    let back = tcsetattr(&terminal, OptionalActions::Flush, &before);
    say("");
    read.context("the terminal cannot be read")?;
    back.context("the echo cannot be turned on again: type `stty echo`")?;
    Ok(line)
}

#[cfg(not(unix))]
fn typed_unseen() -> Result<String> {
    Err(told(
        Exit::Usage,
        "give the value on standard input: this terminal cannot hide what is typed",
    ))
}
