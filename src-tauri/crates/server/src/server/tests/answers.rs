//! What is asked and what comes back.

use super::*;

#[tokio::test]
async fn what_makes_no_sense_is_refused_in_one_shape() {
    let street = Street::open().await;
    let missing = paths::fill(paths::TASK_STOP, &["t1"]);
    let table = [
        (street.get("/api/nothing"), 404, "not_found"),
        (street.get("/nothing"), 404, "not_found"),
        (
            street
                .bare(Method::DELETE, paths::TASKS)
                .bearer_auth(&street.token),
            405,
            "method_not_allowed",
        ),
        (street.post(paths::TASKS, "{"), 400, "invalid"),
        (street.post(paths::TASKS, ""), 400, "invalid"),
        (
            street.post(
                paths::TASKS,
                r#"{"prompt":"x","harness":"claude","colour":1}"#,
            ),
            400,
            "invalid",
        ),
        (
            street.post(paths::TASKS, r#"{"prompt":" ","harness":"claude"}"#),
            400,
            "invalid",
        ),
        (
            street.post(paths::TASKS, r#"{"prompt":"x","harness":"nobody"}"#),
            404,
            "not_found",
        ),
        (street.post(&missing, ""), 404, "not_found"),
        (street.post(&missing, r#"{"force":true}"#), 400, "invalid"),
        (
            street.get(&paths::fill(paths::TASK, &["../../x"])),
            404,
            "not_found",
        ),
        (
            street.get(&format!("{}?colour=red", paths::TASKS)),
            400,
            "invalid",
        ),
        (
            street.get(&format!("{}?cursor=x", paths::TASKS)),
            400,
            "invalid",
        ),
        (
            street.get(&format!("{}?path=/nowhere/at/all", paths::REPOS_INSPECT)),
            404,
            "not_found",
        ),
        (
            street.post(&paths::fill(paths::HARNESS_INSTALL, &["nobody"]), ""),
            404,
            "not_found",
        ),
        (
            street.get(&paths::fill(paths::TASK_ARTIFACT, &["t1", "..%2f"])),
            404,
            "not_found",
        ),
    ];
    for (request, status, code) in table {
        let request = request.build().unwrap();
        let shown = format!("{} {}", request.method(), request.url());
        let response = street.http.execute(request).await.unwrap();
        assert_eq!(
            refusal(response).await,
            (status, code.to_owned()),
            "{shown}"
        );
    }
    street.close().await;
}

#[tokio::test]
async fn a_prompt_of_a_megabyte_fits_however_it_is_written() {
    let street = Street::open().await;
    // Every byte needs an escape of two.
    let prompt = "\\n".repeat((1 << 20) - 1);
    let body = format!(r#"{{"prompt":"x{prompt}","harness":"nobody"}}"#);
    let response = street.post(paths::TASKS, &body).send().await.unwrap();
    assert_eq!(
        refusal(response).await.0,
        404,
        "refused for its harness, not for its size"
    );
    street.close().await;
}

#[tokio::test]
async fn the_house_is_shown_without_its_secrets() {
    let street = Street::open().await;
    for path in [
        paths::VERSION,
        paths::HOSTS,
        paths::REPOS,
        paths::HARNESSES,
        paths::SETTINGS,
        paths::OPENAPI,
    ] {
        let response = street.get(path).send().await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        let text = response.text().await.unwrap();
        assert!(!text.contains(&street.token), "{path}");
    }
    let harnesses = json(street.get(paths::HARNESSES).send().await.unwrap()).await;
    let names = harnesses["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["name"].clone());
    assert!(names.collect::<Vec<_>>().contains(&"claude".into()));
    street.close().await;
}

#[tokio::test]
async fn a_task_is_created_listed_and_shown_with_why_it_failed() {
    let street = Street::open().await;
    let id = street.failed_task().await;
    let list = json(street.get(paths::TASKS).send().await.unwrap()).await;
    assert_eq!(list["items"][0]["task_id"], id.as_str());
    let task = json(
        street
            .get(&paths::fill(paths::TASK, &[&id]))
            .send()
            .await
            .unwrap(),
    )
    .await;
    assert_eq!(task["state"], "failed");
    assert!(
        task["failure"]["message"]
            .as_str()
            .is_some_and(|why| !why.is_empty()),
        "{task}"
    );
    let send = street.post(&paths::fill(paths::TASK_REVIVE, &[&id]), "");
    let refused = json(send.send().await.unwrap()).await;
    assert_eq!(refused["error"]["code"], "not_now", "{refused}");
    assert_eq!(refused["error"]["details"]["state"], "failed");
    let page = street.get("/").send().await.unwrap().text().await.unwrap();
    assert!(page.contains(&id), "{page}");
    street.close().await;
}

#[tokio::test]
async fn an_installation_tells_how_it_ends() {
    let street = Street::open().await;
    let path = paths::fill(paths::HARNESS_INSTALL, &["scripted"]);
    let request = || {
        street
            .post(&path, "{}")
            .header("accept", "text/event-stream")
    };
    let mut failing = Events::open(request()).await;
    let mut last = failing.next().await.unwrap();
    while last.0 == "progress" {
        last = failing.next().await.unwrap();
    }
    assert_eq!(
        last.0, "failed",
        "there is no program to install yet: {last:?}"
    );
    assert_eq!(failing.frame().await, None);
    street.close().await;
}

#[tokio::test]
async fn all_but_tiny_bodies_are_compressed() {
    let street = Street::open().await;
    for encoding in ["zstd", "br", "gzip"] {
        // Without the client's own decoding the header is seen.
        let plain = Client::builder()
            .no_proxy()
            .no_gzip()
            .no_brotli()
            .no_zstd()
            .build()
            .unwrap();
        let get = |path: &str| {
            let request = plain.get(format!("{}{path}", street.serving.url()));
            request
                .bearer_auth(&street.token)
                .header("accept-encoding", encoding)
                .send()
        };
        let large = get(paths::OPENAPI).await.unwrap();
        assert_eq!(large.headers()["content-encoding"], encoding);
        let packed = large.bytes().await.unwrap().len();
        assert!(
            packed * 4 < crate::openapi_document().len(),
            "{encoding}: {packed}"
        );
        let tiny = get(paths::HEALTH).await.unwrap();
        assert!(
            !tiny.headers().contains_key("content-encoding"),
            "{encoding}"
        );
    }
    street.close().await;
}

#[tokio::test]
async fn the_built_interface_is_served_with_its_start_page_for_every_route_of_its_own() {
    let data = tempfile::tempdir().unwrap();
    let ui = data.path().join("ui");
    std::fs::create_dir_all(ui.join("assets")).unwrap();
    std::fs::write(ui.join("index.html"), "<p>start").unwrap();
    std::fs::write(ui.join("assets/app-1.js"), "plain").unwrap();
    std::fs::write(data.path().join("secret"), "secret").unwrap();
    let (orchestrator, running) = Orchestrator::start(living_room(data.path())).await.unwrap();
    let settings = ServerSettings {
        ui: Some(ui),
        ..door(data.path())
    };
    let serving = Serving::start(settings, orchestrator).await.unwrap();
    let token = std::fs::read_to_string(serving.token_file()).unwrap();
    let get = async |path: &str| {
        let url = format!("{}{path}", serving.url());
        let response = Client::new()
            .get(url)
            .bearer_auth(token.trim())
            .send()
            .await
            .unwrap();
        let keep = response.headers()["cache-control"]
            .to_str()
            .unwrap()
            .to_owned();
        (
            response.status().as_u16(),
            keep,
            response.text().await.unwrap(),
        )
    };
    assert_eq!(get("/").await, (200, "no-cache".into(), "<p>start".into()));
    assert_eq!(
        get("/tasks/t1").await,
        (200, "no-cache".into(), "<p>start".into())
    );
    let asset = get("/assets/app-1.js").await;
    assert!(
        asset.1.contains("immutable") && asset.2 == "plain",
        "{asset:?}"
    );
    assert!(!get("/..%2fsecret").await.2.contains("secret"));
    assert!(!get("/assets/../../secret").await.2.contains("secret"));
    assert_eq!(get("/api/nothing").await.0, 404);
    serving.shutdown(SOON).await;
    running.shutdown(SOON).await;
}
