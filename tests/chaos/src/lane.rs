//! A lane plays rounds one after another, each on a stand: a server on a data directory that serves
//! many rounds.
//!
//! Invariant: a stand on which something went wrong is never used again; its directory is kept.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use anyhow::Context;
use paddock_client::Client;
use tokio::sync::{Mutex, watch};

use crate::check::{Baseline, Violation, open_files};
use crate::door::Door;
use crate::engine::Engine;
use crate::plan::{Kind, Plan};
use crate::processes;
use crate::round::{self, Played};
use crate::server::{Server, Settings};
use crate::workshop::{Workshop, run};

/// Size of a disk that is to fill up.
const SMALL_DISK: &str = "size=64m";
/// New work is refused when less than this is left of it.
const DISK_LOW_MIB: &str = "16";

/// A server and all that belongs to it.
#[derive(Debug)]
pub(crate) struct Stand {
    pub(crate) workshop: Arc<Workshop>,
    pub(crate) settings: Settings,
    pub(crate) server: Mutex<Server>,
    pub(crate) engine: Option<Arc<Mutex<Engine>>>,
    pub(crate) baseline: Baseline,
    root: PathBuf,
    clients: watch::Sender<Client>,
    clock: Option<File>,
    disk: Option<PathBuf>,
    /// The server that was counted, and how many files it had open.
    counted: Mutex<Option<(u32, usize)>>,
}

impl Stand {
    async fn build(
        workshop: &Arc<Workshop>,
        root: &Path,
        kind: Kind,
        engine: Option<Arc<Mutex<Engine>>>,
    ) -> anyhow::Result<Self> {
        let beside = root.join("beside");
        fs::create_dir_all(&beside)?;
        let disk = (kind == Kind::Disk).then(|| root.join("disk"));
        if let Some(disk) = &disk {
            fs::create_dir_all(disk)?;
            let mut mount = Command::new("mount");
            mount
                .args(["-t", "tmpfs", "-o", SMALL_DISK, "chaos"])
                .arg(disk);
            run(&mut mount)?;
        }
        let mut variables = BTreeMap::new();
        let socket = match &engine {
            Some(engine) => engine.lock().await.socket(),
            None => root.join("no-engine.sock"),
        };
        let mut set = |name: &str, value: &str| variables.insert(name.to_owned(), value.to_owned());
        set("PADDOCK_ENGINE_SOCKET", &socket.to_string_lossy());
        if disk.is_some() {
            set("PADDOCK_LIMITS_DISK_LOW_MIB", DISK_LOW_MIB);
        }
        if let Some(model) = &workshop.model {
            set("ANTHROPIC_BASE_URL", &model.url());
            set("ANTHROPIC_API_KEY", "scripted");
        }
        let mut clock = None;
        if let (Kind::Clock, Some(preload)) = (kind, &workshop.clock) {
            let file = beside.join("clock");
            fs::write(&file, 0_i64.to_ne_bytes())?;
            set("LD_PRELOAD", &preload.to_string_lossy());
            set("CHAOS_CLOCK", &file.to_string_lossy());
            clock = Some(File::options().write(true).open(file)?);
        }
        let settings = Settings {
            data: disk.as_deref().unwrap_or(root).join("data"),
            beside,
            variables,
        };
        let server = Server::start(workshop, &settings).await.inspect_err(|_| {
            disk.as_deref().map(unmount);
        })?;
        let clients = watch::Sender::new(server.client.clone());
        server.install().await?;
        Ok(Self {
            workshop: workshop.clone(),
            baseline: Baseline::take(&settings),
            server: Mutex::new(server),
            settings,
            engine,
            root: root.to_owned(),
            clients,
            clock,
            disk,
            counted: Mutex::default(),
        })
    }

    /// The way to the server of this stand, over all its lives.
    pub(crate) fn door(&self) -> Door {
        Door {
            client: self.clients.subscribe(),
        }
    }

    /// The box of a task.
    pub(crate) fn box_dir(&self, task: &str) -> PathBuf {
        self.settings.data.join("boxes").join(task)
    }

    /// A file on the same disk as the data directory.
    pub(crate) fn beside_data(&self, name: &str) -> PathBuf {
        let disk = self.disk.as_deref().unwrap_or(&self.root);
        disk.join(name)
    }

    /// Starts the next server in the place of one that has ended.
    pub(crate) async fn restart(&self, server: &mut Server) -> anyhow::Result<()> {
        *server = Server::start(&self.workshop, &self.settings).await?;
        self.clients.send_replace(server.client.clone());
        Ok(())
    }

    /// Lets the server's clock jump.
    pub(crate) fn jump(&self, seconds: i64) -> anyhow::Result<()> {
        let clock = self
            .clock
            .as_ref()
            .context("the clock of this stand cannot jump")?;
        Ok(clock.write_all_at(&seconds.to_ne_bytes(), 0)?)
    }

    /// Whether the server has more files open than after the first round that it lived through.
    pub(crate) async fn grown(&self) -> Option<Violation> {
        let server = self.server.lock().await;
        let pid = server.pid()?;
        let mut counted = self.counted.lock().await;
        match *counted {
            Some((before, at_first)) if before == pid => open_files(at_first, server.open_files()),
            Some(_) | None => {
                *counted = Some((pid, server.open_files()));
                None
            }
        }
    }

