//! Forwarded ports that are served by a process of their own: what is under way there outlives whoever
//! asked for it.

use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

use paddock_relay_client::ForwardTarget;
use paddock_relay_client::protocol::Forward;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use super::rig::*;

/// A carrier of the port `api`, ended with this.
struct Carrier {
    child: Child,
    said: String,
}

impl Carrier {
    fn start(rig: &Rig, name: &str, to: SocketAddr) -> Self {
        use std::io::BufRead;
        let mut child = Command::new(RELAY)
            .args([
                "carry",
                "--box",
                name,
                "--name",
                "api",
                "--to",
                &to.to_string(),
                "--dir",
            ])
            .arg(rig.dir())
            .arg("--lock")
            .arg(rig.dir().join("carry"))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut said = String::new();
        let stdout = child.stdout.take().unwrap();
        std::io::BufReader::new(stdout)
            .read_line(&mut said)
            .unwrap();
        Self { child, said }
    }

    fn port(&self) -> u16 {
        self.said
            .trim()
            .rsplit(' ')
            .next()
            .unwrap()
            .parse()
            .unwrap()
    }

    async fn ended(mut self) -> Option<i32> {
        let waited = tokio::task::spawn_blocking(move || self.child.wait().unwrap().code());
        soon(waited).await.unwrap()
    }
}

impl Drop for Carrier {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

async fn listen() -> (TcpListener, SocketAddr) {
    let target = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = target.local_addr().unwrap();
    (target, at)
}

#[tokio::test]
async fn a_request_under_way_outlives_every_other_client() {
    let rig = Rig::start();
    let (target, to) = listen().await;
    let carrier = Carrier::start(&rig, "b1", to);
    assert!(carrier.said.starts_with("ready "), "{}", carrier.said);
    let client = rig.client().await;
    let mut request = TcpStream::connect(("127.0.0.1", carrier.port()))
        .await
        .unwrap();
    let (mut answering, _) = soon(target.accept()).await.unwrap();
    request.write_all(b"first half\n").await.unwrap();
    let mut words = BufReader::new(&mut answering);
    let mut line = String::new();
    soon(words.read_line(&mut line)).await.unwrap();
    client.close();
    drop(client);
    // Whoever comes next learns which port it is, and breaks nothing.
    let second = Carrier::start(&rig, "b1", to);
    assert_eq!(second.said, format!("taken {}\n", carrier.port()));
    assert_eq!(second.ended().await, Some(3));
    request.write_all(b"second half\n").await.unwrap();
    soon(words.read_line(&mut line)).await.unwrap();
    assert_eq!(line, "first half\nsecond half\n");
    answering.write_all(b"answer").await.unwrap();
    drop(answering);
    let mut answer = String::new();
    soon(request.read_to_string(&mut answer)).await.unwrap();
    assert_eq!(answer, "answer");
}

#[tokio::test]
async fn a_carrier_that_was_killed_is_followed_by_one_at_the_same_port() {
    let rig = Rig::start();
    let (target, to) = listen().await;
    let carrier = Carrier::start(&rig, "b1", to);
    let port = carrier.port();
    drop(carrier);
    // A connection that comes in between waits for the next one.
    let _request = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let next = Carrier::start(&rig, "b1", to);
    assert_eq!(
        (next.said.as_str(), next.port()),
        (format!("ready {port}\n").as_str(), port)
    );
    soon(target.accept()).await.unwrap();
}

#[tokio::test]
async fn a_carrier_ends_with_its_relay_and_with_its_lease() {
    let rig = Rig::start();
    let (_target, to) = listen().await;
    let carrier = Carrier::start(&rig, "b1", to);
    let client = rig.client().await;
    let forward = Forward {
        name: "api".to_owned(),
        port: 0,
    };
    let target = ForwardTarget::Tcp(to.to_string());
    let _taken = client.forward(&forward, target).await.unwrap();
    assert_eq!(carrier.ended().await, Some(0));

    let carrier = Carrier::start(&rig, "b1", to);
    rig.signal("-KILL");
    assert_eq!(carrier.ended().await, Some(0));
    rig.wait_until_gone();
    rig.serve();
}

#[tokio::test]
async fn nothing_is_carried_for_another_box() {
    let rig = Rig::start();
    let (_target, to) = listen().await;
    let stranger = Carrier::start(&rig, "b2", to);
    assert_eq!(stranger.said, "");
    assert_eq!(stranger.ended().await, Some(1));
}
