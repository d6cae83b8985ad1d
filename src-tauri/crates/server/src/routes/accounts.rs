//! Accounts: logins and keys for harnesses, by name. Values go in and never come back.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::IntoResponse;
use paddock_api::{AccountRemoval, AccountRequest, AccountView, ErrorCode, Page, paths};
use paddock_domain::{Account, AccountName, HarnessName};
use paddock_orchestrator::{AccountWish, SecretString};

use super::Answer;
use crate::door::Door;
use crate::failure::Failure;
use crate::input::{Asked, Given, Nothing};

/// Accounts, oldest first
#[utoipa::path(get, path = paths::ACCOUNTS, tag = "accounts",
    responses((status = 200, body = Page<AccountView>)))]
pub(crate) async fn list(State(door): State<Door>) -> Json<Page<AccountView>> {
    let accounts = door.orchestrator().accounts();
    let items = accounts.iter().map(|account| shown(&door, account.clone()));
    Json(Page {
        items: items.collect(),
        next_cursor: None,
    })
}

/// Make an account, or give one new values
#[utoipa::path(post, path = paths::ACCOUNTS, tag = "accounts", request_body = AccountRequest,
    responses((status = 201, body = AccountView)))]
pub(crate) async fn keep(
    State(door): State<Door>,
    Given(request): Given<AccountRequest>,
) -> Answer<impl IntoResponse> {
    let values = request.values.into_iter();
    let wish = AccountWish {
        harness: request.harness,
        name: request.name,
        values: values
            .map(|(name, value)| (name, SecretString::from(value)))
            .collect(),
        base_url: request.base_url,
        is_default: request.is_default,
    };
    let account = door.orchestrator().keep_account(wish).await?;
    Ok((StatusCode::CREATED, Json(shown(&door, account))))
}

/// Have tasks use an account that name none
#[utoipa::path(post, path = paths::ACCOUNT_DEFAULT, tag = "accounts",
    params(("harness" = String, Path, description = "The harness"), ("name" = String, Path, description = "The account")),
    responses((status = 200, body = AccountView)))]
pub(crate) async fn choose(
    State(door): State<Door>,
    Path((harness, name)): Path<(String, String)>,
    Given(Nothing {}): Given<Nothing>,
) -> Answer<Json<AccountView>> {
    let (harness, name) = named(&harness, &name)?;
    let account = door.orchestrator().use_account(&harness, &name).await?;
    Ok(Json(shown(&door, account)))
}

/// Forget an account and its values
///
/// `would_lose` while tasks work with it, unless `force`.
#[utoipa::path(delete, path = paths::ACCOUNT, tag = "accounts", params(AccountRemoval,
    ("harness" = String, Path, description = "The harness"), ("name" = String, Path, description = "The account")),
    responses((status = 200, body = AccountView)))]
pub(crate) async fn remove(
    State(door): State<Door>,
    Path((harness, name)): Path<(String, String)>,
    Asked(how): Asked<AccountRemoval>,
) -> Answer<Json<AccountView>> {
    let (harness, name) = named(&harness, &name)?;
    let removed = door
        .orchestrator()
        .remove_account(&harness, &name, how.force)
        .await?;
    Ok(Json(shown(&door, removed)))
}

fn shown(door: &Door, account: Account) -> AccountView {
    AccountView {
        in_use_by: door.orchestrator().account_users(&account),
        account,
    }
}

fn named(harness: &str, name: &str) -> Answer<(HarnessName, AccountName)> {
    let invalid =
        |error: paddock_domain::InvalidId| Failure::new(ErrorCode::Invalid, error.to_string());
    let harness = HarnessName::parse(harness).map_err(invalid)?;
    Ok((harness, AccountName::parse(name).map_err(invalid)?))
}
