//! The repositories of a box: looked at on the host, checked out in the box.

use paddock_exec::Here;
use paddock_git::{GitError, Repository, Seed, SeedError, inspect, seed, submodule_seeds};

use crate::layout::Inside;
use crate::{BoxError, BoxRecord, BoxRepository, LiveBox, Step};

/// A repository of a request, looked at.
pub(crate) struct Looked {
    pub(crate) request: BoxRepository,
    pub(crate) repository: Repository,
    /// Submodules that it can have, with paths as on the host.
    submodules: paddock_git::SubmoduleSeeds,
}

impl Looked {
    /// Looks at every repository of a request.
    pub(crate) async fn all(requests: &[BoxRepository]) -> Result<Vec<Self>, BoxError> {
        let looks = requests.iter().map(Self::at);
        futures_util::future::try_join_all(looks).await
    }

    async fn at(request: &BoxRepository) -> Result<Self, BoxError> {
        let repository = match &request.inspected {
            Some(repository) => repository.clone(),
            None => inspect(&Here, &request.host_path).await?,
        };
        let plain = |dir: &str| dir.to_owned();
        let outline = Seed::of(&repository, "", &request.branch, &request.base, plain);
        let submodules = submodule_seeds(&Here, &repository, &outline, plain).await?;
        Ok(Self {
            request: request.clone(),
            repository,
            submodules,
        })
    }

    /// The directories of objects that it needs, by their real paths.
    pub(crate) fn objects(&self) -> impl Iterator<Item = String> {
        let own = self.repository.object_dirs.iter();
        own.chain(&self.submodules.object_dirs).map(|dir| real(dir))
    }

    /// What the box is to have at `dir`.
    fn seed(&self, record: &BoxRecord, dir: &str) -> Seed {
        let seen = |host: &str| Inside::objects(record, &real(host));
        let request = &self.request;
        let top = Seed::of(&self.repository, dir, &request.branch, &request.base, seen);
        let submodules = self.submodules.seeds.iter().map(|seed| Seed {
            // Its directory was told relative to an empty one.
            dir: format!("{dir}{}", seed.dir),
            alternates: seed.alternates.iter().map(|host| seen(host)).collect(),
            ..seed.clone()
        });
        Seed {
            refs: request.refs.clone(),
            files: request.files.clone(),
            submodules: submodules.collect(),
            ..top
        }
    }
}

fn real(dir: &str) -> String {
    let real = std::fs::canonicalize(dir).ok();
    real.and_then(|path| path.to_str().map(str::to_owned))
        .unwrap_or_else(|| dir.to_owned())
}

/// Checks out every repository in `live`.
pub(crate) async fn seed_all(
    live: &LiveBox,
    looked: &[Looked],
    progress: &(dyn Fn(Step) + Send + Sync),
) -> Result<(), BoxError> {
    let seeds = looked
        .iter()
        .zip(&live.repositories)
        .map(async |(looked, (host_path, dir))| {
            progress(Step::Seeding {
                repository: host_path.clone(),
            });
            let wanted = looked.seed(&live.record, dir);
            seed(live.place(), &wanted)
                .await
                .map_err(|e| refusal(live, host_path, e))
        });
    futures_util::future::try_join_all(seeds).await.map(drop)
}

fn refusal(live: &LiveBox, host_path: &str, error: SeedError) -> BoxError {
    match (error, &live.record.image) {
        (SeedError::Git(source @ (GitError::Missing | GitError::TooOld { .. })), Some(image)) => {
            BoxError::ImageWithoutGit {
                image: image.clone(),
                source,
            }
        }
        (source, _) => BoxError::Seed {
            host_path: host_path.to_owned(),
            source,
        },
    }
}
