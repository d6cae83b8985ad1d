//! Makes a box, in an order that leaves something findable wherever it is cut short.
//!
//! The record is written before anything is made, and says `ready` after everything is. What needs no
//! order runs at once: the repositories are looked at while the image is looked for.
//!
//! Start at [`Boxes::provision`].

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{DirBuilderExt, chown};
use std::path::Path;

use paddock_docker::{EngineError, ImageReference};
use paddock_domain::{BoxKind, Network, Program};
use paddock_relay_client::RelayClient;

use crate::container::User;
use crate::engine_link::Linked;
use crate::locate::{impostor, is_ours};
use crate::reach::Reach;
use crate::seeding::{Looked, seed_all};
use crate::{
    BoxDirs, BoxError, BoxRecord, BoxRequest, Boxes, LiveBox, RecordedRepository, Stage, Step,
    container, layout, worktree,
};

/// What is told about the steps.
type Progress<'a> = &'a (dyn Fn(Step) + Send + Sync);

impl Boxes {
    /// Makes the box that `request` asks for. A complete box of the same task is connected to, or
    /// started again; the remains of one that was cut short are removed first. When this fails, what
    /// it had made is removed.
    ///
    /// # Errors
    /// Any [`BoxError`] that tells what is missing or went wrong.
    pub async fn provision(
        &self,
        request: &BoxRequest,
        progress: Progress<'_>,
    ) -> Result<LiveBox, BoxError> {
        let dirs = self.dirs(&request.task_id);
        match BoxRecord::read(&dirs) {
            Ok(Some(record)) if record.stage == Stage::Ready => return self.restart(&record).await,
            Ok(Some(_)) | Err(_) => self.clear(request, progress).await?,
            Ok(None) if dirs.root.exists() => self.clear(request, progress).await?,
            Ok(None) => {}
        }
        let made = self.make(request, &dirs, progress).await;
        if let Err(error) = &made {
            tracing::debug!(task.id = %request.task_id, %error, "a box could not be made");
            if let Err(error) = self.remove_task(&request.task_id).await {
                tracing::warn!(task.id = %request.task_id, %error, "the remains of a box are left");
            }
        }
        made
    }

    async fn clear(&self, request: &BoxRequest, progress: Progress<'_>) -> Result<(), BoxError> {
        progress(Step::ClearingRemains);
        self.remove_task(&request.task_id).await
    }

    async fn make(
        &self,
        request: &BoxRequest,
        dirs: &BoxDirs,
        progress: Progress<'_>,
    ) -> Result<LiveBox, BoxError> {
        self.ensure_tools(&request.program)?;
        progress(Step::Inspecting);
        let image = image_name(self, request)?;
        let looks = Looked::all(&request.repositories);
        let (looked, engine) =
            tokio::try_join!(looks, self.ready_engine(request, &image, progress))?;
        let kind = match &engine {
            Some(_) => BoxKind::Container,
            None => BoxKind::Worktree,
        };
        let record = record(self, request, kind, &image, &looked);
        let owner = engine.and_then(|linked| User::here(&linked.info).owner);
        make_dirs(&record, dirs, owner)?;
        progress(Step::Starting);
        let (relay, reach) = match kind {
            BoxKind::Container => {
                create(self, &record).await?;
                progress(Step::Connecting);
                start_container(self, &record.name, &record).await?
            }
            BoxKind::Worktree => {
                let inner = &self.inner;
                worktree::start(&record, dirs, &inner.settings, &inner.data_mark).await?
            }
        };
        let live = self.live(&record.at(Stage::Ready), relay, reach)?;
        seed_all(&live, &looked, progress).await?;
        live.record.write(dirs)?;
        Ok(live)
    }

    /// The engine with the image on it, when the box is to be a container.
    async fn ready_engine(
        &self,
        request: &BoxRequest,
        image: &ImageReference,
        progress: Progress<'_>,
    ) -> Result<Option<Linked>, BoxError> {
        let linked = match (request.kind, self.engine().await) {
            (Some(BoxKind::Worktree), _) | (None, Err(BoxError::NoEngine(_))) => return Ok(None),
            (Some(BoxKind::Container) | None, found) => found?,
        };
        if self
            .noted(linked.engine.image(image).await)
            .await?
            .is_some()
        {
            return Ok(Some(linked));
        }
        let pulling = |step| {
            progress(Step::PullingImage {
                image: image.to_string(),
                progress: step,
            });
        };
        let pulled = linked.engine.pull(image, pulling).await;
        self.noted(pulled).await?;
        Ok(Some(linked))
    }

