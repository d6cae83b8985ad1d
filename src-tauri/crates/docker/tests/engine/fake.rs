//! A scripted engine on a Unix socket: it answers each request by its path, in plain HTTP.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use paddock_docker::{Endpoint, Engine};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};

/// What it says to the requests whose first line begins with a text.
type Script = Vec<(&'static str, String)>;

/// Answers on its socket until it is dropped.
pub(crate) struct FakeEngine {
    dir: TempDir,
    asked: Arc<Mutex<Vec<String>>>,
    task: tokio::task::JoinHandle<()>,
}

impl FakeEngine {
    pub(crate) fn start(script: Script) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(dir.path().join("engine.sock")).unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (log, script) = (Arc::clone(&asked), Arc::new(script));
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, Arc::clone(&script), Arc::clone(&log)));
            }
        });
        Self { dir, asked, task }
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.dir.path().join("engine.sock")
    }

    pub(crate) fn engine(&self) -> Engine {
        Engine::at(Endpoint::Unix(self.socket())).unwrap()
    }

    /// First lines of all requests.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

impl Drop for FakeEngine {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn answer(mut stream: UnixStream, script: Arc<Script>, log: Arc<Mutex<Vec<String>>>) {
    let mut head = Vec::new();
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        if stream.read_buf(&mut head).await.unwrap_or(0) == 0 {
            return;
        }
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let line = head.lines().next().unwrap_or_default().to_owned();
    let found = script.iter().find(|(start, _)| line.starts_with(start));
    let reply = found.map_or_else(
        || json(500, "{\"message\":\"not scripted\"}"),
        |(_, r)| r.clone(),
    );
    log.lock().unwrap().push(line);
    let _ = stream.write_all(reply.as_bytes()).await;
    let _ = stream.shutdown().await;
}

/// A whole JSON answer.
pub(crate) fn json(status: u16, body: &str) -> String {
    let len = body.len();
    format!(
        "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {len}\r\n\r\n{body}"
    )
}

/// An answer whose body goes on until the connection closes.
pub(crate) fn stream(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{body}")
}
