//! `paddock sessions`: sessions that users had with agents, and tasks that go on with one.

use anyhow::Result;
use paddock_api::{AdoptRequest, SESSIONS_MAX, SessionQuery};
use paddock_client::Client;
use paddock_domain::{HarnessName, PastSession, Task, TaskSpec};

use super::control::{done, of};
use super::run::{absolute, around_here};
use crate::args::{Global, SessionListArgs, SessionsArgs, SessionsVerb};
use crate::exit::{Exit, told};
use crate::reach;
use crate::render::{clean, json, line, say, size, table};
use crate::resolve::{one_of, short};

/// Lists sessions, or lets a task go on with another of its own.
pub(crate) async fn sessions(global: &Global, args: SessionsArgs) -> Result<Exit> {
    let usual = || SessionsVerb::Ls(SessionListArgs::default());
    match args.verb.unwrap_or_else(usual) {
        SessionsVerb::Ls(args) => list(global, args).await,
        SessionsVerb::Of { task } => {
            let (client, task) = of(global, &task).await?;
            show(
                global,
                &client.task_sessions(&task).await?,
                "its agent has no session yet",
            )
        }
        SessionsVerb::Revive { task, session } => {
            let (client, task) = of(global, &task).await?;
            let all = client.task_sessions(&task).await?;
            let none = |part: &str| {
                format!(
                    "the task has no session {part}: `paddock sessions of {}` lists them",
                    short(&task)
                )
            };
            let found = one_of(
                &all,
                |one| one.session_id.as_str(),
                "sessions",
                &session,
                none,
            )?;
            let accepted = client.revive_with(&task, &found.session_id).await?;
            done(
                global,
                &accepted,
                &format!("goes on with {}", found.session_id),
            )
        }
    }
}

async fn list(global: &Global, args: SessionListArgs) -> Result<Exit> {
    let repository = match args.repo {
        Some(path) => Some(absolute(&path)?),
        None if args.all => None,
        None => around_here().map(|path| absolute(&path)).transpose()?,
    };
    let none = match &repository {
        Some(path) => format!(
            "no agent has a session in {path}: `paddock sessions ls --all` lists those of every directory"
        ),
        None => "no agent has a session that Paddock can read".to_owned(),
    };
    let query = SessionQuery {
        harness: args.harness,
        repository,
        words: args.words,
        limit: args.limit,
    };
    let found = reach::client(global).await?.agent_sessions(&query).await?;
    show(global, &found, &none)
}

fn show(global: &Global, sessions: &[PastSession], none: &str) -> Result<Exit> {
    if global.json {
        json(&sessions)?;
        return Ok(Exit::Well);
    }
    if sessions.is_empty() {
        say(none);
        return Ok(Exit::Well);
    }
    let rows = sessions.iter().map(|session| {
        let at = session.last_at.or(session.began_at);
        let at = at.map(|at| at.to_string().chars().take(16).collect::<String>());
        // A history that is too long to be counted is known by its size.
        let said = session.prompts.map(|count| count.to_string());
        let task = session.task_id.as_ref();
        let task = task.map_or_else(String::new, |task| format!(" → task {}", short(task)));
        vec![
            format!("{}:{}", session.harness, end_of(&session.session_id)),
            at.unwrap_or_default().replace('T', " "),
            said.unwrap_or_else(|| size(session.size)),
            format!("{}{task}", clean(&session.title)),
            clean(session.directory.as_deref().unwrap_or_default()),
        ]
    });
    let headings = ["SESSION", "LAST", "SAID", "TITLE", "DIRECTORY"];
    line(&table(&headings, rows.collect(), None));
    Ok(Exit::Well)
}

/// The end of a session's id, by which it can be named.
fn end_of(id: &str) -> &str {
    const ENOUGH: usize = 12;
    let from = id.len().saturating_sub(ENOUGH);
    id.get(from..).unwrap_or(id)
}

/// The session that `typed` means: `HARNESS:ID`, where the id may be the beginning or end of one.
pub(crate) fn named(typed: &str) -> Result<(HarnessName, String)> {
    let usage = |message: String| told(Exit::Usage, message);
    let (harness, id) = typed
        .split_once(':')
        .filter(|(_, id)| !id.is_empty())
        .ok_or_else(|| {
            usage(format!(
                "write the session as HARNESS:ID, not `{typed}`; `paddock sessions` lists them"
            ))
        })?;
    let harness = HarnessName::parse(harness).map_err(|error| usage(error.to_string()))?;
    Ok((harness, id.to_owned()))
}

/// Creates a task that goes on with the session whose id is `part` of one.
pub(crate) async fn adopt(client: &Client, part: &str, task: &TaskSpec) -> Result<Task> {
    let query = SessionQuery {
        harness: Some(task.harness.clone()),
        words: Some(part.to_owned()),
        limit: Some(SESSIONS_MAX),
        ..SessionQuery::default()
    };
    let all = client.agent_sessions(&query).await?;
    let none = |part: &str| {
        let harness = &task.harness;
        format!(
            "{harness} has no session {part}: `paddock sessions ls --all --harness {harness}` lists them"
        )
    };
    let found = one_of(&all, |one| one.session_id.as_str(), "sessions", part, none)?;
    let request = AdoptRequest {
        session_id: found.session_id.clone(),
        task: task.clone(),
    };
    Ok(client.adopt_session(&request).await?)
}
