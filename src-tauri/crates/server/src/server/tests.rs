//! The server over a real socket, before a real orchestrator.

mod answers;
mod guarded;
mod streams;

use std::collections::BTreeMap;
use std::time::Duration;

use paddock_orchestrator::{BoxDefaults, BoxesSettings, OrchestratorSettings, Running, ScanLimits};
use reqwest::{Client, Method, RequestBuilder, Response};
use serde_json::Value;

use super::*;

/// Longest wait for what must come.
const SOON: Duration = Duration::from_secs(60);

/// A server with an orchestrator behind it, on data of its own.
struct Street {
    serving: Serving,
    running: Running,
    token: String,
    http: Client,
    data: tempfile::TempDir,
}

impl Street {
    async fn open() -> Self {
        let data = tempfile::tempdir().unwrap();
        let (orchestrator, running) = Orchestrator::start(living_room(data.path())).await.unwrap();
        let serving = Serving::start(door(data.path()), orchestrator)
            .await
            .unwrap();
        let token = std::fs::read_to_string(serving.token_file())
            .unwrap()
            .trim()
            .to_owned();
        let http = Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .unwrap();
        Self {
            serving,
            running,
            token,
            http,
            data,
        }
    }

    /// A request without credentials.
    fn bare(&self, method: Method, path: &str) -> RequestBuilder {
        self.http
            .request(method, format!("{}{path}", self.serving.url()))
    }

    fn get(&self, path: &str) -> RequestBuilder {
        self.bare(Method::GET, path).bearer_auth(&self.token)
    }

    fn post(&self, path: &str, body: &str) -> RequestBuilder {
        let request = self.bare(Method::POST, path).bearer_auth(&self.token);
        request
            .header("content-type", "application/json")
            .body(body.to_owned())
    }

    /// A task that cannot be set up, because there is no relay: its journal ends with `failed`.
    async fn failed_task(&self) -> String {
        let agent = self.data.path().join("agent");
        std::fs::write(&agent, "#!/bin/sh\necho scripted 0.1.0\n").unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(&agent, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        let install = paths::fill(paths::HARNESS_INSTALL, &["scripted"]);
        let installed = self.post(&install, "").send().await.unwrap();
        assert_eq!(
            installed.status(),
            200,
            "{}",
            installed.text().await.unwrap()
        );
        let spec = r#"{"prompt":"say hello","harness":"scripted","box":{"kind":"worktree"}}"#;
        let made = json(self.post(paths::TASKS, spec).send().await.unwrap()).await;
        let id = made["task_id"]
            .as_str()
            .unwrap_or_else(|| panic!("{made}"))
            .to_owned();
        let mut events = Events::open(self.get(&paths::fill(paths::TASK_EVENTS, &[&id]))).await;
        while !events
            .next()
            .await
            .is_some_and(|(_, data)| data.contains(r#""to":"failed""#))
        {}
        id
    }

    async fn close(self) {
        assert!(self.serving.shutdown(SOON).await, "the server did not end");
        assert_eq!(self.running.shutdown(SOON).await, 0, "tasks did not end");
    }
}

fn living_room(data: &Path) -> OrchestratorSettings {
    OrchestratorSettings {
        data_dir: data.to_owned(),
        boxes: BoxesSettings {
            data_dir: data.to_owned(),
            relay_binary: data.join("no-relay"),
            toolbox_dir: data.join("toolbox"),
            engine: Some(format!("unix://{}", data.join("no-engine").display())),
            defaults: BoxDefaults::default(),
        },
        default_box: None,
        parallel_tasks: 4,
        disk_low_bytes: 0,
        purge_window: Duration::ZERO,
        compress_after: Duration::from_secs(3600),
        retention: Default::default(),
        trash_keep: None,
        stop_grace: Duration::ZERO,
        scan_allow: Vec::new(),
        remote: "origin".to_owned(),
        default_network: paddock_domain::Network::Bridge,
        scan: ScanLimits::default(),
        environment: BTreeMap::new(),
        provider: BTreeMap::new(),
        scripted_agent: Some(data.join("agent")),
        owner: "test".to_owned(),
        configured: paddock_config::Settings::defaults(data),
        resume_on_limit: false,
        prices: Default::default(),
        silent_after: Duration::from_secs(300),
        keychain: false,
        vault_passphrase: None,
    }
}

fn door(data: &Path) -> ServerSettings {
    ServerSettings {
        data: data.to_owned(),
        listen: SocketAddr::from(([127, 0, 0, 1], 0)),
        or_elsewhere: false,
        allow_remote: false,
        hosts: vec!["pad.example".to_owned()],
        origins: Vec::new(),
        ui: None,
        config_file: None,
    }
}

async fn json(response: Response) -> Value {
    let text = response.text().await.unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The status and the code of an error.
async fn refusal(response: Response) -> (u16, String) {
    let status = response.status().as_u16();
    let body = json(response).await;
    (
        status,
        body["error"]["code"]
            .as_str()
            .unwrap_or_default()
            .to_owned(),
    )
}

/// An event stream, frame by frame.
struct Events {
    response: Response,
    text: String,
}

impl Events {
    async fn open(request: RequestBuilder) -> Self {
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200);
        Self {
            response,
            text: String::new(),
        }
    }

    /// The next frame whole; nothing at the end.
    async fn frame(&mut self) -> Option<String> {
        loop {
            if let Some((frame, rest)) = self.text.split_once("\n\n") {
                let frame = frame.to_owned();
                self.text = rest.to_owned();
                return Some(frame);
            }
            let chunk = tokio::time::timeout(SOON, self.response.chunk()).await;
            let chunk = chunk.expect("nothing came in time").ok()??;
            self.text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    /// The name and the data of the next event; how Paddock is, is passed over.
    async fn next(&mut self) -> Option<(String, String)> {
        loop {
            let frame = self.frame().await?;
            let field = |name: &str| {
                let mut lines = frame.lines().filter_map(|line| line.strip_prefix(name));
                lines.next().unwrap_or_default().to_owned()
            };
            let name = field("event: ");
            if name != "health" {
                return Some((name, field("data: ")));
            }
        }
    }

    /// Names and ids of what comes, up to and with `ready`.
    async fn history(&mut self) -> Vec<String> {
        let mut seen = Vec::new();
        loop {
            let frame = self
                .frame()
                .await
                .expect("the stream ended before it was ready");
            let mut lines: Vec<_> = frame
                .lines()
                .filter(|line| !line.starts_with("data"))
                .collect();
            lines.sort_unstable();
            let short = lines.join(" ").replace("event: ", "").replace("id: ", "");
            let ready = short.starts_with("ready");
            seen.push(short);
            if ready {
                return seen;
            }
        }
    }
}
