//! What the running program of an agent offers: its own commands, and the models that it can be told to use.
//!
//! The program says it, so nothing of it is believed: texts are cut and cleaned, lists are bounded, and what
//! was left out is counted. An [`Offers`] is whole: the last one told is what holds.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Body, Event, Task};

/// What the running program offers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Offers {
    /// Commands that a message may begin with, after a `/`, in the program's order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<OfferedCommand>,
    /// Commands that are left out.
    #[serde(default, skip_serializing_if = "crate::zero::is_zero")]
    pub more_commands: u64,
    /// Models that it can be told to use, in the program's order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<OfferedModel>,
    /// Models that are left out.
    #[serde(default, skip_serializing_if = "crate::zero::is_zero")]
    pub more_models: u64,
    /// The id of the one that it used when it told this, where it said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// A command of the program's own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OfferedCommand {
    /// Its name, without the `/`.
    pub name: String,
    /// What it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What may follow it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// A model that the program can be told to use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OfferedModel {
    /// What to tell it.
    pub id: String,
    /// What people call it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What it is good for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The model that it stands for, where the id is another name of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stands_for: Option<String>,
    /// How hard it can be told to think, least first; empty where the program does not say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub efforts: Vec<String>,
}

impl Offers {
    /// Most commands, and most models, that are kept.
    pub const MAX: usize = 256;
    /// Most efforts of a model that are kept.
    pub const EFFORTS_MAX: usize = 16;
    /// The longest name, in bytes; what has a longer one is left out, since it could not be told again.
    pub const NAME_MAX: usize = 128;
    /// The longest description or hint, in bytes; longer ones are cut.
    pub const TEXT_MAX: usize = 200;

    /// Whether nothing is offered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.commands.is_empty() && self.models.is_empty()
    }

    /// Makes `commands` those that are offered.
    pub fn set_commands(&mut self, commands: impl IntoIterator<Item = OfferedCommand>) {
        let mut kept: Vec<OfferedCommand> = Vec::new();
        self.more_commands = 0;
        for told in commands {
            let Some(name) = name(told.name.trim_start().trim_start_matches('/')) else {
                continue;
            };
            if kept.iter().any(|command| command.name == name) {
                continue;
            }
            if kept.len() >= Self::MAX {
                self.more_commands += 1;
                continue;
            }
            kept.push(OfferedCommand {
                name,
                description: told.description.as_deref().and_then(text),
                hint: told.hint.as_deref().and_then(text),
            });
        }
        self.commands = kept;
    }

    /// Makes `models` those that are offered.
    pub fn set_models(&mut self, models: impl IntoIterator<Item = OfferedModel>) {
        let mut kept: Vec<OfferedModel> = Vec::new();
        self.more_models = 0;
        for told in models {
            // A name of a model with a space in it is refused wherever one is asked for.
            let id = name(&told.id).filter(|id| !id.contains(char::is_whitespace));
            let Some(id) = id else { continue };
            if kept.iter().any(|model| model.id == id) {
                continue;
            }
            if kept.len() >= Self::MAX {
                self.more_models += 1;
                continue;
            }
            let efforts = told.efforts.iter().filter_map(|effort| name(effort));
            kept.push(OfferedModel {
                name: told
                    .name
                    .as_deref()
                    .and_then(text)
                    .filter(|name| *name != id),
                description: told.description.as_deref().and_then(text),
                stands_for: told
                    .stands_for
                    .as_deref()
                    .and_then(name)
                    .filter(|it| *it != id),
                efforts: efforts.take(Self::EFFORTS_MAX).collect(),
                id,
            });
        }
        self.models = kept;
    }

    /// The model that a user or an agent calls `name`: by its id, by what it stands for, or by what people
    /// call it.
    #[must_use]
    pub fn model_named(&self, name: &str) -> Option<&OfferedModel> {
        let models = || self.models.iter();
        let by_id = models().find(|model| model.id == name);
        let alias = |model: &&OfferedModel| model.stands_for.as_deref() == Some(name);
        let called = |model: &&OfferedModel| model.name.as_deref() == Some(name);
        by_id
            .or_else(|| models().find(alias))
            .or_else(|| models().find(called))
    }
}

