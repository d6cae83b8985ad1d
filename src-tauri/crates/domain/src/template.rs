//! A task that is begun again and again: a specification with gaps.
//!
//! A gap is `{{name}}` in the prompt or the title. Filling puts a text there and looks at no text twice, so
//! what a user fills in can never open a gap of its own.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{TaskSpec, TemplateName, Timestamp};

/// A task with gaps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TaskTemplate {
    /// Its name; one template has it.
    pub name: TemplateName,
    /// What the task is to be, gaps in its prompt and title.
    pub spec: TaskSpec,
    /// When it was saved last.
    pub updated_at: Timestamp,
}

/// A template cannot be filled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfilled {
    /// Gaps are left.
    #[error("the template asks for {}", names.join(", "))]
    Missing {
        /// Their names.
        names: Vec<String>,
    },
    /// There is no such gap.
    #[error("the template has no {{{{{name}}}}}")]
    NoSuchGap {
        /// What was given.
        name: String,
    },
}

impl TaskTemplate {
    /// Longest name of a gap, in bytes.
    pub const GAP_NAME_MAX: usize = 40;

    /// Names of its gaps, as they come, each once.
    #[must_use]
    pub fn variables(&self) -> Vec<String> {
        let title = self.spec.title.as_deref().unwrap_or_default();
        let mut names = Vec::new();
        for text in [title, &self.spec.prompt] {
            for part in parts(text) {
                if let Part::Gap(name) = part
                    && !names.iter().any(|known| known == name)
                {
                    names.push(name.to_owned());
                }
            }
        }
        names
    }

    /// The task with `values` in its gaps.
    ///
    /// # Errors
    /// [`Unfilled`].
    pub fn fill(&self, values: &BTreeMap<String, String>) -> Result<TaskSpec, Unfilled> {
        let variables = self.variables();
        if let Some(name) = values.keys().find(|name| !variables.contains(name)) {
            return Err(Unfilled::NoSuchGap { name: name.clone() });
        }
        let missing = variables.iter().filter(|name| !values.contains_key(*name));
        let names: Vec<_> = missing.cloned().collect();
        if !names.is_empty() {
            return Err(Unfilled::Missing { names });
        }
        let filled = |text: &str| -> String {
            let part = |part| match part {
                Part::Text(text) => text,
                Part::Gap(name) => values.get(name).map_or("", String::as_str),
            };
            parts(text).into_iter().map(part).collect()
        };
        let mut spec = self.spec.clone();
        spec.title = spec.title.as_deref().map(filled);
        spec.prompt = filled(&self.spec.prompt);
        Ok(spec)
    }
}

/// A stretch of a text with gaps.
enum Part<'a> {
    Text(&'a str),
    Gap(&'a str),
}

fn parts(text: &str) -> Vec<Part<'_>> {
    let (mut parts, mut plain, mut at) = (Vec::new(), 0, 0);
    while let Some(found) = text[at..].find("{{") {
        let begin = at + found;
        let inner = &text[begin + 2..];
        let name = inner.split_once("}}").map(|(name, _)| name);
        let Some(name) = name.filter(|name| is_name(name.trim())) else {
            at = begin + 1;
            continue;
        };
        parts.push(Part::Text(&text[plain..begin]));
        parts.push(Part::Gap(name.trim()));
        at = begin + 2 + name.len() + 2;
        plain = at;
    }
    parts.push(Part::Text(&text[plain..]));
    parts
}

fn is_name(text: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    (1..=TaskTemplate::GAP_NAME_MAX).contains(&text.len())
        && text.starts_with(letter)
        && text
            .chars()
            .all(|c| letter(c) || c.is_ascii_digit() || c == '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(title: &str, prompt: &str) -> TaskTemplate {
        let spec = serde_json::json!({ "title": title, "prompt": prompt, "harness": "claude" });
        TaskTemplate {
            name: TemplateName::parse("bump").unwrap(),
            spec: serde_json::from_value(spec).unwrap(),
            updated_at: Timestamp::from_unix_ms(0),
        }
    }

    fn values(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs
            .iter()
            .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
            .collect()
    }

    #[test]
    fn gaps_are_filled_once_and_what_fills_them_is_only_text() {
        let template = template(
            "Bump {{crate}}",
            "Bump {{ crate }} to {{version}}; not {{1}}, {{}} or {{{x}",
        );
        assert_eq!(template.variables(), ["crate", "version"]);
        let spec = template.fill(&values(&[
            ("crate", "{{version}}"),
            ("version", "2 {{crate}}"),
        ]));
        let spec = spec.unwrap();
        assert_eq!(spec.title.as_deref(), Some("Bump {{version}}"));
        assert_eq!(
            spec.prompt,
            "Bump {{version}} to 2 {{crate}}; not {{1}}, {{}} or {{{x}"
        );
    }

    #[test]
    fn what_is_missing_or_too_much_is_said_by_name() {
        let template = template("t", "{{a}} {{b}}");
        let missing = Unfilled::Missing {
            names: vec!["b".to_owned()],
        };
        assert_eq!(template.fill(&values(&[("a", "")])), Err(missing));
        let unknown = template
            .fill(&values(&[("a", ""), ("b", ""), ("c", "")]))
            .unwrap_err();
        assert_eq!(unknown.to_string(), "the template has no {{c}}");
    }
}
