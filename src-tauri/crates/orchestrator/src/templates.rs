//! Templates: tasks with gaps, kept in `<data>/templates.json`.
//!
//! Start at [`Orchestrator::save_template`].

use std::collections::BTreeMap;
use std::sync::Arc;

use paddock_domain::{TaskSpec, TaskTemplate, TemplateName};

use crate::kept::Kept;
use crate::{CommandError, Orchestrator, ids};

/// All templates, by name.
pub(crate) type TemplateBook = Kept<BTreeMap<TemplateName, TaskTemplate>>;

/// The file, below the data directory.
pub(crate) const FILE: &str = "templates.json";
/// Most templates that are kept.
const TEMPLATES_MAX: usize = 200;

/// Doors.
impl Orchestrator {
    /// All templates, by name.
    #[must_use]
    pub fn templates(&self) -> Arc<BTreeMap<TemplateName, TaskTemplate>> {
        self.rooms.templates.now()
    }

    /// One template.
    ///
    /// # Errors
    /// [`CommandError::NotFound`].
    pub fn template(&self, name: &str) -> Result<TaskTemplate, CommandError> {
        let found = self
            .templates()
            .values()
            .find(|template| template.name.as_str() == name)
            .cloned();
        found.ok_or_else(|| missing(name))
    }

    /// Saves `spec` as the template `name`, in place of what was there. Files, the request's key and where
    /// a task came from are left out: they are of one task.
    ///
    /// # Errors
    /// [`CommandError::Invalid`] when no task can be made of it, [`CommandError::Conflict`] when there are
    /// too many.
    pub async fn save_template(
        &self,
        name: TemplateName,
        spec: TaskSpec,
    ) -> Result<TaskTemplate, CommandError> {
        let spec = TaskSpec {
            attachments: Vec::new(),
            request_key: None,
            group: None,
            origin: None,
            ..spec
        };
        spec.check()?;
        let template = TaskTemplate {
            name: name.clone(),
            spec,
            updated_at: ids::now(),
        };
        let saved = self.rooms.templates.change(|templates| {
            if templates.len() >= TEMPLATES_MAX && !templates.contains_key(&name) {
                return Err(CommandError::conflict(format!(
                    "there are {TEMPLATES_MAX} templates: remove some"
                )));
            }
            templates.insert(name, template.clone());
            Ok(template)
        });
        saved.await
    }

    /// Removes the template `name` and gives it.
    ///
    /// # Errors
    /// [`CommandError::NotFound`].
    pub async fn remove_template(&self, name: &str) -> Result<TaskTemplate, CommandError> {
        let template = self.template(name)?;
        let removed = self.rooms.templates.change(|templates| {
            let removed = templates.remove(&template.name);
            removed.ok_or_else(|| missing(name))
        });
        removed.await
    }

    /// The task of template `name` with `values` in its gaps. Nothing is created.
    ///
    /// # Errors
    /// [`CommandError::NotFound`]; [`CommandError::Bad`] when a gap is left or is none of it.
    pub fn fill_template(
        &self,
        name: &str,
        values: &BTreeMap<String, String>,
    ) -> Result<TaskSpec, CommandError> {
        self.template(name)?.fill(values).map_err(CommandError::bad)
    }
}

fn missing(name: &str) -> CommandError {
    let name: String = name.chars().take(TemplateName::MAX_LEN).collect();
    CommandError::NotFound {
        what: "template",
        message: format!("there is no template `{name}`: `paddock template ls` lists them"),
    }
}
