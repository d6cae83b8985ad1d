//! How far the making of a box is.

use paddock_docker::PullProgress;

/// A step that begins, or goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// What a box of this task left behind is removed.
    ClearingRemains,
    /// The repositories are looked at.
    Inspecting,
    /// The image is fetched from its registry.
    PullingImage {
        /// The image.
        image: String,
        /// How far it is.
        progress: PullProgress,
    },
    /// The container is made and started, or the relay on the host.
    Starting,
    /// The relay is awaited.
    Connecting,
    /// A repository is checked out in the box.
    Seeding {
        /// Its path on the host.
        repository: String,
    },
}

impl std::fmt::Display for Step {
    /// One line for people.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::ClearingRemains => f.write_str("removing what an earlier try left behind"),
            Self::Inspecting => f.write_str("looking at the repositories"),
            Self::PullingImage { image, progress } => {
                write!(f, "fetching the image {image}: {}", progress.status)
            }
            Self::Starting => f.write_str("starting the box"),
            Self::Connecting => f.write_str("connecting to the relay in the box"),
            Self::Seeding { repository } => write!(f, "checking out {repository} in the box"),
        }
    }
}
