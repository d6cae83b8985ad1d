//! Accounts: logins and keys for harnesses, by name.

use paddock_api::{AccountRemoval, AccountRequest, AccountView, Page, paths};
use paddock_domain::{AccountName, HarnessName};
use reqwest::Method;

use crate::query::with_query;
use crate::{Client, ClientError};

impl Client {
    /// Accounts, oldest first.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn accounts(&self) -> Result<Vec<AccountView>, ClientError> {
        let page: Page<AccountView> = self.get(paths::ACCOUNTS).await?;
        Ok(page.items)
    }

    /// Makes an account, or gives one new values.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn keep_account(&self, request: &AccountRequest) -> Result<AccountView, ClientError> {
        self.post(paths::ACCOUNTS, request).await
    }

    /// Has tasks use an account that name none.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn use_account(
        &self,
        harness: &HarnessName,
        name: &AccountName,
    ) -> Result<AccountView, ClientError> {
        let values = [harness.as_str(), name.as_str()];
        let path = paths::fill(paths::ACCOUNT_DEFAULT, &values);
        self.call(Method::POST, &path, None::<&()>).await
    }

    /// Forgets an account and its values.
    ///
    /// # Errors
    /// [`ClientError`]; [`paddock_api::ErrorCode::WouldLose`] while tasks work with it, unless `force`.
    pub async fn remove_account(
        &self,
        harness: &HarnessName,
        name: &AccountName,
        force: bool,
    ) -> Result<AccountView, ClientError> {
        let path = paths::fill(paths::ACCOUNT, &[harness.as_str(), name.as_str()]);
        let path = with_query(&path, &AccountRemoval { force });
        self.call(Method::DELETE, &path, None::<&()>).await
    }
}
