//! Following the server like any client: its events become tray, badge and notifications.
//!
//! Level-triggered: events only say that something moved; what is shown is read from the server then, so
//! that a question answered meanwhile on the phone is not shown here. Readings are gathered for
//! [`GATHER`], however many events come.
//!
//! Start at [`follow`].

use std::time::Duration;

use paddock_api::{TaskQuery, TaskSummary};
use paddock_client::{Client, ClientError, FeedItem, JournalEvent};
use tokio::time::{Instant, sleep_until};

use crate::attention::{self, Attention, Heard};
use crate::desktop::Desktop;

/// How long events are gathered before the tasks are read again.
const GATHER: Duration = Duration::from_millis(250);
/// Most tasks that a reading takes.
const NEEDS_MAX: usize = 200;
/// Tries to reach a server that is gone before it is given up.
const TRIES_MAX: u32 = 6;

/// Follows the server until it is gone. `attention` outlives it, so that the next server's first words
/// are not told anew.
pub(crate) async fn follow(
    client: &Client,
    desktop: &dyn Desktop,
    attention: &mut Attention,
) -> Option<ClientError> {
    let mut feed = client.all_events(None).near();
    let mut read_at = None;
    // What came just before the stream began may be in neither the stream nor the first list.
    let mut settling = false;
    loop {
        let item = match read_at {
            None => feed.next().await,
            Some(at) => tokio::select! {
                item = feed.next() => item,
                () = sleep_until(at) => {
                    read_at = None;
                    if let Ok(needs) = needs(client).await {
                        if std::mem::take(&mut settling) {
                            tell_missed(desktop, attention, &needs);
                        }
                        show(desktop, attention, &needs);
                    }
                    continue;
                }
            },
        };
        match item {
            Ok(FeedItem::Event(event)) => {
                if hear(client, desktop, attention, &event).await {
                    read_at.get_or_insert_with(|| Instant::now() + GATHER);
                }
            }
            // From here on events come live; what came before is in the list.
            Ok(FeedItem::Ready) => match needs(client).await {
                Ok(needs) => {
                    tell_missed(desktop, attention, &needs);
                    show(desktop, attention, &needs);
                    settling = true;
                    read_at = Some(Instant::now() + GATHER);
                }
                Err(error) => return Some(error),
            },
            Ok(FeedItem::Reconnecting { attempt, .. }) if attempt > TRIES_MAX => return None,
            Ok(
                FeedItem::Delta(_)
                | FeedItem::Link(_)
                | FeedItem::Statistics(_)
                | FeedItem::Reset(_)
                | FeedItem::Reconnecting { .. },
            ) => {}
            Err(error) => return Some(error),
        }
    }
}

/// Whether the list of tasks that need the user may have moved.
async fn hear(
    client: &Client,
    desktop: &dyn Desktop,
    attention: &mut Attention,
    event: &JournalEvent,
) -> bool {
    let Ok(heard) = serde_json::from_str::<Heard>(&event.json) else {
        return false;
    };
    let is_new = attention.heard(&heard);
    if is_new
        && heard.tells()
        && let Ok(event) = event.parse()
        && let Ok(task) = client.task(&heard.task_id).await
        && let Some(notice) = attention::notice(&event, &task, desktop.language())
        && desktop.watched().as_ref() != Some(&notice.link)
    {
        desktop.notify(&notice);
    }
    attention.moves(&heard)
}

fn tell_missed(desktop: &dyn Desktop, attention: &mut Attention, needs: &[TaskSummary]) {
    for missed in attention.listed(needs, desktop.language()) {
        desktop.notify(&missed);
    }
}

fn show(desktop: &dyn Desktop, attention: &mut Attention, needs: &[TaskSummary]) {
    desktop.tray(&attention.tray(needs));
    desktop.badge(needs.len());
}

async fn needs(client: &Client) -> Result<Vec<TaskSummary>, ClientError> {
    let query = TaskQuery {
        needs_me: true,
        limit: Some(NEEDS_MAX),
        ..TaskQuery::default()
    };
    Ok(client.tasks(&query).await?.items)
}

/// How many agents work now.
pub(crate) async fn working(client: &Client) -> Result<usize, ClientError> {
    const PAGES_MAX: usize = 50;
    let mut working = 0;
    let mut query = TaskQuery {
        limit: Some(NEEDS_MAX),
        ..TaskQuery::default()
    };
    for _ in 0..PAGES_MAX {
        let page = client.tasks(&query).await?;
        let works = |task: &&TaskSummary| attention::is_working(task.state);
        working += page.items.iter().filter(works).count();
        query.cursor = page.next_cursor;
        if query.cursor.is_none() {
            break;
        }
    }
    Ok(working)
}

#[cfg(test)]
mod tests;
