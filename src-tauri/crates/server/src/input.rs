//! What a request says, held against what the API takes.

use axum::extract::rejection::{BytesRejection, FailedToBufferBody};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use bytes::Bytes;
use paddock_api::ErrorCode;
use paddock_domain::TaskId;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::failure::Failure;

/// Longest body that is taken, in bytes: a prompt of 1 MiB fits, most of it escaped.
pub(crate) const BODY_MAX: usize = 4 << 20;

/// Largest file that is taken, in bytes.
pub(crate) const UPLOAD_MAX: usize = paddock_domain::Attachment::SIZE_MAX;

/// A body of JSON. An empty one reads as `{}`: it will do where nothing has to be said.
pub(crate) struct Given<T>(pub(crate) T);

/// The body of a command that takes none.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

/// The query of a URL.
pub(crate) struct Asked<T>(pub(crate) T);

/// The task that the path names.
pub(crate) struct OfTask(pub(crate) TaskId);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Given<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        let bytes = Bytes::from_request(request, state)
            .await
            .map_err(|rejection| cut_short(&rejection, BODY_MAX))?;
        let json: &[u8] = if bytes.is_empty() { b"{}" } else { &bytes };
        serde_json::from_slice(json).map(Self).map_err(|error| {
            Failure::new(
                ErrorCode::Invalid,
                format!("the body is not what this call takes: {error}"),
            )
        })
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Asked<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        Query::try_from_uri(&parts.uri)
            .map(|Query(query)| Self(query))
            .map_err(|error| {
                Failure::new(
                    ErrorCode::Invalid,
                    format!("the query is not what this call takes: {error}"),
                )
            })
    }
}

impl<S: Send + Sync> FromRequestParts<S> for OfTask {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        /// Other names of the path are the business of others.
        #[derive(Deserialize)]
        struct Named {
            task_id: String,
        }
        let named = Path::<Named>::from_request_parts(parts, state).await;
        let Path(Named { task_id }) = named.map_err(|error| {
            Failure::new(
                ErrorCode::Invalid,
                format!("the path cannot be read: {error}"),
            )
        })?;
        TaskId::parse(&task_id).map(Self).map_err(|_| {
            let shown: String = task_id.chars().take(TaskId::MAX_LEN).collect();
            Failure::not_found("task", format!("there is no task `{shown}`"))
        })
    }
}

/// Why a body, of which `most` bytes are taken, did not come whole.
pub(crate) fn cut_short(rejection: &BytesRejection, most: usize) -> Failure {
    use BytesRejection::FailedToBufferBody as Body;
    if matches!(rejection, Body(FailedToBufferBody::LengthLimitError(_))) {
        return too_large(most);
    }
    Failure::new(
        ErrorCode::Invalid,
        format!("the body broke off: {rejection}"),
    )
}

pub(crate) fn too_large(most: usize) -> Failure {
    Failure::new(
        ErrorCode::TooLarge,
        format!("the body is larger than {most} bytes"),
    )
}
