//! An event stream that survives the loss of its connection.
//!
//! The cursor of the last event is kept; a connection that breaks, falls silent or is dropped for being
//! slow is opened again behind it, with growing pauses and an end. Nothing is told twice.

use std::time::Duration;

use paddock_api::{CursorData, DeltaData, ResetData, StatisticsData, names, pings};
use paddock_domain::{Event, LinkData};
use reqwest::Response;

use crate::call::events_path;
use crate::sse::{SseEvent, SseParser};
use crate::{Client, ClientError};

/// What comes out of a feed.
#[derive(Clone, Debug)]
pub enum FeedItem {
    /// A journal event.
    Event(JournalEvent),
    /// A piece of a message under way.
    Delta(DeltaData),
    /// The connection to a task's box, as it is now.
    Link(LinkData),
    /// What a box uses now.
    Statistics(Box<StatisticsData>),
    /// History is complete; what follows is live. Comes again after every reconnection.
    Ready,
    /// The cursor was not known: what was folded so far is void, the feed goes on from the beginning.
    Reset(ResetData),
    /// The connection was lost and is tried again after this pause.
    Reconnecting {
        /// Which try, from 1.
        attempt: u32,
        /// How long is waited before it.
        pause: Duration,
    },
}

/// A journal event as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalEvent {
    /// The cursor to resume behind it.
    pub cursor: String,
    /// Its JSON, byte for byte as it stands in the journal.
    pub json: String,
}

impl JournalEvent {
    /// The event.
    ///
    /// # Errors
    /// When it is of a type that this client does not know.
    pub fn parse(&self) -> Result<Event, serde_json::Error> {
        serde_json::from_str(&self.json)
    }
}

/// Events of one task or of all, for as long as they are asked for.
#[derive(Debug)]
pub struct EventFeed {
    client: Client,
    path: String,
    cursor: Option<String>,
    connection: Option<(Response, SseParser)>,
    ever_connected: bool,
    lost: u32,
    ping_every: Duration,
}

impl EventFeed {
    /// Tries in a row, without one event in between, before it gives up.
    pub const ATTEMPTS_MAX: u32 = 20;
    /// The first pause; each doubles.
    pub const PAUSE_FIRST: Duration = Duration::from_millis(100);
    /// The longest pause.
    pub const PAUSE_MAX: Duration = Duration::from_secs(5);
    /// A connection that missed so many pings is dead.
    pub const PINGS_MISSED: u32 = 3;

    pub(crate) fn new(client: Client, path: String, cursor: Option<String>) -> Self {
        Self {
            client,
            path,
            cursor,
            connection: None,
            ever_connected: false,
            lost: 0,
            ping_every: pings::EVERY,
        }
    }

    /// Of a server on this machine: connections to it end with it, so it is to say less often that it is there.
    #[must_use]
    pub fn near(mut self) -> Self {
        self.ping_every = pings::EVERY_NEAR;
        self
    }

    /// The cursor of the last event that came.
    #[must_use]
    pub fn cursor(&self) -> Option<&str> {
        self.cursor.as_deref()
    }

    /// What comes next. May be dropped before it is done and called again; nothing is lost.
    ///
    /// # Errors
    /// [`ClientError`] when the server refuses, was never there, or stayed away for
    /// [`Self::ATTEMPTS_MAX`] tries. The feed can be asked again all the same.
    pub async fn next(&mut self) -> Result<FeedItem, ClientError> {
        loop {
            let Some((response, parser)) = &mut self.connection else {
                if let Err(error) = self.connect().await {
                    return self.lose(error);
                }
                continue;
            };
            if let Some(event) = parser.next_event() {
                match self.understand(event)? {
                    Some(item) => return Ok(item),
                    None => continue,
                }
            }
            let chunk =
                tokio::time::timeout(self.ping_every * Self::PINGS_MISSED, response.chunk()).await;
            let cause = match chunk {
                Ok(Ok(Some(bytes))) if parser.feed(&bytes).is_ok() => continue,
                Ok(Ok(Some(_))) => {
                    let cause = format!("an event is longer than {} bytes", SseParser::MAX);
                    return Err(ClientError::unreadable(self.client.url(), cause));
                }
                Ok(Ok(None)) => "the stream ended".to_owned(),
                Ok(Err(error)) => error.to_string(),
                Err(_) => "the stream fell silent".to_owned(),
            };
            let url = self.client.url().to_owned();
            return self.lose(ClientError::Unreachable { url, cause });
        }
    }

    async fn connect(&mut self) -> Result<(), ClientError> {
        if self.lost > 0 {
            tokio::time::sleep(pause(self.lost)).await;
        }
        let path = events_path(&self.path, self.cursor.as_deref());
        let response = self.client.open_stream(&path, self.ping_every);
        self.connection = Some((response.await?, SseParser::default()));
        self.ever_connected = true;
        Ok(())
    }

    /// Counts a lost connection: says when it is tried again, or gives up.
    fn lose(&mut self, error: ClientError) -> Result<FeedItem, ClientError> {
        self.connection = None;
        if !self.ever_connected || !error.is_passing() || self.lost >= Self::ATTEMPTS_MAX {
            return Err(error);
        }
        self.lost += 1;
        Ok(FeedItem::Reconnecting {
            attempt: self.lost,
            pause: pause(self.lost),
        })
    }

    fn understand(&mut self, event: SseEvent) -> Result<Option<FeedItem>, ClientError> {
        let url = self.client.url();
        let unreadable = |error| ClientError::unreadable(url, error);
        let item = match event.name.as_str() {
            names::EVENT => {
                let cursor = event.id.unwrap_or_default();
                self.cursor = Some(cursor.clone());
                FeedItem::Event(JournalEvent {
                    cursor,
                    json: event.data,
                })
            }
            names::DELTA => FeedItem::Delta(serde_json::from_str(&event.data).map_err(unreadable)?),
            names::LINK => FeedItem::Link(serde_json::from_str(&event.data).map_err(unreadable)?),
            names::STATISTICS => {
                let sample = serde_json::from_str(&event.data).map_err(unreadable)?;
                FeedItem::Statistics(Box::new(sample))
            }
            names::READY => {
                let at: CursorData = serde_json::from_str(&event.data).map_err(unreadable)?;
                self.cursor = Some(at.cursor);
                FeedItem::Ready
            }
            names::RESET => {
                let reset = serde_json::from_str(&event.data).map_err(unreadable)?;
                self.cursor = None;
                FeedItem::Reset(reset)
            }
            // A ping, or something from a newer server.
            _ => return Ok(None),
        };
        self.lost = 0;
        Ok(Some(item))
    }
}

/// How long is waited before the try `attempt`, from 1.
fn pause(attempt: u32) -> Duration {
    let doubled = EventFeed::PAUSE_FIRST.saturating_mul(1 << attempt.saturating_sub(1).min(16));
    doubled.min(EventFeed::PAUSE_MAX)
}

#[cfg(test)]
mod tests;
