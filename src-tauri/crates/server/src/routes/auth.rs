//! Pairing and signing out.

use axum::Json;
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use paddock_api::{ErrorCode, ExchangeRequest, PairingCode, paths};

use super::Answer;
use crate::auth::{COOKIE_LASTS_S, Judgement, Shown};
use crate::door::Door;
use crate::failure::Failure;
use crate::guard;
use crate::input::{Asked, Given, Nothing};
use crate::listener::Peer;
use crate::page;

/// Make a pairing code
///
/// It pairs one browser or window, once, within ten minutes.
#[utoipa::path(post, path = paths::AUTH_CODES, tag = "auth",
    responses((status = 200, body = PairingCode)))]
pub(crate) async fn make_code(
    State(door): State<Door>,
    Given(Nothing {}): Given<Nothing>,
) -> Json<PairingCode> {
    let (code, expires_at) = door.auth().make_code();
    let path = format!("{}?code={code}", paths::PAIR);
    Json(PairingCode {
        code,
        path,
        expires_at,
    })
}

/// Exchange a pairing code for a session cookie
#[utoipa::path(post, path = paths::AUTH_EXCHANGE, tag = "auth", request_body = ExchangeRequest,
    responses((status = 204, description = "The cookie is set")))]
pub(crate) async fn exchange(
    State(door): State<Door>,
    ConnectInfo(Peer(peer)): ConnectInfo<Peer>,
    Given(request): Given<ExchangeRequest>,
) -> Answer<Response> {
    let cookie = door
        .auth()
        .exchange(&request.code, peer.ip())
        .map_err(refusal)?;
    Ok((
        StatusCode::NO_CONTENT,
        [set_cookie(&door, &cookie, COOKIE_LASTS_S)],
    )
        .into_response())
}

/// Open a pairing link
///
/// For a browser: exchanges the code and goes to the start page.
#[utoipa::path(get, path = paths::PAIR, tag = "auth", params(("code" = String, Query, description = "The pairing code")),
    responses((status = 303, description = "The cookie is set; go to the start page")))]
pub(crate) async fn pair(
    State(door): State<Door>,
    ConnectInfo(Peer(peer)): ConnectInfo<Peer>,
    Asked(request): Asked<ExchangeRequest>,
) -> Response {
    match door.auth().exchange(&request.code, peer.ip()) {
        Ok(cookie) => {
            let headers = [set_cookie(&door, &cookie, COOKIE_LASTS_S)];
            (headers, Redirect::to("/")).into_response()
        }
        Err(Judgement::Wait(seconds)) => guard::wait(seconds).into_response(),
        Err(Judgement::Unknown | Judgement::Welcome) => page::bad_code(),
    }
}

/// Sign out
///
/// Ends the session of the cookie that is sent.
#[utoipa::path(delete, path = paths::AUTH_SESSION, tag = "auth",
    responses((status = 204, description = "The session is over")))]
pub(crate) async fn sign_out(State(door): State<Door>, headers: HeaderMap) -> Response {
    if let Shown::Cookie(cookie) = guard::shown(&headers, door.auth().cookie_name()) {
        door.auth().sign_out(cookie);
    }
    (StatusCode::NO_CONTENT, [set_cookie(&door, "", 0)]).into_response()
}

fn refusal(judgement: Judgement) -> Failure {
    match judgement {
        Judgement::Wait(seconds) => guard::wait(seconds),
        Judgement::Unknown | Judgement::Welcome => {
            let message =
                "this code is not good: codes work once and for ten minutes; make a new one";
            Failure::new(ErrorCode::Unauthenticated, message)
        }
    }
}

fn set_cookie(door: &Door, value: &str, lasts_s: u64) -> (HeaderName, HeaderValue) {
    let name = door.auth().cookie_name();
    let cookie = format!("{name}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={lasts_s}");
    // Hexadecimal and ASCII throughout.
    let value = HeaderValue::from_str(&cookie).unwrap_or(HeaderValue::from_static(""));
    (header::SET_COOKIE, value)
}