impl Task {
    /// Folds in where the journal says what is offered. Another program offers other things.
    pub(crate) fn record_offers(&mut self, event: &Event) {
        if let Body::AgentOffers(_) = &event.body {
            self.offers_seq = Some(event.seq);
        } else if let Body::ProviderSwitched { .. } = &event.body {
            self.offers_seq = None;
        }
    }
}

/// A name as the program must hear it again: whole, or not at all.
fn name(told: &str) -> Option<String> {
    let name = told.trim();
    let fits = !name.is_empty() && name.len() <= Offers::NAME_MAX;
    (fits && !name.chars().any(is_hidden)).then(|| name.to_owned())
}

/// A text for people: one line, nothing hidden in it, not long.
fn text(told: &str) -> Option<String> {
    let mut text = String::new();
    // Words beyond what is kept are not looked at: the text may be megabytes.
    for word in told.split_whitespace() {
        let before = text.len();
        if before > 0 {
            text.push(' ');
        }
        text.extend(
            word.chars()
                .filter(|c| !is_hidden(*c))
                .take(Offers::TEXT_MAX),
        );
        if text.len() == before + 1 {
            text.truncate(before);
        }
        if text.len() > Offers::TEXT_MAX {
            break;
        }
    }
    if text.len() > Offers::TEXT_MAX {
        const CUT: char = '…';
        let end = text.floor_char_boundary(Offers::TEXT_MAX - CUT.len_utf8());
        text.truncate(end);
        text.truncate(text.trim_end().len());
        text.push(CUT);
    }
    (!text.is_empty()).then_some(text)
}

/// Characters that show nothing, or turn what is around them about.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(name: &str, description: &str) -> OfferedCommand {
        OfferedCommand {
            name: name.to_owned(),
            description: Some(description.to_owned()),
            hint: None,
        }
    }

    fn model(id: &str) -> OfferedModel {
        OfferedModel {
            id: id.to_owned(),
            ..OfferedModel::default()
        }
    }

    #[test]
    fn what_a_program_says_of_itself_is_cleaned_and_cut() {
        let mut offers = Offers::default();
        let long = "ä ".repeat(1_000_000);
        offers.set_commands([
            command("/review", "looks\u{1b}[31m at\n\n it \u{202e}over"),
            command("review", "told twice"),
            command("", "no name"),
            command("a\u{7}b", "a bell"),
            command(&"x".repeat(129), "too long a name"),
            command("memory show", &long),
            command("quiet", " \u{200b} "),
        ]);
        let names: Vec<_> = offers.commands.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["review", "memory show", "quiet"]);
        let told: Vec<_> = offers
            .commands
            .iter()
            .map(|it| it.description.as_deref())
            .collect();
        assert_eq!(told[0], Some("looks[31m at it over"));
        let cut = told[1].unwrap_or_default();
        assert!(
            cut.len() <= Offers::TEXT_MAX && cut.ends_with("ä…"),
            "{cut}"
        );
        assert_eq!(told[2], None);
    }

    #[test]
    fn a_list_without_end_is_cut_and_counted() {
        let mut offers = Offers::default();
        offers.set_models((0..1_000).map(|n| model(&format!("m{n}"))));
        assert_eq!(offers.models.len(), Offers::MAX);
        assert_eq!(offers.more_models, 1_000 - Offers::MAX as u64);
        offers.set_models([model("one"), model("two words"), model("-")]);
        let ids: Vec<_> = offers.models.iter().map(|it| it.id.as_str()).collect();
        assert_eq!((ids, offers.more_models), (vec!["one", "-"], 0));
    }

    #[test]
    fn a_model_is_known_by_its_id_first() {
        let mut offers = Offers::default();
        let named = |id: &str, name: &str, stands_for: &str| OfferedModel {
            name: Some(name.to_owned()),
            stands_for: Some(stands_for.to_owned()),
            ..model(id)
        };
        offers.set_models([
            named("default", "Default", "big-5"),
            named("big-5", "Big", "big-5"),
        ]);
        let id = |name: &str| offers.model_named(name).map(|model| model.id.as_str());
        assert_eq!(id("big-5"), Some("big-5"));
        assert_eq!(id("Default"), Some("default"));
        assert_eq!(id("small"), None);
        assert_eq!(offers.models[1].stands_for, None);
    }
}
