//! The guard, on every route there is.

use super::*;

/// Each route with its path filled.
fn routes() -> Vec<(Method, String, bool)> {
    let all = crate::routes::table().into_iter();
    all.map(|route| {
        (
            route.method,
            paths::fill(route.path, &["x1", "y"]),
            route.public,
        )
    })
    .collect()
}

/// Asks every route in one way; each that is not refused as told is named.
async fn walk(
    street: &Street,
    expected: (u16, &str),
    also_public: bool,
    ask: impl Fn(RequestBuilder) -> RequestBuilder,
) {
    let mut walked = 0;
    for (method, path, public) in routes() {
        if public && !also_public {
            continue;
        }
        let response = ask(street.bare(method.clone(), &path))
            .send()
            .await
            .unwrap();
        let (status, code) = refusal(response).await;
        assert_eq!((status, code.as_str()), expected, "{method} {path}");
        walked += 1;
    }
    assert!(walked > 30, "only {walked} routes were walked");
}

#[tokio::test]
async fn nothing_but_health_and_pairing_opens_without_a_token_or_with_a_wrong_one() {
    let street = Street::open().await;
    walk(&street, (401, "unauthenticated"), false, |request| request).await;
    let name = street.serving.door.auth().cookie_name().to_owned();
    // Few enough not to be told to wait.
    for (method, path, _) in routes()
        .into_iter()
        .filter(|(_, _, public)| !public)
        .take(8)
    {
        let wrong = street.bare(method.clone(), &path).bearer_auth("wrong");
        assert_eq!(
            refusal(wrong.send().await.unwrap()).await.0,
            401,
            "{method} {path}"
        );
        let cookie = street
            .bare(method.clone(), &path)
            .header("cookie", format!("{name}=wrong"));
        assert_eq!(
            refusal(cookie.send().await.unwrap()).await.0,
            401,
            "{method} {path}"
        );
    }
    assert_eq!(
        street
            .bare(Method::GET, paths::HEALTH)
            .send()
            .await
            .unwrap()
            .status(),
        200
    );
    street.close().await;
}

#[tokio::test]
async fn every_route_refuses_a_wrong_token_and_then_asks_to_wait() {
    let street = Street::open().await;
    let mut waits = 0;
    for (method, path, _) in routes().into_iter().filter(|(_, _, public)| !public) {
        let response = street
            .bare(method, &path)
            .bearer_auth("wrong")
            .send()
            .await
            .unwrap();
        match response.status().as_u16() {
            401 => assert_eq!(waits, 0),
            429 => {
                assert!(response.headers().contains_key("retry-after"));
                waits += 1;
            }
            other => panic!("{path}: {other}"),
        }
    }
    assert!(waits > 0);
    assert_eq!(
        street.get(paths::VERSION).send().await.unwrap().status(),
        200
    );
    street.close().await;
}

#[tokio::test]
async fn every_route_refuses_foreign_hosts_and_other_sites_whatever_they_show() {
    let street = Street::open().await;
    let token = street.token.clone();
    let forbidden = (403, "forbidden");
    let known = |request: RequestBuilder| request.bearer_auth(&token);
    walk(&street, forbidden, true, |request| {
        known(request).header("host", "evil.example")
    })
    .await;
    walk(&street, forbidden, true, |request| {
        known(request).header("origin", "https://evil.example")
    })
    .await;
    walk(&street, forbidden, true, |request| {
        known(request).header("origin", "null")
    })
    .await;
    walk(&street, forbidden, true, |request| {
        known(request).header("sec-fetch-site", "cross-site")
    })
    .await;
    walk(&street, forbidden, true, |request| {
        known(request).header("sec-fetch-site", "same-site")
    })
    .await;
    let ours = street
        .get(paths::VERSION)
        .header("host", "PAD.example:1")
        .send()
        .await
        .unwrap();
    assert_eq!(ours.status(), 200);
    street.close().await;
}

#[tokio::test]
async fn every_route_refuses_bodies_that_are_not_json_or_too_large() {
    let street = Street::open().await;
    let token = street.token.clone();
    walk(&street, (415, "unsupported_media_type"), true, |request| {
        request
            .bearer_auth(&token)
            .header("content-type", "text/plain")
            .body("{}")
    })
    .await;
    let huge = "x".repeat(BODY_MAX + 1);
    for path in [paths::TASKS, paths::AUTH_CODES] {
        let response = street.post(path, &huge).send().await.unwrap();
        assert_eq!(
            refusal(response).await,
            (413, "too_large".to_owned()),
            "{path}"
        );
    }
    let chunks =
        futures_util::stream::iter((0..9).map(|_| Ok::<_, std::io::Error>(vec![b' '; 1 << 19])));
    let request = street
        .bare(Method::POST, paths::TASKS)
        .bearer_auth(&street.token);
    let request = request
        .header("content-type", "application/json")
        .body(reqwest::Body::wrap_stream(chunks));
    assert_eq!(refusal(request.send().await.unwrap()).await.0, 413);
    street.close().await;
}

