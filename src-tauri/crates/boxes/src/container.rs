//! A box that is a container: its specification, and its life on the engine.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use paddock_docker::{
    Container, ContainerSpec, ContainerState, Engine, EngineInfo, Mount, NetworkMode,
};
use paddock_domain::Network;
use paddock_relay_client::protocol::BoxId;
use paddock_relay_client::{RelayClient, RelayError};
use tokio::time::Instant;

use crate::error::text;
use crate::layout::{self, Inside};
use crate::locate::locate;
use crate::reach::Reach;
use crate::{BoxDirs, BoxError, BoxRecord, BoxesSettings};

/// How long a relay may take to come up in a container that was started.
const RELAY_TIME: Duration = Duration::from_secs(20);

/// After this long without an answer on its socket, the relay is also tried through the engine: the
/// socket may be one that this side cannot open, as where the engine runs in a virtual machine.
const SOCKET_TIME: Duration = Duration::from_secs(2);

/// First and longest pause between two tries.
const PAUSE: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(40));

/// How long the relay has to end its runs when the container is stopped, in seconds.
pub(crate) const STOP_GRACE_S: u16 = 15;

/// Most bytes of temporary files, kept in memory and counted as memory of the box.
const TMP_LEN: u64 = 2 << 30;

/// Who the box is on the engine's side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct User {
    /// `uid:gid` in the container.
    pub(crate) ids: String,
    /// How the engine maps ids.
    pub(crate) namespace: Option<String>,
    /// Whom the box's directories must belong to on the host, when that is not us.
    pub(crate) owner: Option<(u32, u32)>,
}

impl User {
    /// Never root on the host. Where we are root, an ordinary user; where the engine runs as us, the
    /// id that it maps to us.
    pub(crate) fn choose(uid: u32, gid: u32, engine: &EngineInfo) -> Self {
        const ORDINARY: (u32, u32) = (1000, 1000);
        let plain = |uid, gid| Self {
            ids: format!("{uid}:{gid}"),
            namespace: None,
            owner: None,
        };
        match (engine.rootless, engine.podman) {
            (true, true) => Self {
                namespace: Some("keep-id".to_owned()),
                ..plain(uid, gid)
            },
            (true, false) => plain(0, 0),
            (false, _) if uid == 0 => Self {
                owner: Some(ORDINARY),
                ..plain(ORDINARY.0, ORDINARY.1)
            },
            (false, _) => plain(uid, gid),
        }
    }

    /// The user for boxes that this process makes.
    pub(crate) fn here(engine: &EngineInfo) -> Self {
        let (uid, gid) = (rustix::process::getuid(), rustix::process::getgid());
        Self::choose(uid.as_raw(), gid.as_raw(), engine)
    }
}

/// The container of `record`.
pub(crate) fn spec(
    record: &BoxRecord,
    dirs: &BoxDirs,
    settings: &BoxesSettings,
    data_mark: &str,
    info: &EngineInfo,
) -> Result<ContainerSpec, BoxError> {
    let user = User::here(info);
    let inside = Inside::of(record, dirs, &settings.toolbox_dir)?;
    let mut command = vec![
        layout::RELAY,
        "serve",
        "--foreground",
        "--dir",
        layout::RELAY_DIR,
    ];
    if BoxId::parse(record.task_id.as_str()).is_ok() {
        command.extend(["--box", record.task_id.as_str()]);
    }
    let all = if info.cpus == 0 {
        f64::MAX
    } else {
        f64::from(info.cpus)
    };
    let variables = [
        ("HOME", inside.home.as_str()),
        ("PADDOCK_TASK", record.task_id.as_str()),
    ];
    Ok(ContainerSpec {
        name: record.name.clone(),
        image: record.image.clone().unwrap_or_default(),
        command: command.into_iter().map(str::to_owned).collect(),
        env: variables
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into(),
        work_dir: inside.work,
        user: user.ids,
        user_namespace: user.namespace,
        labels: labels(record, data_mark),
        mounts: mounts(record, dirs, settings)?,
        memory_dirs: BTreeMap::from([(inside.tmp, TMP_LEN)]),
        network: match record.network {
            Network::Bridge => NetworkMode::Bridge,
            Network::None => NetworkMode::None,
        },
        memory: record.memory_mib.saturating_mul(1 << 20),
        cpus: record.cpus.map(|cpus| cpus.min(all)),
        pids: record.pids,
    })
}

fn labels(record: &BoxRecord, data_mark: &str) -> BTreeMap<String, String> {
    let labels = [
        (layout::TASK_LABEL, record.task_id.as_str()),
        (layout::DATA_LABEL, data_mark),
        (layout::VERSION_LABEL, env!("CARGO_PKG_VERSION")),
    ];
    labels
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .into()
}

fn mounts(
    record: &BoxRecord,
    dirs: &BoxDirs,
    settings: &BoxesSettings,
) -> Result<Vec<Mount>, BoxError> {
    let mut mounts = vec![
        Mount::write(text(&dirs.work)?, layout::WORK),
        Mount::write(text(&dirs.home)?, layout::HOME),
        Mount::write(text(&dirs.relay)?, layout::RELAY_DIR),
        Mount::read(text(&settings.relay_binary)?, layout::RELAY),
    ];
    mounts.extend(tools(record, settings)?);
    for (n, objects) in record.objects.iter().enumerate() {
        let target = format!("{}/{n}", layout::OBJECTS);
        mounts.push(Mount::read(objects.clone(), &target));
        if Path::new(objects).join("info/alternates").is_file() {
            // It names directories of the host, which are mounted under other names.
            mounts.push(Mount::read(
                text(&dirs.empty())?,
                format!("{target}/info/alternates"),
            ));
        }
    }
    Ok(mounts)
}

