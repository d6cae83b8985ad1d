//! Search in the history of all tasks.

use paddock_api::{SearchPage, SearchRequest, paths};

use crate::query::with_query;
use crate::{Client, ClientError};

impl Client {
    /// What was said and done, best first.
    ///
    /// # Errors
    /// [`ClientError`]; [`paddock_api::ErrorCode::Invalid`] when it is no search, with what to type.
    pub async fn search(&self, request: &SearchRequest) -> Result<SearchPage, ClientError> {
        self.get(&with_query(paths::SEARCH, request)).await
    }
}
