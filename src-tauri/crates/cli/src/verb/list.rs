//! Looking at tasks: `ls`, `show`, `logs`.

use anyhow::Result;
use paddock_api::{PAGE_MAX, TaskQuery, TaskSummary};
use paddock_client::{Client, FeedItem};
use paddock_domain::{HarnessName, StateName, Timestamp};

use super::run::absolute;
use crate::args::{Global, LogsArgs, LsArgs};
use crate::exit::{Exit, told};
use crate::render::{
    LinkTeller, Paint, Transcript, describe, describe_link, json, line, on_terminal, print, say,
    summary_row, table,
};
use crate::{reach, resolve};

/// Lists tasks.
pub(crate) async fn ls(global: &Global, args: LsArgs) -> Result<Exit> {
    let harness = args.harness.as_deref().map(HarnessName::parse).transpose();
    let query = TaskQuery {
        state: args.state,
        repository: args.repo.as_deref().map(absolute).transpose()?,
        harness: harness.map_err(|error| told(Exit::Usage, error.to_string()))?,
        needs_me: args.needs_me,
        text: args.text,
        older: args.older,
        archived: args.archived,
        ..TaskQuery::default()
    };
    let client = reach::client(global).await?;
    let (tasks, more) = collect(&client, query, args.limit).await?;
    if global.json {
        json(&tasks)?;
        return Ok(Exit::Well);
    }
    if tasks.is_empty() {
        say("no such task yet: `paddock run \"what to do\"` starts one");
        return Ok(Exit::Well);
    }
    let now = now();
    let rows = tasks.iter().map(|task| summary_row(task, now)).collect();
    line(&table(
        &[
            "TASK", "STATE", "SINCE", "HARNESS", "CHANGES", "BRANCH", "TITLE",
        ],
        rows,
        None,
    ));
    if more {
        say(&format!(
            "only the newest {} are listed: --limit lists more",
            tasks.len()
        ));
    }
    Ok(Exit::Well)
}

/// The first `limit` tasks of `query`, and whether there are more.
async fn collect(
    client: &Client,
    mut query: TaskQuery,
    limit: usize,
) -> Result<(Vec<TaskSummary>, bool)> {
    let mut tasks = Vec::new();
    loop {
        query.limit = Some((limit - tasks.len()).clamp(1, PAGE_MAX));
        let page = client.tasks(&query).await?;
        tasks.extend(page.items);
        query.cursor = page.next_cursor;
        if query.cursor.is_none() || tasks.len() >= limit {
            return Ok((tasks, query.cursor.is_some()));
        }
    }
}

/// Shows one task.
pub(crate) async fn show(global: &Global, task: &str) -> Result<Exit> {
    let client = reach::client(global).await?;
    let task = client.task(&resolve::task(&client, task).await?).await?;
    if global.json {
        json(&task)?;
    } else {
        print(&describe(&task, Paint::of_stdout(), now()));
        if task.state == StateName::Pending
            && let Ok(place) = client.place(&task.task_id).await
        {
            line(&format!("place     {}", place.reason));
        }
        if let Some(text) = describe_link(&task.link, now()) {
            line(&format!("link      {text}"));
        }
    }
    Ok(Exit::Well)
}

/// Shows what happened, and what happens.
pub(crate) async fn logs(global: &Global, args: &LogsArgs) -> Result<Exit> {
    let client = reach::client(global).await?;
    let task_id = resolve::task(&client, &args.task).await?;
    let mut feed = client.events(&task_id, args.since_seq);
    let mut transcript = Transcript::new(Paint::of_stdout(), args.follow && on_terminal());
    let mut links = LinkTeller::default();
    let mut pressed = Box::pin(tokio::signal::ctrl_c());
    loop {
        let item = tokio::select! {
            item = feed.next() => item?,
            outcome = &mut pressed => { outcome?; return Ok(Exit::Well) }
        };
        match item {
            FeedItem::Event(event) if global.json => line(&event.json),
            FeedItem::Event(event) => {
                if let Ok(event) = event.parse() {
                    print(&transcript.event(&event));
                }
            }
            FeedItem::Delta(delta) if !global.json => print(&transcript.delta(&delta.delta)),
            FeedItem::Ready if !args.follow => return Ok(Exit::Well),
            FeedItem::Ready if !global.json => {
                print(&transcript.rejoin());
                if client.task(&task_id).await?.state == StateName::Purged {
                    return Ok(Exit::Well);
                }
            }
            FeedItem::Reset(_) => {
                say("the server does not know this place: the whole journal follows")
            }
            FeedItem::Reconnecting { attempt, .. } if attempt > 1 => {
                say(&format!("reconnecting (try {attempt})"))
            }
            FeedItem::Link(link) if args.follow && !global.json => links.tell(&link.link, now()),
            FeedItem::Delta(_)
            | FeedItem::Link(_)
            | FeedItem::Statistics(_)
            | FeedItem::Ready
            | FeedItem::Reconnecting { .. } => {}
        }
    }
}

/// The time by this machine's clock.
pub(crate) fn now() -> Timestamp {
    let since = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp::from_unix_ms(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
