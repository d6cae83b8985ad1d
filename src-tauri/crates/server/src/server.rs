//! The server: binds, guards, serves, and ends within a bound.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::{Router, ServiceExt};
use paddock_api::{SERVE_FILE, ServeRecord, names, paths};
use paddock_orchestrator::Orchestrator;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};

use crate::ServerSettings;
use crate::auth::{Auth, write_private_in_need};
use crate::door::Door;
use crate::failure::Failure;
use crate::guard::{Places, guard};
use crate::headers::harden;
use crate::input::BODY_MAX;
use crate::listener::{Peer, Street};
use crate::{frame, hub, page, routes};

/// Bodies that are smaller, in bytes, are not worth compressing.
const COMPRESS_ABOVE: u64 = 256;

/// A server could not be started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// Other machines could reach it, and nobody said that they should.
    #[error(
        "{listen} can be reached by other machines, and the traffic is not encrypted: \
         listen on 127.0.0.1 and forward the port (ssh -L), or say --allow-remote"
    )]
    NotLoopback {
        /// The address.
        listen: SocketAddr,
    },
    /// The address cannot be had.
    #[error("cannot listen on {listen}: {source}; is another server running there?")]
    Bind {
        /// The address.
        listen: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
    /// A file of the data directory cannot be read or written.
    #[error("the data directory {} cannot be used: {source}", data.display())]
    Data {
        /// The directory.
        data: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

/// A server that serves. Dropping it stops nothing; [`Self::shutdown`] does.
pub struct Serving {
    url: String,
    token_file: PathBuf,
    record: PathBuf,
    door: Door,
    serving: JoinHandle<std::io::Result<()>>,
}

impl Serving {
    /// Starts a server before `orchestrator`.
    ///
    /// # Errors
    /// [`ServeError`]; nothing serves then.
    pub async fn start(
        settings: ServerSettings,
        orchestrator: Orchestrator,
    ) -> Result<Self, ServeError> {
        let listen = settings.listen;
        if !listen.ip().is_loopback() && !settings.allow_remote {
            return Err(ServeError::NotLoopback { listen });
        }
        let data = |source| ServeError::Data {
            data: settings.data.clone(),
            source,
        };
        let auth = Auth::open(&settings.data).map_err(data)?;
        let token_file = auth.token_file().to_owned();
        let bind = |source| ServeError::Bind { listen, source };
        let listener = match TcpListener::bind(listen).await {
            Err(error) if settings.or_elsewhere && error.kind() == ErrorKind::AddrInUse => {
                TcpListener::bind((listen.ip(), 0)).await
            }
            bound => bound,
        };
        let listener = listener.map_err(bind)?;
        let address = listener.local_addr().map_err(bind)?;
        let door = Door::new(
            orchestrator,
            auth,
            places(&settings, address),
            settings.config_file,
            &settings.data,
        );
        let router = router(&door, settings.ui.as_deref());
        let url = url(address);
        let record = settings.data.join(SERVE_FILE);
        if let Err(error) = write_record(&record, &url) {
            // Who knows the address is served all the same.
            tracing::warn!(%error, file = %record.display(), "where this server serves could not be noted");
        }
        door.work().spawn(fill_hub(door.clone()));
        door.work().spawn(tell_health(door.clone()));
        let service = ServiceExt::<axum::extract::Request>::into_make_service_with_connect_info::<
            Peer,
        >(router);
        let serve =
            axum::serve(Street::new(listener), service).with_graceful_shutdown(door.stopping());
        let serving = tokio::spawn(serve.into_future());
        Ok(Self {
            url,
            token_file,
            record,
            door,
            serving,
        })
    }

    /// Where it serves.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The file that holds its token.
    #[must_use]
    pub fn token_file(&self) -> &Path {
        &self.token_file
    }

    /// A link that pairs one browser, once and within ten minutes.
    #[must_use]
    pub fn pairing_url(&self) -> String {
        let (code, _) = self.door.auth().make_code();
        format!("{}{}?code={code}", self.url, paths::PAIR)
    }

    /// Ends every stream, lets calls finish for at most `bound`, and stops serving. The orchestrator and
    /// the agents go on. False when something did not end in time and was dropped.
    pub async fn shutdown(mut self, bound: Duration) -> bool {
        self.door.stop();
        if let Err(error) = std::fs::remove_file(&self.record) {
            tracing::debug!(%error, "the note of where it serves could not be removed");
        }
        let door = self.door.clone();
        let all = async {
            let served = (&mut self.serving).await;
            door.work().wait().await;
            served
        };
        let ended = tokio::time::timeout(bound, all).await;
        self.door.hub().close();
        match ended {
            Ok(Ok(Ok(()))) => true,
            Ok(ended) => {
                tracing::warn!(?ended, "the server ended badly");
                true
            }
            Err(_) => {
                self.serving.abort();
                false
            }
        }
    }
}

/// All routes behind the guard.
pub(crate) fn router(door: &Door, ui: Option<&Path>) -> Router {
    let router = routes::table()
        .into_iter()
        .fold(Router::new(), |router, route| {
            router.route(route.path, route.handler)
        });
    page::with_pages(router, ui)
        .method_not_allowed_fallback(async || {
            let message = "this path takes other methods: look it up in the OpenAPI document";
            Failure::new(paddock_api::ErrorCode::MethodNotAllowed, message)
        })
        .layer(DefaultBodyLimit::max(BODY_MAX))
        .layer(from_fn_with_state(door.clone(), guard))
        .layer(CompressionLayer::new().compress_when(worth_compressing()))
        .layer(from_fn(harden))
        .with_state(door.clone())
}

/// Everything but tiny bodies and what is compressed already; event streams too: the encoder is flushed
/// whenever nothing more is at hand.
fn worth_compressing() -> impl Predicate {
    SizeAbove::new(COMPRESS_ABOVE)
        .and(NotForContentType::IMAGES)
        .and(NotForContentType::const_new("font/"))
}

fn places(settings: &ServerSettings, address: SocketAddr) -> Places {
    let mut hosts = settings.hosts.clone();
    if !address.ip().is_unspecified() {
        let ip = address.ip();
        hosts.push(if ip.is_ipv6() {
            format!("[{ip}]")
        } else {
            ip.to_string()
        });
    }
    Places::new(&hosts, &settings.origins)
}

/// How this machine reaches `address`.
fn url(address: SocketAddr) -> String {
    let mut address = address;
    if address.ip().is_unspecified() {
        let loopback = if address.is_ipv4() {
            std::net::IpAddr::from(std::net::Ipv4Addr::LOCALHOST)
        } else {
            std::net::Ipv6Addr::LOCALHOST.into()
        };
        address.set_ip(loopback);
    }
    format!("http://{address}")
}

fn write_record(file: &Path, url: &str) -> std::io::Result<()> {
    let record = ServeRecord {
        url: url.to_owned(),
        pid: std::process::id(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    write_private_in_need(file, &serde_json::to_string(&record)?)
}

/// Puts every event of every task on the shelf that clients read from.
async fn fill_hub(door: Door) {
    tokio::select! {
        () = door.stopping() => {}
        () = hub::fill(door.hub(), door.orchestrator()) => {}
    }
}

/// Tells everybody how Paddock is whenever that changes.
async fn tell_health(door: Door) {
    let mut disk = door.orchestrator().disk_changes();
    let mut stop = std::pin::pin!(door.stopping());
    loop {
        let changed = tokio::select! {
            () = &mut stop => return,
            changed = disk.changed() => changed,
        };
        if changed.is_err() {
            return;
        }
        let health = routes::how_it_is(&door);
        door.hub().tell(frame::told(names::HEALTH, None, &health));
    }
}

#[cfg(test)]
mod tests;
