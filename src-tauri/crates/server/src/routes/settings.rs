//! The settings as one document.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use paddock_api::{ErrorCode, SettingView, SettingsRequest, SettingsView, paths};
use paddock_orchestrator::{Choice, SettingsChange, SettingsRefused};
use serde_json::json;

use super::Answer;
use crate::door::Door;
use crate::failure::Failure;
use crate::input::Given;

/// What is chosen, secrets blotted out
#[utoipa::path(get, path = paths::SETTINGS, tag = "settings", responses((status = 200, body = SettingsView)))]
pub(crate) async fn show(State(door): State<Door>) -> Json<SettingsView> {
    Json(shown(&door))
}

/// Change settings
///
/// All that are named, or none: `invalid` says why by key in `details.fields`, `conflict` that somebody else
/// changed them since `revision`.
#[utoipa::path(patch, path = paths::SETTINGS, tag = "settings", request_body = SettingsRequest,
    responses((status = 200, body = SettingsView)))]
pub(crate) async fn change(
    State(door): State<Door>,
    Given(request): Given<SettingsRequest>,
) -> Answer<Json<SettingsView>> {
    let change = SettingsChange {
        revision: request.revision,
        set: request.set,
        unset: request.unset,
    };
    let changed = door.orchestrator().change_settings(change).await;
    changed.map_err(refused)?;
    Ok(Json(shown(&door)))
}

fn refused(refused: SettingsRefused) -> Failure {
    let message = refused.to_string();
    match refused {
        SettingsRefused::Fields { fields } => {
            Failure::new(ErrorCode::Invalid, message).with(json!({ "fields": fields }))
        }
        SettingsRefused::Changed { now } => {
            Failure::new(ErrorCode::Conflict, message).with(json!({ "revision": now }))
        }
        SettingsRefused::Failed(error) => error.into(),
    }
}

fn shown(door: &Door) -> SettingsView {
    let (revision, choices) = door.orchestrator().settings();
    let value = |choice: &Choice| (choice.key.clone(), choice.value.clone().into());
    let values: BTreeMap<_, _> = choices.iter().map(value).collect();
    SettingsView {
        values,
        file: door.config_file().map(|file| file.display().to_string()),
        revision,
        settings: choices.into_iter().map(setting).collect(),
    }
}

fn setting(choice: Choice) -> SettingView {
    SettingView {
        editable: choice.key != "data_dir" && !choice.key.starts_with("provider."),
        key: choice.key,
        value: choice.value,
        origin: choice.origin.to_string(),
        saved: choice.saved,
        allowed: choice.allowed.to_owned(),
        default: choice.default.to_owned(),
        about: choice.about.to_owned(),
        live: choice.live,
        waits: choice.waits,
    }
}
