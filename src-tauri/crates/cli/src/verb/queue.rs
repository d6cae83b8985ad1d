//! `paddock queue`: what waits to be said after a turn.

use anyhow::Result;
use paddock_client::Client;
use paddock_domain::{FollowUp, FollowUpQueue, InputId, Message, TaskId};

use super::run::text_or_stdin;
use crate::args::{Global, QueueArgs, QueueVerb};
use crate::exit::{Exit, told};
use crate::reach;
use crate::render::{first_line, json, line, say, why};
use crate::resolve;

/// Shows or changes the queue of a task.
pub(crate) async fn queue(global: &Global, args: QueueArgs) -> Result<Exit> {
    let client = reach::client(global).await?;
    let task = resolve::task(&client, &args.task).await?;
    let queue = match args.verb.unwrap_or(QueueVerb::Ls) {
        QueueVerb::Ls => client.follow_ups(&task).await?,
        QueueVerb::Add { text } => {
            let text = text_or_stdin(text)?;
            let input_id = None;
            client
                .say_after_turn(
                    &task,
                    &Message {
                        input_id,
                        text,
                        attachments: Vec::new(),
                    },
                )
                .await?;
            client.follow_ups(&task).await?
        }
        QueueVerb::Edit { message, text } => {
            let id = named(&client, &task, &message).await?;
            let text = text_or_stdin(text)?;
            client.edit_follow_up(&task, &id, text).await?
        }
        QueueVerb::Move { message, to } => {
            let queue = client.follow_ups(&task).await?;
            let id = find(&queue, &message)?;
            client
                .order_follow_ups(&task, moved(&queue, &id, to))
                .await?
        }
        QueueVerb::Rm { message } => {
            let id = named(&client, &task, &message).await?;
            client.remove_follow_up(&task, &id).await?
        }
        QueueVerb::Go { message } => {
            let queue = client.follow_ups(&task).await?;
            let id = match (message, queue.items.first()) {
                (Some(message), _) => find(&queue, &message)?,
                (None, Some(first)) => first.input_id.clone(),
                (None, None) => return Err(told(Exit::Refused, "nothing waits to be said")),
            };
            client.send_queued(&task, &id).await?;
            client.follow_ups(&task).await?
        }
    };
    if global.json {
        json(&queue)?;
    } else {
        show(&queue);
    }
    Ok(Exit::Well)
}

fn show(queue: &FollowUpQueue) {
    if queue.items.is_empty() {
        say("nothing waits to be said");
        return;
    }
    for (place, message) in (1..).zip(&queue.items) {
        line(&row(place, message));
    }
    if let Some(hold) = queue.hold {
        say(&format!(
            "the queue waits for you: {}; `go` says the next one, and so does any message",
            why(hold)
        ));
    }
}

fn row(place: usize, message: &FollowUp) -> String {
    format!("{place:>2}  {}  {}", message.input_id, first_line(message))
}

async fn named(client: &Client, task: &TaskId, part: &str) -> Result<InputId> {
    find(&client.follow_ups(task).await?, part)
}

/// The one message whose id begins or ends so. One that is not there is named as it is: the server knows
/// what became of it.
fn find(queue: &FollowUpQueue, part: &str) -> Result<InputId> {
    let ids = queue.items.iter().map(|message| &message.input_id);
    let found: Vec<_> = ids
        .filter(|id| id.as_str().starts_with(part) || id.as_str().ends_with(part))
        .collect();
    match found[..] {
        [one] => Ok(one.clone()),
        [] => InputId::parse(part).map_err(|error| told(Exit::Usage, error.to_string())),
        _ => Err(told(
            Exit::Usage,
            format!("several queued messages go by {part}: say more of the id"),
        )),
    }
}

/// The order in which `id` stands at the place `to`, from 1.
fn moved(queue: &FollowUpQueue, id: &InputId, to: usize) -> Vec<InputId> {
    let ids = queue.items.iter().map(|message| message.input_id.clone());
    let mut order: Vec<_> = ids.filter(|other| other != id).collect();
    let at = to.saturating_sub(1).min(order.len());
    order.insert(at, id.clone());
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(ids: &[&str]) -> FollowUpQueue {
        let items = ids.iter().map(|id| {
            let item =
                serde_json::json!({"input_id": id, "content": "x\ny", "queued_at": "2026-01-01T00:00:00Z"});
            serde_json::from_value(item).unwrap()
        });
        FollowUpQueue {
            items: items.collect(),
            hold: None,
        }
    }

    #[test]
    fn a_message_is_moved_to_any_place_and_no_further_than_the_end() {
        let order = |to| {
            let id = InputId::parse("b").unwrap();
            let moved = moved(&queue(&["a", "b", "c"]), &id, to);
            moved.iter().map(InputId::as_str).collect::<String>()
        };
        assert_eq!(
            [order(1), order(2), order(3), order(99)],
            ["bac", "abc", "acb", "acb"]
        );
    }

    #[test]
    fn a_message_is_found_by_a_part_of_its_id_when_that_says_which() {
        let queue = queue(&["one-x", "two-x"]);
        assert_eq!(find(&queue, "one").unwrap().as_str(), "one-x");
        assert!(find(&queue, "x").is_err());
        assert_eq!(find(&queue, "gone").unwrap().as_str(), "gone");
    }

    #[test]
    fn a_row_is_one_line_whatever_the_message() {
        let row = row(1, &queue(&["a"]).items[0]);
        assert_eq!(row, " 1  a  x …");
    }
}
