//! `dial`: a connection to something that listens inside the box.

use std::pin::Pin;

use paddock_relay_protocol::{Dial, Done, MuxStream, Refusal, RefusalCode, WireError, splice};
use std::time::Duration;
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
    let (at, dialled) = match dial {
        Dial::Tcp { host, port } => {
            let connecting = TcpStream::connect((host.as_str(), *port));
            let dialled = timeout(DIAL_TIME, connecting).await;
            (
                format!("{host}:{port}"),
                dialled.map(|done| done.map(|s| Box::pin(s) as Pin<Box<dyn Duplex>>)),
            )
        }
        Dial::Unix { path } => {
            let dialled = timeout(DIAL_TIME, UnixStream::connect(path)).await;
            (
                path.clone(),
                dialled.map(|done| done.map(|s| Box::pin(s) as Pin<Box<dyn Duplex>>)),
            )
        }
    };
    let refused = |why: String| {
        Refusal::new(
            RefusalCode::CannotDial,
            format!("nothing in the box accepts at {at}: {why}"),
        )
    };
    match dialled {
        Ok(Ok(target)) => Ok(target),
        Ok(Err(error)) => Err(refused(error.to_string())),
        Err(_) => Err(refused(format!(
            "no answer within {} s",
            DIAL_TIME.as_secs()
        ))),
    }
}
