//! What Pi offers: the models whose keys it has, and the commands of its extensions, prompts and skills.

use paddock_domain::{OfferedCommand, OfferedModel};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::codec::PiCodec;
use super::launch::OWN_PROVIDER;
use crate::offers::readable;
use crate::{Heard, Outgoing};

/// The ids of our requests for them.
const MODELS: &str = "models";
const COMMANDS: &str = "commands";

/// Asks for both.
pub(super) fn ask() -> impl Iterator<Item = Outgoing> {
    let models = json!({"id": MODELS, "type": "get_available_models"});
    let commands = json!({"id": COMMANDS, "type": "get_commands"});
    let asked = [(MODELS, models), (COMMANDS, commands)];
    asked
        .into_iter()
        .filter_map(|(name, line)| Outgoing::named(name, &line))
}

#[derive(Deserialize)]
struct Available<'a> {
    #[serde(borrow, default)]
    models: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Model {
    id: String,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    provider: String,
    #[serde(default)]
    reasoning: Option<bool>,
}

#[derive(Deserialize)]
struct Commands<'a> {
    #[serde(borrow, default)]
    commands: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Command {
    name: String,
    #[serde(default)]
    description: Option<String>,
}

/// A model as a user names it: with its provider, but for the provider that Paddock wrote down, whose
/// models are named without it when the program is started.
fn model_id(provider: &str, id: &str) -> String {
    match provider {
        "" | OWN_PROVIDER => id.to_owned(),
        provider => format!("{provider}/{id}"),
    }
}

impl PiCodec {
    /// An answer to one of the requests for what is offered; `data` is none where it was refused. Says no
    /// when it is the answer to something else.
    pub(super) fn learn_offers(
        &mut self,
        command: &str,
        data: Option<&RawValue>,
        out: &mut Vec<Heard>,
    ) -> bool {
        match command {
            "get_available_models" => self.learn_models(data),
            "get_commands" => {
                self.learn_commands(data);
                // It was asked for last, and answers in order.
                self.offers.tell(out);
            }
            _ => return false,
        }
        true
    }

    fn learn_models(&mut self, data: Option<&RawValue>) {
        let told = data.and_then(|data| serde_json::from_str(data.get()).ok());
        let Some(Available { models }) = told else {
            return;
        };
        let own = self.provider == OWN_PROVIDER;
        let models = readable::<Model>(models);
        // Where a base URL says which provider is to be used, others are not.
        let models = models.filter(|model| !own || model.provider == OWN_PROVIDER);
        let models: Vec<Model> = models.collect();
        self.providers = models.iter().map(|model| model.provider.clone()).collect();
        let offered = models.into_iter().map(|model| OfferedModel {
            id: model_id(&model.provider, &model.id),
            name: model.name,
            description: None,
            stands_for: None,
            efforts: match model.reasoning {
                Some(false) => vec!["off".to_owned()],
                Some(true) | None => Vec::new(),
            },
        });
        let current = self.model.as_deref().unwrap_or_default();
        let current = model_id(&self.provider, current);
        self.offers.models(offered, Some(&current));
    }

    fn learn_commands(&mut self, data: Option<&RawValue>) {
        let told = data.and_then(|data| serde_json::from_str(data.get()).ok());
        let Some(Commands { commands }) = told else {
            return;
        };
        let commands = readable::<Command>(commands).map(|it| OfferedCommand {
            name: it.name,
            description: it.description,
            hint: None,
        });
        self.offers.commands(commands);
    }

    /// The provider of a model that a user names, and its id there.
    pub(super) fn place_of<'m>(&'m self, model: &'m str) -> (&'m str, &'m str) {
        let named = model.split_once('/');
        let named = named.filter(|(provider, _)| self.providers.contains(*provider));
        named.unwrap_or((&self.provider, model))
    }
}
