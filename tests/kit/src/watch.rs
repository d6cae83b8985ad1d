//! Eyes on one task: its events as they come, until what a test waits for has happened.

use std::time::Duration;

use anyhow::{Context, bail};
use paddock_client::{Client, EventFeed, FeedItem};
use paddock_domain::{Body, Event, PurgeRequest, StateName, Task, TaskId, TurnOutcome};

/// Longest wait for one thing to happen.
const WAIT_MAX: Duration = Duration::from_secs(120);

/// A task that is watched from its first event.
#[derive(Debug)]
pub struct Watch {
    client: Client,
    task: TaskId,
    feed: EventFeed,
    seen: Vec<Event>,
}

impl Watch {
    /// Watches `task` from its first event.
    #[must_use]
    pub fn new(client: Client, task: TaskId) -> Self {
        let feed = client.events(&task, 0);
        Self {
            client,
            task,
            feed,
            seen: Vec::new(),
        }
    }

    /// The task's id.
    #[must_use]
    pub fn id(&self) -> &TaskId {
        &self.task
    }

    /// What was seen so far, in order.
    #[must_use]
    pub fn seen(&self) -> &[Event] {
        &self.seen
    }

    /// The task as the server sees it now.
    ///
    /// # Errors
    /// What the server says.
    pub async fn task(&self) -> anyhow::Result<Task> {
        Ok(self.client.task(&self.task).await?.task)
    }

    /// Goes on until an event that `wanted` takes has come, and gives what it made of it.
    ///
    /// # Errors
    /// When it does not come in time; with what came in its place.
    pub async fn until<T>(
        &mut self,
        what: &str,
        mut wanted: impl FnMut(&Event) -> Option<T>,
    ) -> anyhow::Result<T> {
        let waiting = tokio::time::timeout(WAIT_MAX, async {
            loop {
                if let FeedItem::Event(line) = self.feed.next().await? {
                    let event = line.parse().with_context(|| line.json.clone())?;
                    let found = wanted(&event);
                    self.seen.push(event);
                    if let Some(found) = found {
                        return anyhow::Ok(found);
                    }
                }
            }
        });
        match waiting.await {
            Ok(Ok(found)) => Ok(found),
            Ok(Err(error)) => Err(error.context(self.story(what))),
            Err(_) => bail!(self.story(what)),
        }
    }

    /// Goes on until a piece of a message has come: the agent speaks.
    ///
    /// # Errors
    /// When none comes in time.
    pub async fn until_delta(&mut self) -> anyhow::Result<()> {
        let waiting = tokio::time::timeout(WAIT_MAX, async {
            loop {
                let item = self.feed.next().await?;
                if let FeedItem::Event(line) = &item {
                    self.seen.push(line.parse()?);
                }
                if matches!(item, FeedItem::Delta(_)) {
                    return anyhow::Ok(());
                }
            }
        });
        match waiting.await {
            Ok(come) => come,
            Err(_) => bail!(self.story("a piece of a message")),
        }
    }

    /// Goes on until the task enters `state`.
    ///
    /// # Errors
    /// When it does not, or fails on the way.
    pub async fn until_state(&mut self, state: StateName) -> anyhow::Result<()> {
        let end = self.until(state.as_str(), |event| {
            entered(event).filter(|now| *now == state || *now == StateName::Failed)
        });
        let reached = end.await?;
        if reached != state {
            bail!(self.story(state.as_str()));
        }
        Ok(())
    }

    /// Purges the task at once, whatever its box holds, and goes on until that is done.
    ///
    /// # Errors
    /// What the server says; when it is not done in time.
    pub async fn purge(&mut self) -> anyhow::Result<()> {
        let request = PurgeRequest {
            force: true,
            now: true,
            ..PurgeRequest::default()
        };
        self.client.purge(&self.task, &request).await?;
        self.until_state(StateName::Purged).await
    }

    /// Goes on until a turn has ended and the task has come to rest or ended, and gives how the turn ended.
    ///
    /// # Errors
    /// When it does not.
    pub async fn until_turn_ends(&mut self) -> anyhow::Result<TurnOutcome> {
        let ended = |event: &Event| {
            if let Body::TurnFinished { outcome, .. } = &event.body {
                return Some(Ok(*outcome));
            }
            let failed = entered(event).filter(|now| *now == StateName::Failed);
            failed.map(Err)
        };
        let outcome = self.until("the end of the turn", ended).await?;
        let Ok(outcome) = outcome else {
            bail!(self.story("the end of the turn"));
        };
        // A turn that is over before the task's next agent has caught up leaves the task at rest all along.
        if self.seen.iter().rev().find_map(entered) == Some(StateName::Waiting) {
            return Ok(outcome);
        }
        self.until("rest", |event| {
            entered(event).filter(|now| {
                !matches!(
                    now,
                    StateName::Running | StateName::Pulling | StateName::Pushing
                )
            })
        })
        .await?;
        Ok(outcome)
    }

    /// The types of what was seen, in order.
    #[must_use]
    pub fn types(&self) -> Vec<&'static str> {
        self.seen
            .iter()
            .map(|event| event.body.type_name())
            .collect()
    }

    /// All that the agent said, one message a line.
    #[must_use]
    pub fn said(&self) -> String {
        let texts = self.seen.iter().filter_map(|event| {
            let Body::AssistantMessage { blocks, .. } = &event.body else {
                return None;
            };
            let blocks = blocks.iter().map(|block| block.content.as_str());
            Some(blocks.collect::<String>())
        });
        texts.collect::<Vec<_>>().join("\n")
    }

    /// What came so far, for a failed test.
    #[must_use]
    pub fn story(&self, what: &str) -> String {
        let lines = self.seen.iter().map(|event| {
            let line = serde_json::to_string(&event).unwrap_or_default();
            line.chars().take(400).collect::<String>()
        });
        format!(
            "{what} did not come; there were:\n{}",
            lines.collect::<Vec<_>>().join("\n")
        )
    }
}

/// The state that an event brings the task into.
fn entered(event: &Event) -> Option<StateName> {
    if let Body::StateChanged { to, .. } = &event.body {
        return Some(*to);
    }
    None
}
