//! Templates and settings.

use paddock_api::{
    FillRequest, Page, SettingsRequest, SettingsView, TemplateRequest, TemplateView, paths,
};
use paddock_domain::TaskSpec;
use reqwest::Method;

use crate::{Client, ClientError};

impl Client {
    /// All templates.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn templates(&self) -> Result<Vec<TemplateView>, ClientError> {
        Ok(self
            .get::<Page<TemplateView>>(paths::TEMPLATES)
            .await?
            .items)
    }

    /// One template.
    ///
    /// # Errors
    /// [`ClientError`]; [`paddock_api::ErrorCode::NotFound`] when there is none.
    pub async fn template(&self, name: &str) -> Result<TemplateView, ClientError> {
        self.get(&paths::fill(paths::TEMPLATE, &[name])).await
    }

    /// Saves a template, in place of what was there.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn save_template(
        &self,
        name: &str,
        request: &TemplateRequest,
    ) -> Result<TemplateView, ClientError> {
        let path = paths::fill(paths::TEMPLATE, &[name]);
        self.call(Method::PUT, &path, Some(request)).await
    }

    /// Removes a template.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn remove_template(&self, name: &str) -> Result<TemplateView, ClientError> {
        let path = paths::fill(paths::TEMPLATE, &[name]);
        self.call(Method::DELETE, &path, None::<&()>).await
    }

    /// The task that a template makes; nothing is created.
    ///
    /// # Errors
    /// [`ClientError`]; [`paddock_api::ErrorCode::Invalid`] when a gap is left.
    pub async fn fill_template(
        &self,
        name: &str,
        request: &FillRequest,
    ) -> Result<TaskSpec, ClientError> {
        self.post(&paths::fill(paths::TEMPLATE_FILL, &[name]), request)
            .await
    }

    /// Changes settings, all that are named or none.
    ///
    /// # Errors
    /// [`ClientError`]; [`paddock_api::ErrorCode::Invalid`] with why by key in `details.fields`,
    /// [`paddock_api::ErrorCode::Conflict`] when somebody else changed them.
    pub async fn change_settings(
        &self,
        request: &SettingsRequest,
    ) -> Result<SettingsView, ClientError> {
        self.call(Method::PATCH, paths::SETTINGS, Some(request))
            .await
    }
}
