//! Ports in a box that lead to the host, served by a small process that outlives us.
//!
//! A request that an agent has under way when Paddock is killed or updated goes on: its bytes do not pass
//! through Paddock. The process is our own relay binary, knows one box and one address, and ends with the
//! box's relay. Its environment is made from nothing but the mark of the box, by which it is found.
//! Invariant: a port keeps its number from one carrier to the next, and has one at a time.
//!
//! Start at [`Carrier::start`].

use std::net::SocketAddr;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use paddock_relay_client::protocol::BoxId;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio_util::task::AbortOnDropHandle;

use crate::worktree::{self, MARK};

/// How long a carrier may take to serve, or to say that another one does.
const START_TIME: Duration = Duration::from_secs(20);

/// How often a port is looked after.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// How long the diary of a box's carriers may grow, in bytes.
const DIARY_LEN: u64 = 64 * 1024;

/// What carriers of one box have in common.
#[derive(Clone, Debug)]
pub(crate) struct Carriage {
    /// The relay's binary on the host.
    pub(crate) binary: PathBuf,
    /// The directory that the relay serves.
    pub(crate) relay_dir: PathBuf,
    /// Where the locks are: a directory that the box cannot write.
    pub(crate) lock_dir: PathBuf,
    /// The box, as its relay greets.
    pub(crate) box_id: Option<BoxId>,
    /// Whose its processes are.
    pub(crate) mark: String,
}

/// A port that is carried. Dropping this ends nobody: the carrier lives with the box.
#[derive(Debug)]
pub(crate) struct Carrier {
    pub(crate) port: u16,
    /// Starts another one when it is gone.
    _watch: AbortOnDropHandle<()>,
}

/// No carrier could be had.
#[derive(Debug, thiserror::Error)]
#[error("a port of the box cannot be carried: {0}")]
pub(crate) struct NoCarrier(String);

impl Carrier {
    /// Makes sure that one serves the port `name`, which leads to `to`.
    pub(crate) async fn start(
        carriage: Carriage,
        name: String,
        to: SocketAddr,
    ) -> Result<Self, NoCarrier> {
        let port = carriage.begin(&name, to).await?;
        let watch = async move { carriage.keep(&name, to).await };
        Ok(Self {
            port,
            _watch: AbortOnDropHandle::new(tokio::spawn(watch)),
        })
    }
}

impl Carriage {
    /// Starts a carrier, and gives the port that it serves, or that another one does.
    async fn begin(&self, name: &str, to: SocketAddr) -> Result<u16, NoCarrier> {
        let mut command = tokio::process::Command::new(&self.binary);
        command.args(["carry", "--name", name, "--to", &to.to_string()]);
        if let Some(id) = &self.box_id {
            command.args(["--box", id.as_str()]);
        }
        command
            .arg("--dir")
            .arg(&self.relay_dir)
            .arg("--lock")
            .arg(self.lock(to))
            .env_clear()
            .env(MARK, &self.mark)
            .current_dir("/")
            // Ctrl-C in our terminal is not meant for it.
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(self.diary());
        let failed = |what: String| NoCarrier(what);
        let mut child = command.spawn().map_err(|e| failed(e.to_string()))?;
        let Some(stdout) = child.stdout.take() else {
            return Err(failed("its pipe is missing".to_owned()));
        };
        let mut line = String::new();
        let mut said = BufReader::new(stdout);
        let said = tokio::time::timeout(START_TIME, said.read_line(&mut line)).await;
        match said {
            Ok(Ok(_)) => port_in(&line).ok_or_else(|| failed(format!("it said `{}`", line.trim()))),
            Ok(Err(error)) => Err(failed(error.to_string())),
            Err(_) => {
                let _ = child.start_kill();
                Err(failed("it took too long".to_owned()))
            }
        }
    }

    /// Where carriers say what went wrong, as the relay does in its own; one that has grown is begun anew.
    fn diary(&self) -> Stdio {
        let path = self.lock_dir.join("carry.log");
        let grown = path.metadata().is_ok_and(|diary| diary.len() > DIARY_LEN);
        let opened = std::fs::OpenOptions::new()
            .create(true)
            .append(!grown)
            .write(true)
            .truncate(grown)
            .mode(0o600)
            .open(&path);
        opened.map_or_else(
            |error| {
                tracing::debug!(%error, "carriers cannot keep a diary");
                Stdio::null()
            },
            Stdio::from,
        )
    }

    /// Starts another one whenever there is none; a relay that is gone ends us by our owner's word.
    async fn keep(&self, name: &str, to: SocketAddr) {
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            if worktree::is_locked(&self.lock(to)) {
                continue;
            }
            if let Err(error) = self.begin(name, to).await {
                tracing::debug!(%error, "a port of a box leads nowhere for now");
            }
        }
    }

    fn lock(&self, to: SocketAddr) -> PathBuf {
        let name = to.to_string().replace(['[', ']', ':', '%'], "-");
        self.lock_dir.join(format!("carry-{name}"))
    }
}

/// Whether carriers can run here: they are the relay's own binary, which is one for Linux.
pub(crate) fn possible(binary: &Path) -> bool {
    cfg!(target_os = "linux") && binary.is_file()
}

fn port_in(line: &str) -> Option<u16> {
    let (word, port) = line.trim().split_once(' ')?;
    let port = port.parse().ok()?;
    matches!(word, "ready" | "taken").then_some(port)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn why_a_carrier_did_not_come_up_stands_in_the_diary() {
        let dir = tempfile::tempdir().unwrap();
        let binary = dir.path().join("carrier");
        std::fs::write(&binary, "#!/bin/sh\necho \"no $1\" >&2\n").unwrap();
        std::fs::set_permissions(&binary, std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .unwrap();
        let carriage = Carriage {
            binary,
            relay_dir: dir.path().to_owned(),
            lock_dir: dir.path().to_owned(),
            box_id: None,
            mark: "m".to_owned(),
        };
        let diary = dir.path().join("carry.log");
        let to = "127.0.0.1:1".parse().unwrap();
        for _ in 0..2 {
            carriage.begin("api", to).await.unwrap_err();
        }
        assert_eq!(
            std::fs::read_to_string(&diary).unwrap(),
            "no carry\nno carry\n"
        );
        std::fs::write(&diary, "x".repeat(70_000)).unwrap();
        carriage.begin("api", to).await.unwrap_err();
        assert_eq!(std::fs::read_to_string(&diary).unwrap(), "no carry\n");
    }

    #[test]
    fn only_a_port_that_is_served_is_taken() {
        assert_eq!(port_in("ready 4711\n"), Some(4711));
        assert_eq!(port_in("taken 1\n"), Some(1));
        for other in ["", "ready", "ready x", "lost 4711", "ready 70000"] {
            assert_eq!(port_in(other), None, "{other}");
        }
    }
}
