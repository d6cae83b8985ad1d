//! The vault, by names.

use paddock_api::{SecretList, SecretRequest, SecretView, paths};
use reqwest::Method;

use crate::{Client, ClientError};

impl Client {
    /// Which vault there is, and the names of what it keeps.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn secrets(&self) -> Result<SecretList, ClientError> {
        self.get(paths::SECRETS).await
    }

    /// Keeps a secret, in place of what was there.
    ///
    /// # Errors
    /// [`ClientError`]; [`paddock_api::ErrorCode::Conflict`] when the vault is locked.
    pub async fn keep_secret(
        &self,
        name: &str,
        request: &SecretRequest,
    ) -> Result<SecretView, ClientError> {
        let path = paths::fill(paths::SECRET, &[name]);
        self.call(Method::PUT, &path, Some(request)).await
    }

    /// Forgets a secret.
    ///
    /// # Errors
    /// [`ClientError`]; [`paddock_api::ErrorCode::NotFound`] when there is none.
    pub async fn forget_secret(&self, name: &str) -> Result<SecretView, ClientError> {
        let path = paths::fill(paths::SECRET, &[name]);
        self.call(Method::DELETE, &path, None::<&()>).await
    }
}
