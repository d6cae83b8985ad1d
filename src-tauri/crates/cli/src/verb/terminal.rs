//! `terminal`: a terminal in a task's box, shown in the one that we run in.

mod keys;
mod session;

use anyhow::Result;
use paddock_client::Client;
use paddock_domain::{RunExit, TaskId, Terminal, TerminalKind, TerminalName, TerminalRequest};

use super::control::of;
use crate::args::{Global, TerminalArgs, TerminalVerb};
use crate::exit::{Exit, told};
use crate::render::{clean, json, line, say, table};
use keys::Keys;
use session::{End, Session};

/// Does what was asked of terminals.
pub(crate) async fn terminal(global: &Global, args: TerminalArgs) -> Result<Exit> {
    match (&args.verb, &args.task) {
        (Some(TerminalVerb::Ls { task }), _) => ls(global, task).await,
        (Some(TerminalVerb::Close { task, name }), _) => close(global, task, name).await,
        (None, Some(task)) => show(global, task, &args).await,
        (None, None) => Err(told(Exit::Usage, "which task? `paddock ls` lists them")),
    }
}

async fn ls(global: &Global, task: &str) -> Result<Exit> {
    let (client, task) = of(global, task).await?;
    let list = client.terminals(&task).await?;
    if global.json {
        json(&list)?;
        return Ok(Exit::Well);
    }
    if list.items.is_empty() {
        say("no terminal is open: `paddock terminal TASK` opens one");
        return Ok(Exit::Well);
    }
    let rows = list.items.iter().map(row).collect();
    let headings = ["NAME", "WHAT", "PROGRAM", "SIZE", "STATE"];
    line(&table(&headings, rows, None));
    Ok(Exit::Well)
}

fn row(terminal: &Terminal) -> Vec<String> {
    let what = match terminal.what {
        TerminalKind::Shell => "shell",
        TerminalKind::Agent => "agent",
    };
    vec![
        terminal.name.to_string(),
        what.to_owned(),
        clean(&terminal.program),
        format!("{} × {}", terminal.size.rows, terminal.size.cols),
        terminal.exit.map_or_else(|| "open".to_owned(), how),
    ]
}

fn how(exit: RunExit) -> String {
    match exit {
        RunExit::Code { code } => format!("ended with code {code}"),
        RunExit::Signal { signal } => format!("ended by signal {signal}"),
        RunExit::NotStarted => "could not be started".to_owned(),
        RunExit::Lost => "lost".to_owned(),
    }
}

async fn close(global: &Global, task: &str, name: &TerminalName) -> Result<Exit> {
    let (client, task) = of(global, task).await?;
    let closed = client.close_terminal(&task, name).await?;
    if global.json {
        json(&closed)?;
    } else {
        say(&format!("{name} {}", how(closed.exit)));
    }
    Ok(Exit::Well)
}

async fn show(global: &Global, task: &str, args: &TerminalArgs) -> Result<Exit> {
    let (client, task) = of(global, task).await?;
    let mut keys = Keys::take()?;
    let terminal = find_or_open(&client, &task, args, &keys).await?;
    if keys.is_person() {
        say(&format!(
            "{} ({}); Ctrl-] leaves it, and it goes on",
            terminal.name,
            clean(&terminal.program)
        ));
    }
    let name = terminal.name.clone();
    let end = Session::new(global, client, task, terminal)
        .run(&mut keys)
        .await;
    drop(keys);
    match end? {
        End::Left => {
            say(&format!(
                "\n{name} goes on: `paddock terminal … --name {name}` shows it again"
            ));
            Ok(Exit::Detached)
        }
        End::Over(RunExit::Code { code: 0 }) => Ok(Exit::Well),
        End::Over(exit) => {
            say(&format!("{name} {}", how(exit)));
            Ok(Exit::Failed)
        }
    }
}

/// The terminal that is meant: the one of the name, else the last that is open, else a new one.
async fn find_or_open(
    client: &Client,
    task: &TaskId,
    args: &TerminalArgs,
    keys: &Keys,
) -> Result<Terminal> {
    let what = if args.agent {
        TerminalKind::Agent
    } else {
        TerminalKind::Shell
    };
    if !args.new {
        let open = client.terminals(task).await?.items;
        let is_meant = |terminal: &&Terminal| match &args.name {
            Some(name) => terminal.name == *name,
            None => terminal.what == what && terminal.exit.is_none(),
        };
        if let Some(found) = open.iter().rev().find(is_meant) {
            return Ok(found.clone());
        }
    }
    let request = TerminalRequest {
        what,
        name: args.name.clone(),
        size: keys.size(),
    };
    Ok(client.open_terminal(task, &request).await?)
}