    fn ensure_tools(&self, program: &Program) -> Result<(), BoxError> {
        let relay = &self.inner.settings.relay_binary;
        if !relay.is_file() {
            return Err(BoxError::RelayMissing {
                path: relay.display().to_string(),
            });
        }
        let path = Path::new(&program.dir).join(&program.program);
        if !path.is_file() {
            return Err(BoxError::ProgramMissing {
                path: path.display().to_string(),
                harness: program.harness.to_string(),
            });
        }
        Ok(())
    }
}

fn image_name(boxes: &Boxes, request: &BoxRequest) -> Result<ImageReference, BoxError> {
    let default = &boxes.inner.settings.defaults.image;
    let name = request.image.as_ref().unwrap_or(default);
    Ok(ImageReference::parse(name)?)
}

fn record(
    boxes: &Boxes,
    request: &BoxRequest,
    kind: BoxKind,
    image: &ImageReference,
    looked: &[Looked],
) -> BoxRecord {
    let defaults = &boxes.inner.settings.defaults;
    let paths = request
        .repositories
        .iter()
        .map(|repository| &repository.host_path);
    let names = layout::repository_names(looked.iter().map(|l| l.repository.root.as_str()));
    let repositories = paths
        .zip(names)
        .map(|(host_path, name)| RecordedRepository {
            host_path: host_path.clone(),
            name,
        });
    let mut seen = BTreeSet::new();
    let objects = looked.iter().flat_map(Looked::objects);
    BoxRecord {
        format: BoxRecord::FORMAT,
        task_id: request.task_id.clone(),
        kind,
        stage: Stage::Making,
        name: layout::container_name(&request.task_id, &boxes.inner.data_mark),
        image: match kind {
            BoxKind::Container => Some(image.to_string()),
            BoxKind::Worktree => None,
        },
        network: request.network.unwrap_or(Network::Bridge),
        memory_mib: request.memory_mib.unwrap_or(defaults.memory_mib),
        cpus: request.cpus.or(defaults.cpus),
        pids: request.pids.unwrap_or(defaults.pids),
        repositories: repositories.collect(),
        objects: objects.filter(|dir| seen.insert(dir.clone())).collect(),
        program: request.program.clone(),
        whole_toolbox: Path::new(&request.program.dir)
            .starts_with(&boxes.inner.settings.toolbox_dir),
        forwards: Vec::new(),
    }
}

/// Makes the directories, the record first. Only we may look into them; what the box writes belongs
/// to `owner` when that is not us.
fn make_dirs(
    record: &BoxRecord,
    dirs: &BoxDirs,
    owner: Option<(u32, u32)>,
) -> Result<(), BoxError> {
    let make = |dir: &Path| {
        let made = fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(dir);
        made.map_err(|e| BoxError::disk(dir, e))
    };
    make(&dirs.root)?;
    record.write(dirs)?;
    let empty = dirs.empty();
    fs::write(&empty, "").map_err(|e| BoxError::disk(&empty, e))?;
    for repository in &record.repositories {
        make(&dirs.work.join(&repository.name))?;
    }
    for dir in dirs.own() {
        make(dir)?;
    }
    let Some((uid, gid)) = owner else {
        return Ok(());
    };
    let names = record
        .repositories
        .iter()
        .map(|repository| dirs.work.join(&repository.name));
    for dir in dirs.own().map(Path::to_owned).into_iter().chain(names) {
        chown(&dir, Some(uid), Some(gid)).map_err(|e| BoxError::disk(&dir, e))?;
    }
    Ok(())
}

/// Makes the container of `record`. One of the same name that we made before gives way.
pub(crate) async fn create(boxes: &Boxes, record: &BoxRecord) -> Result<(), BoxError> {
    let linked = boxes.engine().await?;
    let (dirs, inner) = (boxes.dirs(&record.task_id), &boxes.inner);
    let spec = container::spec(
        record,
        &dirs,
        &inner.settings,
        &inner.data_mark,
        &linked.info,
    )?;
    let made = match linked.engine.create(&spec).await {
        Err(EngineError::Conflict { .. }) => {
            let found = boxes.noted(linked.engine.inspect(&spec.name).await).await?;
            if let Some(other) = found.filter(|it| !is_ours(it, record, &inner.data_mark)) {
                return Err(impostor(&other, record));
            }
            boxes.noted(linked.engine.remove(&spec.name).await).await?;
            linked.engine.create(&spec).await
        }
        other => other,
    };
    boxes.noted(made).await.map(drop)
}

/// Starts `container`, by name or id the one of `record`, and connects to its relay.
pub(crate) async fn start_container(
    boxes: &Boxes,
    container: &str,
    record: &BoxRecord,
) -> Result<(RelayClient, Reach), BoxError> {
    let engine = boxes.engine().await?.engine;
    boxes.noted(engine.start(container).await).await?;
    let dirs = boxes.dirs(&record.task_id);
    container::await_relay(&engine, container, record, &dirs).await
}
