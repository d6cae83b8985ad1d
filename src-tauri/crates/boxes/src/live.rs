//! A box whose relay answers.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::Path;

use paddock_domain::BoxKind;
use paddock_exec::Place;
use paddock_relay_client::RelayClient;
use paddock_relay_client::protocol::{BoxId, Confine};
use tokio::sync::Mutex;

use crate::carrier::{self, Carriage, Carrier};
use crate::confined::Confined;
use crate::forward::Served;
use crate::layout::Inside;
use crate::reach::Reach;
use crate::{BoxDirs, BoxError, BoxRecord, BoxesSettings, HomeFile, home, worktree};

/// A box that can be worked with, for as long as the connection in [`LiveBox::relay`] lives.
///
/// Dropping it ends the connection and the forwards, and nothing in the box.
pub struct LiveBox {
    /// What the box is made of.
    pub record: BoxRecord,
    /// The connection to its relay.
    pub relay: RelayClient,
    /// Where the agent works: the repository's directory in the box, or the parent of several.
    pub work_dir: String,
    /// The agent's home in the box.
    pub home: String,
    /// Where temporary files belong in the box.
    pub tmp: String,
    /// Each repository's path on the host, and its directory in the box.
    pub repositories: Vec<(String, String)>,
    /// Absolute path of the agent program in the box.
    pub program: String,
    /// Absolute path of the Node that runs it, for programs that are scripts.
    pub node: Option<String>,
    confine: Option<Confine>,
    place: Box<dyn Place>,
    reach: Reach,
    dirs: BoxDirs,
    carriage: Carriage,
    forwards: Mutex<HashMap<SocketAddr, Forwarded>>,
}

/// A port of the box that leads to the host.
enum Forwarded {
    /// Through a process that outlives us.
    Carried(Carrier),
    /// Through us.
    Served(Served),
}

impl Forwarded {
    fn port(&self) -> u16 {
        match self {
            Self::Carried(carrier) => carrier.port,
            Self::Served(served) => served.port,
        }
    }
}

impl LiveBox {
    pub(crate) fn new(
        record: BoxRecord,
        relay: RelayClient,
        reach: Reach,
        dirs: &BoxDirs,
        settings: &BoxesSettings,
        data_mark: &str,
    ) -> Result<Self, BoxError> {
        let inside = Inside::of(&record, dirs, &settings.toolbox_dir)?;
        let carriage = Carriage {
            binary: settings.relay_binary.clone(),
            relay_dir: dirs.relay.clone(),
            lock_dir: dirs.root.clone(),
            box_id: BoxId::parse(record.task_id.as_str()).ok(),
            mark: worktree::mark(&record.task_id, data_mark),
        };
        let repositories = record.repositories.iter().map(|repository| {
            let dir = format!("{}/{}", inside.work, repository.name);
            (repository.host_path.clone(), dir)
        });
        let repositories = repositories.collect();
        let work_dir = inside.work_dir(&record);
        let confine = match record.kind {
            BoxKind::Container => None,
            BoxKind::Worktree => Some(Confine {
                write: vec![inside.work.clone(), inside.home.clone(), inside.tmp.clone()],
                read: None,
            }),
        };
        let place: Box<dyn Place> = match &confine {
            None => Box::new(relay.clone()),
            Some(confine) => Box::new(Confined {
                relay: relay.clone(),
                confine: confine.clone(),
            }),
        };
        Ok(Self {
            work_dir,
            home: inside.home,
            tmp: inside.tmp,
            repositories,
            program: inside.program,
            node: inside.node,
            confine,
            place,
            reach,
            dirs: dirs.clone(),
            carriage,
            forwards: Mutex::default(),
            record,
            relay,
        })
    }

    /// The box as a place to run commands in. In a worktree box they are confined.
    #[must_use]
    pub fn place(&self) -> &dyn Place {
        &*self.place
    }

    /// What a run in this box must be held to; goes into [`paddock_relay_client::protocol::Launch`].
    #[must_use]
    pub fn confine(&self) -> Option<Confine> {
        self.confine.clone()
    }

    /// Gives the port on the box's own loopback that leads to `host_target`, an address of this
    /// machine. In a worktree box that is the target's own port, and nothing is carried.
    ///
    /// # Errors
    /// [`BoxError::Relay`] when the relay refuses or is lost.
    pub async fn forward(&self, host_target: SocketAddr) -> Result<u16, BoxError> {
        match self.record.kind {
            BoxKind::Worktree => Ok(host_target.port()),
            BoxKind::Container => self.carry(host_target).await,
        }
    }

    async fn carry(&self, target: SocketAddr) -> Result<u16, BoxError> {
        let mut forwards = self.forwards.lock().await;
        if let Some(forwarded) = forwards.get(&target) {
            return Ok(forwarded.port());
        }
        let forwarded = self.begin_forward(target).await?;
        let port = forwarded.port();
        forwards.insert(target, forwarded);
        self.record_forward(target)?;
        Ok(port)
    }

    async fn begin_forward(&self, target: SocketAddr) -> Result<Forwarded, BoxError> {
        let name = format!("host-{target}");
        if self.reach.is_socket() && carrier::possible(&self.carriage.binary) {
            match Carrier::start(self.carriage.clone(), name.clone(), target).await {
                Ok(carrier) => return Ok(Forwarded::Carried(carrier)),
                Err(error) => {
                    tracing::warn!(task.id = %self.record.task_id, %error, "the port breaks when Paddock ends");
                }
            }
        }
        let (relay, reach) = (self.relay.clone(), self.reach.clone());
        let served = Served::start(relay, reach, name, target.to_string()).await?;
        Ok(Forwarded::Served(served))
    }

    /// Writes down where a port leads, so that it is served again after a crash of ours.
    fn record_forward(&self, target: SocketAddr) -> Result<(), BoxError> {
        let Some(mut record) = BoxRecord::read(&self.dirs)? else {
            return Ok(());
        };
        if record.forwards.contains(&target) {
            return Ok(());
        }
        record.forwards.push(target);
        record.write(&self.dirs)
    }

    /// Serves again what earlier lives of Paddock forwarded: the agent still calls those ports.
    ///
    /// # Errors
    /// [`BoxError::Relay`] when the relay refuses or is lost.
    pub async fn serve_forwards(&self) -> Result<(), BoxError> {
        for target in &self.record.forwards {
            self.forward(*target).await?;
        }
        Ok(())
    }

    /// Writes `files` below the home, over what is there.
    ///
    /// # Errors
    /// [`BoxError::BadHomeFile`] for a path that leads elsewhere, [`BoxError::Disk`] when it cannot
    /// be written.
    pub async fn write_home(&self, files: &[HomeFile]) -> Result<(), BoxError> {
        if files.is_empty() {
            return Ok(());
        }
        let archive = home::pack(files)?;
        let written = self.place.upload(&self.home, archive.into()).await;
        written.map_err(|e| BoxError::disk(Path::new(&self.home), std::io::Error::other(e)))
    }
}

impl std::fmt::Debug for LiveBox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LiveBox")
            .field("record", &self.record)
            .finish_non_exhaustive()
    }
}