    /// Ends the server and everything in its boxes; says what is wrong with the journals that it leaves.
    async fn tear_down(self) -> (PathBuf, Option<Violation>) {
        let ended = self.server.lock().await.end().await;
        let verified = match ended {
            Ok(()) => self.settings.verify(&self.workshop).await,
            Err(error) => Err(error),
        };
        let wrong = verified.err();
        let wrong = wrong.map(|error| Violation::of("journals are whole", format!("{error:#}")));
        let boxes = self.settings.data.join("boxes");
        for process in processes::of_box("no task", &boxes) {
            process.signal(rustix::process::Signal::KILL);
        }
        let tasks = fs::read_dir(&boxes).map(|entries| entries.flatten().collect::<Vec<_>>());
        if let Some(engine) = &self.engine {
            let engine = engine.lock().await;
            for task in tasks.unwrap_or_default() {
                let name = task.file_name().to_string_lossy().into_owned();
                for id in engine.containers(&name).await.unwrap_or_default() {
                    let _ = engine.docker(&["rm", "-f", &id]).await;
                }
            }
        }
        if let Some(disk) = &self.disk {
            // What is kept is kept beside the disk that goes away.
            let _ = run(Command::new("cp")
                .arg("-a")
                .arg(&self.settings.data)
                .arg(self.root.join("data-kept")));
            unmount(disk);
        }
        (self.root, wrong)
    }
}

/// See the head of this file.
#[derive(Debug)]
pub(crate) struct Lane {
    workshop: Arc<Workshop>,
    root: PathBuf,
    engine: Option<Arc<Mutex<Engine>>>,
    stands: BTreeMap<Kind, Stand>,
    built: u64,
    keep: bool,
}

impl Lane {
    pub(crate) fn new(
        workshop: Arc<Workshop>,
        number: usize,
        engine: Option<Arc<Mutex<Engine>>>,
        keep: bool,
    ) -> Self {
        Self {
            root: workshop.root.join(format!("lane-{number}")),
            workshop,
            engine,
            stands: BTreeMap::new(),
            built: 0,
            keep,
        }
    }

    /// Plays one round; what went wrong is kept.
    pub(crate) async fn play(&mut self, plan: &Plan) -> anyhow::Result<Played> {
        let which = stand_of(plan.kind);
        let stand = match self.stands.remove(&which) {
            Some(stand) => stand,
            None => self.build(which).await?,
        };
        // Rounds share a log; each begins with an empty one.
        File::options()
            .write(true)
            .truncate(true)
            .open(stand.settings.log())?;
        let dir = stand.root.join(format!("round-{}", plan.number));
        let mut played = match round::play(&stand, plan, &dir).await {
            Ok(played) => played,
            Err(error) => {
                let how = format!("{error:#}");
                Played::broken(Violation::of("the round can be played", how))
            }
        };
        let bad = !played.violations.is_empty();
        if bad || self.keep {
            fs::create_dir_all(&dir)?;
            fs::write(dir.join("plan.txt"), plan.describe())?;
            let told: Vec<String> = played.violations.iter().map(ToString::to_string).collect();
            fs::write(dir.join("violations.txt"), told.join("\n"))?;
            fs::write(dir.join("calls.txt"), played.calls.join("\n"))?;
        } else {
            fs::remove_dir_all(&dir)?;
        }
        if bad || self.keep || plan.kind == Kind::Disk {
            let (root, wrong) = stand.tear_down().await;
            played.violations.extend(wrong);
            if played.violations.is_empty() && !self.keep {
                fs::remove_dir_all(&root)?;
                return Ok(played);
            }
            let kept = self
                .workshop
                .root
                .join(format!("kept-{}-{}", plan.seed, plan.number));
            fs::rename(&root, &kept)?;
            played.kept = Some(kept);
        } else {
            self.stands.insert(which, stand);
        }
        Ok(played)
    }

    async fn build(&mut self, kind: Kind) -> anyhow::Result<Stand> {
        self.built += 1;
        let root = self.root.join(format!("{kind}-{}", self.built));
        let engine = self.engine.clone().filter(|_| kind.needs_engine());
        Stand::build(&self.workshop, &root, kind, engine).await
    }

    /// Ends all stands; says what is wrong with what they leave, which is kept.
    pub(crate) async fn end(self) -> Vec<(PathBuf, Violation)> {
        let mut found = Vec::new();
        for (_, stand) in self.stands {
            match stand.tear_down().await {
                (root, Some(wrong)) => found.push((root, wrong)),
                // What cannot be removed lies below a temporary directory.
                (root, None) => drop(fs::remove_dir_all(root)),
            }
        }
        found
    }
}

/// What cannot be unmounted stays below a temporary directory.
fn unmount(disk: &Path) {
    let _ = run(Command::new("umount").arg("-l").arg(disk));
}

/// Kinds that are played on the same stand.
fn stand_of(kind: Kind) -> Kind {
    match kind {
        Kind::Worktree | Kind::Claude => Kind::Worktree,
        Kind::Container | Kind::Engine => Kind::Container,
        Kind::Disk => Kind::Disk,
        Kind::Clock => Kind::Clock,
    }
}
