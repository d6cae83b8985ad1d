//! Waiting for the connection to a task's box to be as a test expects it.

use std::time::Duration;

use anyhow::Context;
use paddock_client::{Client, FeedItem};
use paddock_domain::{Link, LinkState, TaskId};

/// Longest wait: a connection that moves nothing is noticed within 20 s.
const WAIT_MAX: Duration = Duration::from_secs(60);

/// Follows the task's stream until its link is in `state`, and gives it.
///
/// # Errors
/// When that does not come.
pub async fn until_link(client: &Client, task: &TaskId, state: LinkState) -> anyhow::Result<Link> {
    let mut feed = client.events(task, 0);
    let told = async {
        loop {
            if let FeedItem::Link(told) = feed.next().await?
                && told.link.state == state
            {
                return anyhow::Ok(told.link);
            }
        }
    };
    let told = tokio::time::timeout(WAIT_MAX, told).await;
    told.with_context(|| format!("the link is never {state:?}"))?
}
