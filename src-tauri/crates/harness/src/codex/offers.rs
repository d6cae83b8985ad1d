//! What Codex offers: the models that it lists. It has no commands that a message could begin with.

use paddock_domain::OfferedModel;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::codec::CodexCodec;
use super::decode::Out;
use crate::Outgoing;
use crate::offers::readable;

/// The id of our request for them.
pub(super) const MODELS: &str = "models";

/// Asks for the models.
pub(super) fn ask() -> Option<Outgoing> {
    let line = json!({"id": MODELS, "method": "model/list", "params": {}});
    Outgoing::named(MODELS, &line)
}

#[derive(Deserialize)]
struct Listed<'a> {
    #[serde(borrow, default)]
    data: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Model {
    model: String,
    #[serde(default)]
    display_name: Option<String>,
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    hidden: bool,
    #[serde(default)]
    supported_reasoning_efforts: Vec<Effort>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Effort {
    reasoning_effort: String,
}

impl CodexCodec {
    /// The models were listed. They are told once the conversation is there.
    pub(super) fn learn_models(&mut self, answer: Option<&RawValue>, out: &mut Out) {
        let listed = answer.and_then(|answer| serde_json::from_str(answer.get()).ok());
        let Some(Listed { data }) = listed else {
            return;
        };
        let models = readable::<Model>(data).filter(|model| !model.hidden);
        let models = models.map(|model| {
            let efforts = model.supported_reasoning_efforts.into_iter();
            OfferedModel {
                id: model.model,
                name: model.display_name,
                description: model.description,
                stands_for: None,
                efforts: efforts.map(|effort| effort.reasoning_effort).collect(),
            }
        });
        self.offers.models(models, None);
        if self.thread.is_some() {
            self.offers.tell(out);
        }
    }
}
