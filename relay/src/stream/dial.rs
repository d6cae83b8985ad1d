//! `dial`: a connection to something that listens inside the box.

use std::io;
use std::pin::Pin;
use std::time::Duration;

use paddock_relay_protocol::{Dial, Done, MuxStream, Refusal, RefusalCode, WireError, splice};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, UnixStream};
use tokio::time::timeout;

use crate::session::{grant, refuse};

/// How long the target has to accept.
const DIAL_TIME: Duration = Duration::from_secs(10);

pub(crate) async fn serve(stream: &mut MuxStream, dial: &Dial) -> Result<(), WireError> {
    match connect(dial).await {
        Ok(target) => {
            grant(stream, Done {}).await?;
            splice(target, stream).await
        }
        Err(refusal) => refuse(stream, refusal).await,
    }
}

trait Duplex: AsyncRead + AsyncWrite + Send {}
impl<T: AsyncRead + AsyncWrite + Send> Duplex for T {}

async fn connect(dial: &Dial) -> Result<Pin<Box<dyn Duplex>>, Refusal> {
    match dial {
        Dial::Tcp { host, port } => Ok(Box::pin(tcp(host, *port).await?)),
        Dial::Unix { path } => Ok(Box::pin(in_time(path, UnixStream::connect(path)).await?)),
    }
}

/// Connects to a TCP address.
pub(crate) async fn tcp(host: &str, port: u16) -> Result<TcpStream, Refusal> {
    let connecting = TcpStream::connect((host, port));
    in_time(&format!("{host}:{port}"), connecting).await
}

async fn in_time<T>(
    at: &str,
    connecting: impl Future<Output = io::Result<T>>,
) -> Result<T, Refusal> {
    let why = match timeout(DIAL_TIME, connecting).await {
        Ok(Ok(target)) => return Ok(target),
        Ok(Err(error)) => error.to_string(),
        Err(_) => format!("no answer within {} s", DIAL_TIME.as_secs()),
    };
    let message = format!("nothing accepts at {at}: {why}");
    Err(Refusal::new(RefusalCode::CannotDial, message))
}
