//! What a program was heard to offer, told when it is not what this run told before.
//!
//! Texts are cleaned and bounded where they are kept ([`Offers`]); a list with an entry that cannot be read
//! loses that entry and no other.

use paddock_domain::{Body, OfferedCommand, OfferedModel, Offers};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::Heard;
use crate::at_most::AtMost;

/// Most entries of a list that are looked at: far more than are kept.
const ENTRIES_MAX: usize = 4096;

/// What one run offers.
#[derive(Debug, Default)]
pub(crate) struct Offering {
    now: Offers,
    told: Offers,
}

impl Offering {
    /// The program's commands are these.
    pub(crate) fn commands(&mut self, commands: impl IntoIterator<Item = OfferedCommand>) {
        self.now.set_commands(commands);
    }

    /// The models that it can be told to use are these, and it uses `current` now.
    pub(crate) fn models(
        &mut self,
        models: impl IntoIterator<Item = OfferedModel>,
        current: Option<&str>,
    ) {
        self.now.set_models(models);
        let current = current.and_then(|name| self.now.model_named(name));
        self.now.model = current.map(|model| model.id.clone());
    }

    /// Whether anything was told in this run.
    pub(crate) fn was_told(&self) -> bool {
        !self.told.is_empty()
    }

    /// Tells all of it, where it is not what was told.
    pub(crate) fn tell(&mut self, out: &mut Vec<Heard>) {
        if self.now != self.told {
            self.told = self.now.clone();
            out.push(Heard::Event(Body::AgentOffers(self.now.clone())));
        }
    }
}

/// The entries of a list that can be read.
pub(crate) fn readable<'l, T: Deserialize<'l>>(
    list: Option<&'l RawValue>,
) -> impl Iterator<Item = T> + use<'l, T> {
    let list = list
        .and_then(|list| serde_json::from_str::<AtMost<&RawValue, ENTRIES_MAX>>(list.get()).ok());
    let entries = list.map(|list| list.0).unwrap_or_default().into_iter();
    entries.filter_map(|entry| serde_json::from_str(entry.get()).ok())
}
