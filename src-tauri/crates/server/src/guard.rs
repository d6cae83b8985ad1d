//! The guard at the door: every request passes it, also those for paths that do not exist.
//!
//! In this order: the host name must be one of ours (a name that was rebound to loopback is not), the
//! request must not come from another site, a token or a cookie must be shown where the route is not
//! public, and a body must be JSON and not too large. The invariant: no handler runs before.
//!
//! Start at [`guard`].

mod origin;

use std::net::SocketAddr;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use paddock_api::ErrorCode;

use crate::auth::{Judgement, Shown};
use crate::door::Door;
use crate::failure::Failure;
use crate::input::{BODY_MAX, UPLOAD_MAX, too_large};
use crate::listener::Peer;
use crate::page;

pub(crate) use origin::Places;

/// Lets a request in or answers it.
pub(crate) async fn guard(
    State(door): State<Door>,
    ConnectInfo(Peer(peer)): ConnectInfo<Peer>,
    request: Request,
    next: Next,
) -> Response {
    match admit(&door, peer, &request) {
        Ok(()) => next.run(request).await,
        Err(failure)
            if failure.code == ErrorCode::Unauthenticated && page::wants_page(&request) =>
        {
            page::not_paired()
        }
        Err(failure) => failure.into_response(),
    }
}

fn admit(door: &Door, peer: SocketAddr, request: &Request) -> Result<(), Failure> {
    let headers = request.headers();
    let places = door.places();
    places.check_host(request.uri(), headers)?;
    places.check_origin(headers)?;
    if !door.is_public(request.method(), request.uri().path()) {
        check_credentials(door, peer, request)?;
    }
    check_body(headers, takes_file(request))
}

/// Whether the request uploads a file.
fn takes_file(request: &Request) -> bool {
    request.method() == Method::POST && request.uri().path() == paddock_api::paths::ATTACHMENTS
}

fn check_credentials(door: &Door, peer: SocketAddr, request: &Request) -> Result<(), Failure> {
    let shown = shown(request.headers(), door.auth().cookie_name());
    match door.auth().judge(shown, peer.ip()) {
        Judgement::Welcome => {}
        Judgement::Unknown => return Err(unknown(shown)),
        Judgement::Wait(seconds) => return Err(wait(seconds)),
    }
    let writes = !matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    );
    // A socket carries writes, and no other site's page may open one with the user's cookie.
    let socket = request.headers().contains_key(header::UPGRADE);
    if (writes || socket) && matches!(shown, Shown::Cookie(_)) {
        return origin::proves_same_origin(request.headers());
    }
    Ok(())
}

fn unknown(shown: Shown<'_>) -> Failure {
    let message = match shown {
        Shown::Bearer(_) => {
            "this token opens nothing: it stands in the file `token` of the data directory"
        }
        Shown::Cookie(_) => {
            "this browser is no longer paired: run `paddock pair` and open the link"
        }
        Shown::Nothing => {
            "show a token (`Authorization: Bearer …`), or pair this browser with `paddock pair`"
        }
    };
    Failure::new(ErrorCode::Unauthenticated, message)
}

/// Too many wrong tries.
pub(crate) fn wait(seconds: u64) -> Failure {
    let message = format!("too many wrong tokens or codes: try again in {seconds} s");
    Failure::new(ErrorCode::TooManyAttempts, message).retry_after(seconds)
}

/// The credentials of a request. A bearer token goes before a cookie.
pub(crate) fn shown<'a>(headers: &'a HeaderMap, cookie_name: &str) -> Shown<'a> {
    let authorization = headers
        .get(header::AUTHORIZATION)
        .map(|value| value.to_str());
    match authorization {
        Some(Ok(text)) => Shown::Bearer(bearer(text).unwrap_or_default()),
        Some(Err(_)) => Shown::Bearer(""),
        None => cookie(headers, cookie_name).map_or(Shown::Nothing, Shown::Cookie),
    }
}

fn bearer(text: &str) -> Option<&str> {
    let (scheme, token) = text.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers
        .get_all(header::COOKIE)
        .into_iter()
        .filter_map(|line| line.to_str().ok());
    let mut pairs = lines
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='));
    pairs.find_map(|(key, value)| (key == name).then_some(value))
}

/// A body is JSON, or a file where one is taken, and fits; a form or plain text is what another site can
/// send unasked.
fn check_body(headers: &HeaderMap, takes_file: bool) -> Result<(), Failure> {
    let (most, wanted) = match takes_file {
        true => (UPLOAD_MAX, "application/octet-stream"),
        false => (BODY_MAX, "application/json"),
    };
    let length = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok());
    let length: u64 = length.and_then(|text| text.parse().ok()).unwrap_or(0);
    if length > most as u64 {
        return Err(too_large(most));
    }
    if length == 0 && !headers.contains_key(header::TRANSFER_ENCODING) {
        return Ok(());
    }
    let kind = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let essence = kind
        .unwrap_or_default()
        .split(';')
        .next()
        .unwrap_or_default()
        .trim();
    if essence.eq_ignore_ascii_case(wanted) {
        return Ok(());
    }
    Err(Failure::new(
        ErrorCode::UnsupportedMediaType,
        format!("send this as `content-type: {wanted}`"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|&(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value)))
            .collect()
    }

    #[test]
    fn a_bearer_token_goes_before_a_cookie() {
        let both = headers(&[("authorization", "bearer abc"), ("cookie", "x=1; p=c; y=2")]);
        assert_eq!(shown(&both, "p"), Shown::Bearer("abc"));
        let cookie = headers(&[("cookie", "x=1; p=c; y=2")]);
        assert_eq!(shown(&cookie, "p"), Shown::Cookie("c"));
        assert_eq!(shown(&cookie, "q"), Shown::Nothing);
        let basic = headers(&[("authorization", "Basic abc"), ("cookie", "p=c")]);
        assert_eq!(shown(&basic, "p"), Shown::Bearer(""));
    }

    #[test]
    fn a_body_must_be_json_and_fit() {
        let code = |pairs| {
            check_body(&headers(pairs), false)
                .err()
                .map(|failure| failure.code.status())
        };
        assert_eq!(code(&[]), None);
        assert_eq!(code(&[("content-length", "0")]), None);
        assert_eq!(code(&[("content-length", "2")]), Some(415));
        assert_eq!(code(&[("transfer-encoding", "chunked")]), Some(415));
        assert_eq!(
            code(&[("content-length", "2"), ("content-type", "text/plain")]),
            Some(415)
        );
        assert_eq!(
            code(&[
                ("content-length", "2"),
                ("content-type", "Application/JSON; charset=utf-8")
            ]),
            None
        );
        assert_eq!(
            code(&[
                ("content-length", "99999999"),
                ("content-type", "application/json")
            ]),
            Some(413)
        );
    }
}