#[tokio::test]
async fn a_code_pairs_one_browser_once() {
    let street = Street::open().await;
    let made = json(street.post(paths::AUTH_CODES, "").send().await.unwrap()).await;
    let link = made["path"].as_str().unwrap();
    let paired = street.bare(Method::GET, link).send().await.unwrap();
    assert_eq!(paired.status(), 303);
    let cookie = paired.headers()["set-cookie"].to_str().unwrap().to_owned();
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"),
        "{cookie}"
    );
    let again = street.bare(Method::GET, link).send().await.unwrap();
    assert_eq!(again.status(), 401);
    let pair = cookie.split(';').next().unwrap();
    let with = |method, path: &str| street.bare(method, path).header("cookie", pair);
    assert_eq!(
        with(Method::GET, paths::TASKS)
            .send()
            .await
            .unwrap()
            .status(),
        200
    );
    assert_eq!(with(Method::GET, "/").send().await.unwrap().status(), 200);
    // A write has to show that our own page sent it.
    let write = with(Method::POST, paths::AUTH_CODES);
    assert_eq!(
        refusal(write.send().await.unwrap()).await,
        (403, "forbidden".to_owned())
    );
    let own = street.serving.url().to_owned();
    let write = with(Method::POST, paths::AUTH_CODES).header("origin", own);
    assert_eq!(write.send().await.unwrap().status(), 200);
    let out = with(Method::DELETE, paths::AUTH_SESSION).header("sec-fetch-site", "same-origin");
    assert_eq!(out.send().await.unwrap().status(), 204);
    assert_eq!(
        with(Method::GET, paths::TASKS)
            .send()
            .await
            .unwrap()
            .status(),
        401
    );
    street.close().await;
}

#[tokio::test]
async fn a_client_exchanges_a_code_and_a_person_without_one_is_told_what_to_do() {
    let street = Street::open().await;
    let made = json(street.post(paths::AUTH_CODES, "").send().await.unwrap()).await;
    let request = street
        .bare(Method::POST, paths::AUTH_EXCHANGE)
        .header("content-type", "application/json");
    let body = serde_json::json!({ "code": made["code"] }).to_string();
    let exchanged = request
        .try_clone()
        .unwrap()
        .body(body.clone())
        .send()
        .await
        .unwrap();
    assert_eq!(exchanged.status(), 204);
    assert!(exchanged.headers().contains_key("set-cookie"));
    assert_eq!(
        refusal(request.body(body).send().await.unwrap()).await.0,
        401
    );
    let page = street
        .bare(Method::GET, "/")
        .header("accept", "text/html")
        .send()
        .await
        .unwrap();
    assert_eq!(page.status(), 401);
    assert!(page.text().await.unwrap().contains("paddock pair"));
    street.close().await;
}

#[tokio::test]
async fn every_answer_carries_the_hardening_headers() {
    let street = Street::open().await;
    for path in [paths::HEALTH, paths::TASKS, "/", "/nothing", "/api/nothing"] {
        let response = street.get(path).send().await.unwrap();
        let headers = response.headers();
        assert_eq!(headers["x-content-type-options"], "nosniff", "{path}");
        let policy = headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("frame-ancestors 'none'"), "{path}");
        assert!(headers.contains_key("cache-control"), "{path}");
        assert!(
            !headers.contains_key("access-control-allow-origin"),
            "{path}"
        );
    }
    street.close().await;
}

#[tokio::test]
async fn other_machines_are_let_in_only_when_that_was_said() {
    let data = tempfile::tempdir().unwrap();
    let (orchestrator, running) = Orchestrator::start(living_room(data.path())).await.unwrap();
    let mut settings = door(data.path());
    settings.listen = SocketAddr::from(([0, 0, 0, 0], 0));
    let refused = Serving::start(settings.clone(), orchestrator.clone()).await;
    assert!(matches!(
        refused.err(),
        Some(ServeError::NotLoopback { .. })
    ));
    settings.allow_remote = true;
    let serving = Serving::start(settings, orchestrator).await.unwrap();
    assert!(serving.url().starts_with("http://127.0.0.1:"));
    serving.shutdown(SOON).await;
    running.shutdown(SOON).await;
}

#[tokio::test]
async fn another_port_is_had_only_when_that_was_said() {
    let data = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let (orchestrator, running) = Orchestrator::start(living_room(data.path())).await.unwrap();
    let mut settings = door(data.path());
    settings.listen = taken.local_addr().unwrap();
    let refused = Serving::start(settings.clone(), orchestrator.clone()).await;
    assert!(matches!(refused.err(), Some(ServeError::Bind { .. })));
    settings.or_elsewhere = true;
    let serving = Serving::start(settings.clone(), orchestrator)
        .await
        .unwrap();
    assert!(!serving.url().ends_with(&settings.listen.port().to_string()));
    serving.shutdown(SOON).await;
    running.shutdown(SOON).await;
}
