//! What an ACP agent offers: commands in an update of their own, models with the session, by either of the
//! protocol's two ways of choosing one.

use paddock_domain::{OfferedCommand, OfferedModel};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::codec::AcpCodec;
use super::decode::Out;
use crate::offers::readable;

/// The update that lists the commands.
pub(super) const COMMANDS: &str = "available_commands_update";
/// The update that lists what can be chosen for the session.
pub(super) const OPTIONS: &str = "config_option_update";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Commands<'a> {
    #[serde(borrow, default)]
    available_commands: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Command {
    name: String,
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    input: Option<Input>,
}

#[derive(Deserialize)]
struct Input {
    #[serde(default)]
    hint: Option<String>,
}

/// The answer to a request for a session, or an update of what can be chosen for it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Choices<'a> {
    #[serde(borrow, default)]
    models: Option<Models<'a>>,
    #[serde(borrow, default)]
    config_options: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Models<'a> {
    #[serde(default)]
    current_model_id: Option<String>,
    #[serde(borrow, default)]
    available_models: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Choice<'a> {
    #[serde(default)]
    category: Option<String>,
    #[serde(default)]
    current_value: Option<serde_json::Value>,
    #[serde(borrow, default)]
    options: Option<&'a RawValue>,
}

/// What can be chosen, in either way.
#[derive(Deserialize)]
struct Value {
    #[serde(alias = "modelId")]
    value: String,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    description: Option<String>,
}

impl Choice<'_> {
    fn is(&self, category: &str) -> bool {
        self.category.as_deref() == Some(category)
    }

    fn values(&self) -> impl Iterator<Item = Value> {
        readable::<Value>(self.options)
    }
}

impl AcpCodec {
    /// An update may tell what is offered; what was told before the session is there waits for it.
    pub(super) fn learn_offers(&mut self, kind: &str, update: &str, out: &mut Out) {
        match kind {
            COMMANDS => {
                self.learn_commands(update);
                if self.session.is_some() {
                    self.offers.tell(out);
                }
            }
            OPTIONS => {
                self.learn_models(update);
                if self.offers.was_told() {
                    self.offers.tell(out);
                }
            }
            _ => {}
        }
    }

    fn learn_commands(&mut self, update: &str) {
        let Ok(told) = serde_json::from_str::<Commands<'_>>(update) else {
            return;
        };
        let commands = readable::<Command>(told.available_commands);
        self.offers.commands(commands.map(|it| OfferedCommand {
            name: it.name,
            description: it.description,
            hint: it.input.and_then(|input| input.hint),
        }));
    }

    /// Takes the models from the answer to a request for a session, or from an update.
    pub(super) fn learn_models(&mut self, told: &str) {
        let Ok(told) = serde_json::from_str::<Choices<'_>>(told) else {
            return;
        };
        let choices: Vec<Choice<'_>> = readable(told.config_options).collect();
        let efforts = choices.iter().find(|choice| choice.is("thought_level"));
        let efforts = efforts.map(|choice| choice.values().map(|value| value.value).collect());
        let efforts: Vec<String> = efforts.unwrap_or_default();
        // As the codec chooses, where an agent has both ways.
        let (models, current) = if let Some(choice) = choices.iter().find(|it| it.is("model")) {
            let current = choice.current_value.as_ref();
            (choice.options, current.and_then(|it| it.as_str()))
        } else if let Some(models) = &told.models {
            (models.available_models, models.current_model_id.as_deref())
        } else {
            return;
        };
        let models = readable::<Value>(models).map(|it| OfferedModel {
            // Efforts are told for the model that is chosen, and for no other.
            efforts: match Some(it.value.as_str()) == current {
                true => efforts.clone(),
                false => Vec::new(),
            },
            id: it.value,
            name: it.name,
            description: it.description,
            stands_for: None,
        });
        self.offers.models(models, current);
    }
}
