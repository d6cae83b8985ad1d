//! What Claude Code offers: its answer to our greeting lists its commands and models.

use paddock_domain::{OfferedCommand, OfferedModel};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::codec::ClaudeCodec;
use super::decode::Out;
use crate::offers::readable;

/// The answer to `initialize`, as far as it tells what is offered.
#[derive(Deserialize)]
struct Greeted<'a> {
    #[serde(borrow, default)]
    commands: Option<&'a RawValue>,
    #[serde(borrow, default)]
    models: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Command {
    name: String,
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    argument_hint: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Model {
    value: String,
    #[serde(default)]
    resolved_model: Option<String>,
    #[serde(default)]
    display_name: Option<String>,
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    supported_effort_levels: Vec<String>,
}

/// How commands begin that the program keeps to itself.
const INTERNAL: &str = "__";

impl ClaudeCodec {
    /// The program has answered our greeting.
    pub(super) fn learn_offers(&mut self, answer: Option<&RawValue>, out: &mut Out) {
        let greeted = answer.and_then(|answer| serde_json::from_str(answer.get()).ok());
        let Some(Greeted { commands, models }) = greeted else {
            return;
        };
        let commands = readable::<Command>(commands).filter(|it| !it.name.starts_with(INTERNAL));
        self.offers.commands(commands.map(|it| OfferedCommand {
            name: it.name,
            description: it.description,
            hint: it.argument_hint,
        }));
        let models = readable::<Model>(models).map(|it| OfferedModel {
            id: it.value,
            name: it.display_name,
            description: it.description,
            stands_for: it.resolved_model,
            efforts: it.supported_effort_levels,
        });
        self.offers.models(models, None);
        self.offers.tell(out);
    }
}
