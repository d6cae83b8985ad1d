//! The server: a thread of its own that answers on loopback until it is stopped or dropped.
//!
//! It has its own runtime, so it serves tests that are synchronous, and tests that block theirs.
//! Start at [`ScriptedModel::start`]; one request is answered in `exchange`.

mod exchange;

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::sync::{Semaphore, oneshot};

use crate::record::SeenRequest;
use exchange::Desk;

/// Most connections at one time; more wait in the listener's queue.
const MOST_CONNECTIONS: usize = 256;

/// A running model API; ends when it is dropped.
#[derive(Debug)]
pub struct ScriptedModel {
    address: SocketAddr,
    desk: Arc<Desk>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl ScriptedModel {
    /// Starts serving on `address`; port 0 takes a free one. Answers as soon as this returns.
    ///
    /// # Errors
    /// `InvalidInput` when `address` is not of this machine's loopback; else what the system says
    /// when it cannot listen there or start a thread.
    pub fn start(address: SocketAddr) -> io::Result<Self> {
        if !address.ip().is_loopback() {
            let text = format!("{address} is not loopback: the scripted model asks for no key");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let desk = Arc::new(Desk::default());
        let (stop, stopped) = oneshot::channel();
        let serving = serve(listener, Arc::clone(&desk));
        let work = move || {
            runtime.block_on(async {
                tokio::select! {
                    () = serving => {}
                    _ = stopped => {}
                }
            });
        };
        let thread = std::thread::Builder::new()
            .name("scripted-model".into())
            .spawn(work)?;
        Ok(Self {
            address,
            desk,
            stop: Some(stop),
            thread: Some(thread),
        })
    }

    /// The base URL, without a slash at the end: `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The base URL that plays `story` wherever a prompt has no marker.
    pub fn url_of(&self, story: &str) -> String {
        format!("{}/s/{story}", self.url())
    }

    /// The last requests, oldest first: at most 1,024 of them and 64 MiB of bodies.
    pub fn requests(&self) -> Vec<SeenRequest> {
        self.desk.seen()
    }

    /// Stops serving: breaks every connection and frees the port.
    pub fn stop(self) {
        drop(self);
    }

    /// Serves for as long as the process lives.
    pub fn wait(mut self) {
        if let Some(thread) = self.thread.take() {
            // The thread ends only when it is told to, and only this value could tell it.
            let _ = thread.join();
        }
    }
}

impl Drop for ScriptedModel {
    fn drop(&mut self) {
        if let (Some(stop), Some(thread)) = (self.stop.take(), self.thread.take()) {
            // Both fail only when the thread has ended already.
            let _ = stop.send(());
            let _ = thread.join();
        }
    }
}

async fn serve(listener: TcpListener, desk: Arc<Desk>) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else {
        return;
    };
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    while let Ok(place) = Arc::clone(&places).acquire_owned().await {
        let Ok((stream, _)) = listener.accept().await else {
            continue;
        };
        let desk = Arc::clone(&desk);
        // Owned by the runtime, which `stop` ends.
        tokio::spawn(async move {
            let answer = service_fn(|request| exchange::answer(Arc::clone(&desk), request));
            // A client that goes away is no failure of ours.
            let _ = http1::Builder::new()
                .serve_connection(TokioIo::new(stream), answer)
                .await;
            drop(place);
        });
    }
}
