//! What journeys about waiting share: a gate that holds an agent up, and messages by their ids.

use std::process::Command;

use paddock_domain::{Body, Event, InputId, Message};
use paddock_kit::Watch;

use super::world::World;

/// A pipe that an agent's command waits on until it is let go.
pub(crate) struct Gate(std::path::PathBuf);

impl Gate {
    pub(crate) fn new(world: &World, name: &str) -> Self {
        let path = world.path(name);
        let made = Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        Self(path)
    }

    /// A step of a script that ends when the gate is opened.
    pub(crate) fn step(&self) -> String {
        format!("bash cat {} && echo let go", self.0.display())
    }

    /// Lets the agent go on; waits until it stands at the gate.
    pub(crate) fn open(&self) {
        std::fs::write(&self.0, "").unwrap();
    }
}

/// A message with an id of the client's.
pub(crate) fn message(id: &str, text: &str) -> Message {
    Message {
        input_id: Some(InputId::parse(id).unwrap()),
        text: text.to_owned(),
        attachments: Vec::new(),
    }
}

/// The ids of the messages that were said, but for the prompt's.
pub(crate) fn said(events: &[Event]) -> Vec<String> {
    let ids = events.iter().filter_map(|event| match &event.body {
        Body::UserMessage { input_id, .. } => Some(input_id.to_string()),
        _ => None,
    });
    ids.skip(1).collect()
}

/// Waits until the message `wanted` is said.
pub(crate) async fn until_said(task: &mut Watch, wanted: &str) -> anyhow::Result<()> {
    task.until(wanted, |event| match &event.body {
        Body::UserMessage { input_id, .. } if input_id.as_str() == wanted => Some(()),
        _ => None,
    })
    .await
}