/// The agent programs: all there are, or the one of a box that was made for it alone.
fn tools(record: &BoxRecord, settings: &BoxesSettings) -> Result<Vec<Mount>, BoxError> {
    if record.whole_toolbox {
        let toolbox = text(&settings.toolbox_dir)?;
        return Ok(vec![Mount::read(toolbox, layout::TOOLBOX)]);
    }
    let mut mounts = Vec::new();
    let program = &record.program;
    let target = format!("{}/{}", layout::TOOLBOX, layout::below_toolbox(program));
    mounts.push(Mount::read(program.dir.clone(), target));
    if let Some(node) = &program.node {
        // `node/<version>/…`: the whole of that version.
        let below: Vec<_> = node.splitn(3, '/').take(2).collect();
        let below = below.join("/");
        let source = text(&settings.toolbox_dir.join(&below))?;
        mounts.push(Mount::read(source, format!("{}/{below}", layout::TOOLBOX)));
    }
    Ok(mounts)
}

/// Waits for the relay of `container`, which was started.
pub(crate) async fn await_relay(
    engine: &Engine,
    container: &str,
    record: &BoxRecord,
    dirs: &BoxDirs,
) -> Result<(RelayClient, Reach), BoxError> {
    let (begun, mut pause) = (Instant::now(), PAUSE.0);
    let mut next_look = begun + SOCKET_TIME / 4;
    let socket = Reach::socket(&record.task_id, &dirs.relay);
    loop {
        let mut refusal = match socket.connect().await {
            Ok(relay) => return Ok((relay, socket)),
            Err(refusal) => refusal,
        };
        if Instant::now() >= next_look {
            next_look = Instant::now() + SOCKET_TIME / 4;
            ensure_running(engine, container, record).await?;
            if begun.elapsed() > SOCKET_TIME {
                let exec = Reach::exec(&record.task_id, engine.clone(), container);
                refusal = match exec.connect().await {
                    Ok(relay) => return Ok((relay, exec)),
                    Err(refusal) => refusal,
                };
            }
        }
        if begun.elapsed() > RELAY_TIME {
            let said = engine.last_words(container).await;
            let why = format!("{refusal}. It said: {said}");
            return Err(BoxError::RelayNotStarted { why });
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(PAUSE.1);
    }
}

async fn ensure_running(
    engine: &Engine,
    container: &str,
    record: &BoxRecord,
) -> Result<(), BoxError> {
    let state = engine
        .inspect(container)
        .await?
        .map(|container| container.state);
    match state {
        Some(ContainerState::Running) => Ok(()),
        Some(ContainerState::Created | ContainerState::Ended { .. }) => {
            let said = engine.last_words(container).await;
            let why = format!("its container ended at once. It said: {said}");
            Err(BoxError::RelayNotStarted { why })
        }
        None => Err(BoxError::ContainerGone {
            task: record.task_id.clone(),
        }),
    }
}

/// Connects to the relay of a container that should run.
pub(crate) async fn attach(
    engine: Engine,
    record: &BoxRecord,
    data_mark: &str,
    refusal: RelayError,
) -> Result<(RelayClient, Reach), BoxError> {
    let task = record.task_id.clone();
    let located = locate(&engine, record, data_mark).await?;
    let Some(container) = located else {
        return Err(BoxError::ContainerGone { task });
    };
    match container.state {
        ContainerState::Created => Err(BoxError::BoxEnded {
            task,
            exit: None,
            oom: false,
        }),
        ContainerState::Ended { exit, oom } => Err(BoxError::BoxEnded { task, exit, oom }),
        // The relay is the container's first process: it lives.
        ContainerState::Running if is_foreign(&refusal) => Err(BoxError::unreached(&task, refusal)),
        ContainerState::Running => {
            let exec = Reach::exec(&record.task_id, engine, &container.id);
            match exec.connect().await {
                Ok(relay) => Ok((relay, exec)),
                Err(other) if is_foreign(&other) => Err(BoxError::unreached(&task, other)),
                Err(_) => Err(BoxError::unreached(&task, refusal)),
            }
        }
    }
}

fn is_foreign(refusal: &RelayError) -> bool {
    matches!(refusal, RelayError::VersionMismatch { .. })
}

/// All containers of this data directory, or those of one task.
pub(crate) async fn list(
    engine: &Engine,
    data_mark: &str,
    task: Option<&str>,
) -> Result<Vec<Container>, BoxError> {
    let mut labels = BTreeMap::from([(layout::DATA_LABEL, data_mark)]);
    labels.extend(task.map(|task| (layout::TASK_LABEL, task)));
    Ok(engine.list(&labels).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_is_never_root_on_the_host() {
        let engine = |rootless, podman| EngineInfo {
            rootless,
            podman,
            ..EngineInfo::default()
        };
        let ids = |uid, rootless, podman| User::choose(uid, uid, &engine(rootless, podman)).ids;
        assert_eq!(ids(0, false, false), "1000:1000");
        assert_eq!(ids(501, false, false), "501:501");
        assert_eq!(ids(501, false, true), "501:501");
        assert_eq!(ids(501, true, true), "501:501");
        // A rootless Docker maps its root to the user.
        assert_eq!(ids(501, true, false), "0:0");
        let root = User::choose(0, 0, &engine(false, false));
        assert_eq!(root.owner, Some((1000, 1000)));
    }
}
