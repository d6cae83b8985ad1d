//! Puts every event of every task on the shelf, each once, whatever is missed on the way: the journals are
//! asked how far they reach at the beginning and after every gap.

use futures_util::StreamExt;
use paddock_api::names;
use paddock_orchestrator::{LiveItem, Orchestrator};

use super::Hub;
use crate::frame;

/// Fills `hub` for as long as there is somebody to hear of.
pub(crate) async fn fill(hub: &Hub, orchestrator: &Orchestrator) {
    loop {
        // Heard from now on, so that nothing falls between the journals and the stream.
        let mut events = std::pin::pin!(orchestrator.all_events());
        for (task, seq) in orchestrator.reached() {
            hub.catch_up(&task, seq);
        }
        hub.caught_up();
        loop {
            match events.next().await {
                Some(Ok(item)) => put(hub, &item),
                Some(Err(_)) => {
                    tracing::warn!("the stream of all events fell behind: what it missed is read");
                    break;
                }
                None => return,
            }
        }
    }
}

/// Puts what all clients may see on the shelf.
fn put(hub: &Hub, item: &LiveItem) {
    match item {
        LiveItem::Line(line) => hub.publish(&line.event.task_id, line.seq, &line.json),
        LiveItem::Link(link) => hub.tell(frame::told(names::LINK, None, &**link)),
        LiveItem::History { .. } | LiveItem::Ready { .. } | LiveItem::Delta(_) => {}
    }
}
