//! The vault, by names. Values go in and never come back.

use axum::Json;
use axum::extract::{Path, State};
use paddock_api::{KeySource, SecretList, SecretRequest, SecretView, VaultKind, VaultView, paths};
use paddock_orchestrator::{SecretName, SecretString, VaultState, readers};

use super::Answer;
use crate::door::Door;
use crate::failure::Failure;
use crate::input::Given;

/// Which vault there is, and the names of what it keeps
#[utoipa::path(get, path = paths::SECRETS, tag = "settings", responses((status = 200, body = SecretList)))]
pub(crate) async fn list(State(door): State<Door>) -> Json<SecretList> {
    Json(shown(door.orchestrator().vault().await))
}

/// Keep a secret
///
/// In place of what was there. `conflict` when the vault is locked.
#[utoipa::path(put, path = paths::SECRET, tag = "settings", request_body = SecretRequest,
    params(("name" = String, Path, description = "Its name")), responses((status = 200, body = SecretView)))]
pub(crate) async fn keep(
    State(door): State<Door>,
    Path(name): Path<String>,
    Given(request): Given<SecretRequest>,
) -> Answer<Json<SecretView>> {
    let name = named(&name)?;
    let value = SecretString::from(request.value);
    let orchestrator = door.orchestrator();
    orchestrator.keep_secret(name.clone(), value).await?;
    Ok(Json(secret(&name)))
}

/// Forget a secret
#[utoipa::path(delete, path = paths::SECRET, tag = "settings",
    params(("name" = String, Path, description = "Its name")), responses((status = 200, body = SecretView)))]
pub(crate) async fn forget(
    State(door): State<Door>,
    Path(name): Path<String>,
) -> Answer<Json<SecretView>> {
    let name = named(&name)?;
    door.orchestrator().forget_secret(&name).await?;
    Ok(Json(secret(&name)))
}

fn named(name: &str) -> Answer<SecretName> {
    SecretName::parse(name)
        .map_err(|error| Failure::new(paddock_api::ErrorCode::Invalid, error.to_string()))
}

fn shown(state: VaultState) -> SecretList {
    let kind = state.kind.map(|kind| match kind {
        paddock_orchestrator::VaultKind::Keychain => VaultKind::Keychain,
        paddock_orchestrator::VaultKind::Passphrase => VaultKind::Passphrase,
        paddock_orchestrator::VaultKind::KeyFile => VaultKind::KeyFile,
        paddock_orchestrator::VaultKind::Memory => VaultKind::Memory,
    });
    SecretList {
        vault: VaultView {
            kind,
            why: state.why,
        },
        items: state.names.iter().map(secret).collect(),
    }
}

fn secret(name: &SecretName) -> SecretView {
    SecretView {
        name: name.to_string(),
        used_by: readers(name),
    }
}

pub(super) fn source(source: paddock_orchestrator::KeySource) -> KeySource {
    match source {
        paddock_orchestrator::KeySource::Vault => KeySource::Vault,
        paddock_orchestrator::KeySource::Settings => KeySource::Settings,
        paddock_orchestrator::KeySource::Environment => KeySource::Environment,
    }
}
