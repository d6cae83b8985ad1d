//! The way to whichever server serves just now.

use std::time::{Duration, Instant};

use paddock_api::ErrorCode;
use paddock_client::{Client, ClientError};
use tokio::sync::watch;

/// Longest time that one try may take: a server that stands still answers when it goes on.
const TRY_MAX: Duration = Duration::from_secs(10);
/// Longest time that is tried for.
const TRIES_MAX: Duration = Duration::from_secs(40);
/// Pause between two tries, unless another server comes before.
const PAUSE: Duration = Duration::from_millis(40);

/// What came of a call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answered<T> {
    /// It was granted.
    Yes(T),
    /// It was refused.
    No(ErrorCode, String),
    /// Nobody can tell: the connection was lost, or it took too long.
    Unknown(String),
}

impl<T> Answered<T> {
    /// Whether it was granted.
    pub(crate) fn is_yes(&self) -> bool {
        matches!(self, Self::Yes(_))
    }
}

/// See the head of this file.
#[derive(Clone, Debug)]
pub(crate) struct Door {
    pub(crate) client: watch::Receiver<Client>,
}

impl Door {
    /// The client of the server that serves now, or served last.
    pub(crate) fn client(&self) -> Client {
        self.client.borrow().clone()
    }

    /// Asks once.
    pub(crate) async fn once<T>(
        &self,
        call: impl AsyncFn(Client) -> Result<T, ClientError>,
    ) -> Answered<T> {
        match tokio::time::timeout(TRY_MAX, call(self.client())).await {
            Err(_) => Answered::Unknown(format!("no answer within {TRY_MAX:?}")),
            Ok(Ok(answer)) => Answered::Yes(answer),
            Ok(Err(error)) => match error.code() {
                Some(code) => Answered::No(code, error.to_string()),
                None => Answered::Unknown(error.to_string()),
            },
        }
    }

    /// Asks again and again until there is an answer; only for what may be asked twice.
    pub(crate) async fn ask<T>(
        &self,
        call: impl AsyncFn(Client) -> Result<T, ClientError>,
    ) -> Answered<T> {
        let begun = Instant::now();
        loop {
            let answered = self.once(&call).await;
            let again = match &answered {
                Answered::Yes(_) => false,
                Answered::No(code, _) => {
                    matches!(
                        code,
                        ErrorCode::Overloaded | ErrorCode::ShuttingDown | ErrorCode::DiskFull
                    )
                }
                Answered::Unknown(_) => true,
            };
            if !again || begun.elapsed() > TRIES_MAX {
                return answered;
            }
            let mut next = self.client.clone();
            let _ = tokio::time::timeout(PAUSE, next.changed()).await;
        }
    }
}
