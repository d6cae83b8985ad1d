//! Files that go with messages: uploaded first, named by the message then.

use axum::Json;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::{MethodRouter, post};
use bytes::Bytes;
use paddock_api::{UploadQuery, paths};
use paddock_domain::Attachment;

use super::Answer;
use crate::door::Door;
use crate::input::{Asked, UPLOAD_MAX, cut_short};

/// The route that takes files: larger bodies than others.
pub(crate) fn uploads() -> MethodRouter<Door> {
    post(upload).layer(DefaultBodyLimit::max(UPLOAD_MAX))
}

/// Upload a file
///
/// The body is the file itself. What comes back is named in `attachments` of a task or a message; a file that no message
/// names within seven days is removed.
#[utoipa::path(post, path = paths::ATTACHMENTS, tag = "tasks", params(UploadQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 201, body = Attachment)))]
pub(crate) async fn upload(
    State(door): State<Door>,
    Asked(query): Asked<UploadQuery>,
    content: Result<Bytes, BytesRejection>,
) -> Answer<impl IntoResponse> {
    let content = content.map_err(|rejection| cut_short(&rejection, UPLOAD_MAX))?;
    let attachment = door.orchestrator().upload(&query.name, content).await?;
    Ok((StatusCode::CREATED, Json(attachment)))
}

/// A file that was uploaded
#[utoipa::path(get, path = paths::ATTACHMENT, tag = "tasks",
    params(("sha256" = String, Path, description = "The hash, in hexadecimal")),
    responses((status = 200, content_type = "application/octet-stream", body = Vec<u8>)))]
pub(crate) async fn show(
    State(door): State<Door>,
    Path(sha256): Path<String>,
) -> Answer<impl IntoResponse> {
    let bytes = door.orchestrator().uploaded(&sha256).await?;
    Ok((as_file(&bytes), bytes))
}

/// How a file is sent: images as what they are, so that a page can show them; everything else is never shown
/// as a page.
pub(crate) fn as_file(bytes: &[u8]) -> [(header::HeaderName, HeaderValue); 2] {
    let seen = Attachment::of(bytes, String::new(), "");
    // Every image's media type stands in a table of ours, and is a header.
    let image = HeaderValue::from_str(&seen.media_type).ok();
    let (kind, how) = match image.filter(|_| seen.is_image()) {
        Some(kind) => (kind, "inline"),
        None => (
            HeaderValue::from_static("application/octet-stream"),
            "attachment",
        ),
    };
    [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_DISPOSITION, HeaderValue::from_static(how)),
    ]
}
