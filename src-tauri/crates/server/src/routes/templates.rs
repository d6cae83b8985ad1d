//! Templates: tasks with gaps.

use axum::Json;
use axum::extract::{Path, State};
use paddock_api::{ErrorCode, FillRequest, Page, TemplateRequest, TemplateView, paths};
use paddock_domain::{TaskSpec, TemplateName};

use super::Answer;
use crate::door::Door;
use crate::failure::Failure;
use crate::input::Given;

/// All templates
#[utoipa::path(get, path = paths::TEMPLATES, tag = "templates",
    responses((status = 200, body = Page<TemplateView>)))]
pub(crate) async fn list(State(door): State<Door>) -> Json<Page<TemplateView>> {
    let templates = door.orchestrator().templates();
    Json(Page {
        items: templates.values().cloned().map(Into::into).collect(),
        next_cursor: None,
    })
}

/// One template
#[utoipa::path(get, path = paths::TEMPLATE, tag = "templates",
    params(("name" = String, Path, description = "Its name")), responses((status = 200, body = TemplateView)))]
pub(crate) async fn show(
    State(door): State<Door>,
    Path(name): Path<String>,
) -> Answer<Json<TemplateView>> {
    Ok(Json(door.orchestrator().template(&name)?.into()))
}

/// Save a template
///
/// In place of what was there. Gaps are `{{name}}` in the prompt and the title.
#[utoipa::path(put, path = paths::TEMPLATE, tag = "templates", request_body = TemplateRequest,
    params(("name" = String, Path, description = "Its name")), responses((status = 200, body = TemplateView)))]
pub(crate) async fn save(
    State(door): State<Door>,
    Path(name): Path<String>,
    Given(request): Given<TemplateRequest>,
) -> Answer<Json<TemplateView>> {
    let name = TemplateName::parse(&name)
        .map_err(|error| Failure::new(ErrorCode::Invalid, error.to_string()))?;
    let saved = door
        .orchestrator()
        .save_template(name, request.spec)
        .await?;
    Ok(Json(saved.into()))
}

/// Remove a template
#[utoipa::path(delete, path = paths::TEMPLATE, tag = "templates",
    params(("name" = String, Path, description = "Its name")), responses((status = 200, body = TemplateView)))]
pub(crate) async fn remove(
    State(door): State<Door>,
    Path(name): Path<String>,
) -> Answer<Json<TemplateView>> {
    let removed = door.orchestrator().remove_template(&name).await?;
    Ok(Json(removed.into()))
}

/// Fill the gaps of a template
///
/// Gives the task as it can be created, and creates nothing.
#[utoipa::path(post, path = paths::TEMPLATE_FILL, tag = "templates", request_body = FillRequest,
    params(("name" = String, Path, description = "Its name")), responses((status = 200, body = TaskSpec)))]
pub(crate) async fn fill(
    State(door): State<Door>,
    Path(name): Path<String>,
    Given(request): Given<FillRequest>,
) -> Answer<Json<TaskSpec>> {
    let filled = door.orchestrator().fill_template(&name, &request.values)?;
    Ok(Json(filled))
}
