//! Tasks as tests ask for them: short to write, complete on the wire.

use paddock_domain::TaskSpec;
use serde_json::{Value, json};

use crate::Repository;

/// A task to be asked for.
#[derive(Clone, Debug)]
pub struct Ask {
    body: Value,
}

impl Ask {
    /// The `scripted` agent with this script, in a worktree.
    #[must_use]
    pub fn scripted(script: &str) -> Self {
        Self::harness("scripted", script).in_a("worktree")
    }

    /// That agent with this prompt.
    #[must_use]
    pub fn harness(harness: &str, prompt: &str) -> Self {
        Self {
            body: json!({ "prompt": prompt, "harness": harness, "repositories": [], "box": {} }),
        }
    }

    /// Works on `repository` too.
    #[must_use]
    pub fn on(self, repository: &Repository) -> Self {
        self.repository(json!({ "path": repository.text() }))
    }

    /// Works on a repository, given as on the wire.
    #[must_use]
    pub fn repository(mut self, repository: Value) -> Self {
        if let Some(list) = self.body["repositories"].as_array_mut() {
            list.push(repository);
        }
        self
    }

    /// In a box of this kind: `container` or `worktree`.
    #[must_use]
    pub fn in_a(self, kind: &str) -> Self {
        self.boxed("kind", kind.into())
    }

    /// Sets a field of the box.
    #[must_use]
    pub fn boxed(mut self, field: &str, value: Value) -> Self {
        self.body["box"][field] = value;
        self
    }

    /// Sets a field of the task.
    #[must_use]
    pub fn with(mut self, field: &str, value: Value) -> Self {
        self.body[field] = value;
        self
    }

    /// As it goes over the wire.
    #[must_use]
    pub fn json(&self) -> &Value {
        &self.body
    }

    /// As the typed client takes it.
    ///
    /// # Panics
    /// When the fields set are not those of a task.
    #[must_use]
    pub fn spec(&self) -> TaskSpec {
        serde_json::from_value(self.body.clone())
            .unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}
