//! Accounts: `account ls`, `account add`, `account rm`, `account use`.

use anyhow::Result;
use paddock_api::{AccountRequest, AccountView};

use super::secret;
use crate::args::{AccountArgs, AccountVerb, Global};
use crate::exit::Exit;
use crate::reach;
use crate::render::{clean, json, line, say, table};

/// Lists, makes, chooses or removes accounts.
pub(crate) async fn account(global: &Global, args: AccountArgs) -> Result<Exit> {
    let client = reach::client_or_start(global).await?;
    match args.verb {
        AccountVerb::Ls => {
            let accounts = client.accounts().await?;
            ls(global, &accounts)
        }
        AccountVerb::Add {
            harness,
            name,
            key,
            base_url,
            default,
        } => {
            let value = tokio::task::spawn_blocking(secret::read).await??;
            let request = AccountRequest {
                harness,
                name,
                values: [(key, value)].into(),
                base_url,
                is_default: default,
            };
            let kept = client.keep_account(&request).await?;
            told(global, &kept, "kept")
        }
        AccountVerb::Use { harness, name } => {
            let chosen = client.use_account(&harness, &name).await?;
            told(global, &chosen, "tasks that name no account use it now")
        }
        AccountVerb::Rm {
            harness,
            name,
            force,
        } => {
            let removed = client.remove_account(&harness, &name, force).await?;
            told(global, &removed, "forgotten, with its value")
        }
    }
}

fn told(global: &Global, account: &AccountView, words: &str) -> Result<Exit> {
    if global.json {
        json(account)?;
    } else {
        line(words);
    }
    Ok(Exit::Well)
}

fn ls(global: &Global, accounts: &[AccountView]) -> Result<Exit> {
    if global.json {
        json(&accounts)?;
        return Ok(Exit::Well);
    }
    if accounts.is_empty() {
        say("no accounts; `paddock account add --help` says how to make one");
        return Ok(Exit::Well);
    }
    let rows = accounts.iter().map(|view| {
        let account = &view.account;
        vec![
            account.harness.to_string(),
            account.name.to_string(),
            if account.is_default { "default" } else { "" }.to_owned(),
            clean(&account.variables.join(" ")),
            clean(account.base_url.as_deref().unwrap_or_default()),
            view.in_use_by.len().to_string(),
        ]
    });
    let rows = rows.collect();
    line(&table(
        &["HARNESS", "ACCOUNT", "", "GIVES", "CALLS", "TASKS"],
        rows,
        None,
    ));
    Ok(Exit::Well)
}
