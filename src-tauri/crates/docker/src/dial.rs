//! Opens a byte stream to an engine and speaks HTTP/1 over it: one stream per request.
//!
//! A stream per request costs nothing on a local socket, needs no pool to look after, and lets a
//! request that is upgraded (exec) or never ends (events) keep its stream to itself.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;

use bollard::BollardRequest;
use bollard::errors::Error as BollardError;
use hyper::body::Incoming;
use hyper::header::{HOST, HeaderValue};
use hyper::{Response, Uri};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::Endpoint;

/// A duplex stream of bytes.
pub trait ByteStream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> ByteStream for T {}

/// What opening a stream promises.
type Opening = Pin<Box<dyn Future<Output = io::Result<Box<dyn ByteStream>>> + Send>>;

/// Opens streams to one engine. Any `Fn() -> impl Future<Output = io::Result<Box<dyn ByteStream>>>` does.
pub trait Dial: Send + Sync {
    /// Opens one more stream.
    fn dial(&self) -> Opening;
}

impl<F, R> Dial for F
where
    F: Fn() -> R + Send + Sync,
    R: Future<Output = io::Result<Box<dyn ByteStream>>> + Send + 'static,
{
    fn dial(&self) -> Opening {
        Box::pin(self())
    }
}

impl Dial for Endpoint {
    fn dial(&self) -> Opening {
        let endpoint = self.clone();
        Box::pin(async move { connect(&endpoint).await })
    }
}

async fn connect(endpoint: &Endpoint) -> io::Result<Box<dyn ByteStream>> {
    match endpoint {
        Endpoint::Unix(path) => unix(path).await,
        Endpoint::Pipe(pipe) => named_pipe(pipe),
        Endpoint::Tcp(to) => Ok(Box::new(tokio::net::TcpStream::connect(to).await?)),
    }
}

#[cfg(unix)]
async fn unix(path: &std::path::Path) -> io::Result<Box<dyn ByteStream>> {
    Ok(Box::new(tokio::net::UnixStream::connect(path).await?))
}

#[cfg(not(unix))]
async fn unix(_: &std::path::Path) -> io::Result<Box<dyn ByteStream>> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(windows)]
fn named_pipe(pipe: &str) -> io::Result<Box<dyn ByteStream>> {
    let pipe =
        tokio::net::windows::named_pipe::ClientOptions::new().open(pipe.replace('/', "\\"))?;
    Ok(Box::new(pipe))
}

#[cfg(not(windows))]
fn named_pipe(_: &str) -> io::Result<Box<dyn ByteStream>> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Sends one request over a stream of its own.
pub(crate) async fn send(
    dial: Arc<dyn Dial>,
    mut request: BollardRequest,
) -> Result<Response<Incoming>, BollardError> {
    let stream = dial.dial().await?;
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    // The connection lives exactly as long as the request's answer is read: it ends by itself.
    tokio::spawn(connection.with_upgrades());
    *request.uri_mut() = origin_form(request.uri())?;
    let host = HeaderValue::from_static("engine");
    request.headers_mut().insert(HOST, host);
    Ok(sender.send_request(request).await?)
}

/// The path and query alone, as a server wants them.
fn origin_form(uri: &Uri) -> Result<Uri, BollardError> {
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    Ok(path.parse()?)
}
