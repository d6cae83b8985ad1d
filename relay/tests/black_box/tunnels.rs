//! Connections into the box and out of it.

use paddock_relay_client::protocol::{Dial, Forward, RefusalCode};
use paddock_relay_client::{ForwardTarget, RelayError};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UnixListener};
use tokio_util::task::AbortOnDropHandle;

use super::rig::*;

/// Answers each connection with `name:` and all that was said, once it was said.
async fn echo(name: &'static str) -> (u16, AbortOnDropHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let task = tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let mut said = Vec::new();
            socket.read_to_end(&mut said).await.unwrap();
            socket
                .write_all(&[name.as_bytes(), b":", &said].concat())
                .await
                .unwrap();
        }
    });
    (port, AbortOnDropHandle::new(task))
}

async fn say(
    mut stream: impl tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
    words: &[u8],
) -> Vec<u8> {
    let mut answer = Vec::new();
    soon(async {
        stream.write_all(words).await.unwrap();
        stream.shutdown().await.unwrap();
        stream.read_to_end(&mut answer).await.unwrap();
    })
    .await;
    answer
}

#[tokio::test]
async fn a_dialled_port_carries_megabytes_and_closes_each_way_by_itself() {
    let rig = Rig::start();
    let client = rig.client().await;
    let (port, _echo) = echo("tcp").await;
    let words = vec![b'x'; 3_000_000];
    let tunnel = client
        .dial(&Dial::Tcp {
            host: "127.0.0.1".to_owned(),
            port,
        })
        .await
        .unwrap();
    let answer = say(tunnel, &words).await;
    assert_eq!(answer.len(), words.len() + 4);
    assert!(answer.starts_with(b"tcp:xxx"));
}

#[tokio::test]
async fn a_unix_socket_in_the_box_can_be_dialled() {
    let rig = Rig::start();
    let client = rig.client().await;
    let path = rig.dir().join("echo");
    let listener = UnixListener::bind(&path).unwrap();
    let serving = tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        let mut said = Vec::new();
        socket.read_to_end(&mut said).await.unwrap();
        socket.write_all(&said).await.unwrap();
    });
    let tunnel = client
        .dial(&Dial::Unix {
            path: path.display().to_string(),
        })
        .await
        .unwrap();
    assert_eq!(say(tunnel, b"hello").await, b"hello");
    serving.await.unwrap();
}

#[tokio::test]
async fn a_target_that_does_not_accept_is_a_typed_error() {
    let rig = Rig::start();
    let client = rig.client().await;
    let free = TcpListener::bind("127.0.0.1:0")
        .await
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    for dial in [
        Dial::Tcp {
            host: "127.0.0.1".to_owned(),
            port: free,
        },
        Dial::Unix {
            path: "/no/such/socket".to_owned(),
        },
    ] {
        let refused = client.dial(&dial).await;
        assert!(
            matches!(refused, Err(RelayError::Refused(r)) if r.code == RefusalCode::CannotDial)
        );
    }
}

fn forward(name: &str, port: u16) -> Forward {
    Forward {
        name: name.to_owned(),
        port,
    }
}

fn target(port: u16) -> ForwardTarget {
    ForwardTarget::Tcp(format!("127.0.0.1:{port}"))
}

#[tokio::test]
async fn a_forwarded_port_leads_to_its_one_target() {
    let rig = Rig::start();
    let client = rig.client().await;
    let ((a, _a), (b, _b)) = (echo("a").await, echo("b").await);
    let first = client.forward(&forward("a", 0), target(a)).await.unwrap();
    let second = client.forward(&forward("b", 0), target(b)).await.unwrap();
    for (port, expected) in [(first.port(), b"a:hi"), (second.port(), b"b:hi")] {
        let socket = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        assert_eq!(say(socket, b"hi").await, expected);
    }
    let other_port = client
        .forward(&forward("a", second.port()), target(a))
        .await;
    assert!(
        matches!(other_port, Err(RelayError::Refused(r)) if r.code == RefusalCode::ForwardTaken)
    );
}

#[tokio::test]
async fn a_forwarded_port_outlives_its_client_and_connections_wait_for_the_next() {
    let rig = Rig::start();
    let client = rig.client().await;
    let (port, _echo) = echo("a").await;
    let forwarding = client
        .forward(&forward("model", 0), target(port))
        .await
        .unwrap();
    let in_box = forwarding.port();
    drop(forwarding);
    drop(client);

    let waiting = tokio::spawn(async move {
        let socket = TcpStream::connect(("127.0.0.1", in_box)).await.unwrap();
        say(socket, b"patient").await
    });
    let client = rig.client().await;
    let again = client
        .forward(&forward("model", 0), target(port))
        .await
        .unwrap();
    assert_eq!(again.port(), in_box);
    assert_eq!(waiting.await.unwrap(), b"a:patient");
}

#[tokio::test]
async fn the_client_that_attaches_last_serves() {
    let rig = Rig::start();
    let (old, new) = (rig.client().await, rig.client().await);
    let ((a, _a), (b, _b)) = (echo("old").await, echo("new").await);
    let mut first = old.forward(&forward("model", 0), target(a)).await.unwrap();
    let second = new.forward(&forward("model", 0), target(b)).await.unwrap();
    soon(first.ended()).await;
    drop(first);
    let socket = TcpStream::connect(("127.0.0.1", second.port()))
        .await
        .unwrap();
    assert_eq!(say(socket, b"hi").await, b"new:hi");
}

#[tokio::test]
async fn a_target_that_is_down_closes_the_connection() {
    let rig = Rig::start();
    let client = rig.client().await;
    let free = TcpListener::bind("127.0.0.1:0")
        .await
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let forwarding = client
        .forward(&forward("down", 0), target(free))
        .await
        .unwrap();
    let mut socket = TcpStream::connect(("127.0.0.1", forwarding.port()))
        .await
        .unwrap();
    let mut answer = Vec::new();
    // The end may come as a reset.
    let _ = soon(socket.read_to_end(&mut answer)).await;
    assert!(answer.is_empty());
}
