//! Images: is it there, and can it be had.

use std::time::Duration;

use bollard::models::CreateImageInfo;
use bollard::query_parameters::CreateImageOptions;
use futures_util::StreamExt;

use crate::error::{About, EngineError};
use crate::{Engine, ImageReference};

/// An image that the engine has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Its id: the digest of its configuration, `sha256:…`.
    pub id: String,
    /// Its processor in the engine's words, such as `amd64`.
    pub arch: String,
    /// Its size in bytes.
    pub size: u64,
}

/// How far a pull is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PullProgress {
    /// What is being done, in the engine's words.
    pub status: String,
    /// Bytes of the present layer that are there.
    pub done: Option<u64>,
    /// Bytes of the present layer.
    pub total: Option<u64>,
}

impl Engine {
    /// A pull that tells nothing for this long is given up.
    pub const PULL_STALL_TIME: Duration = Duration::from_secs(5 * 60);

    /// Looks for an image; none when the engine does not have it.
    ///
    /// # Errors
    /// [`EngineError`] when the engine cannot be asked.
    pub async fn image(&self, image: &ImageReference) -> Result<Option<Image>, EngineError> {
        let seen = self.client.inspect_image(image.as_str()).await;
        match seen.map_err(|e| self.fault(About::Image(image.as_str()), e)) {
            Ok(seen) => Ok(Some(Image {
                id: seen.id.unwrap_or_default(),
                arch: seen.architecture.unwrap_or_default(),
                size: seen.size.and_then(|n| n.try_into().ok()).unwrap_or(0),
            })),
            Err(EngineError::NoSuchImage { .. }) => Ok(None),
            Err(other) => Err(other),
        }
    }

    /// Pulls an image from its registry, telling `progress` how far it is. An image that can only be
    /// local ([`ImageReference::is_local`]) is not asked for anywhere.
    ///
    /// # Errors
    /// [`EngineError::NoSuchImage`] for a local one, [`EngineError::NotPulled`] with the registry's
    /// reason, [`EngineError::DiskFull`].
    pub async fn pull(
        &self,
        image: &ImageReference,
        progress: impl Fn(PullProgress),
    ) -> Result<(), EngineError> {
        if image.is_local() {
            return Err(EngineError::NoSuchImage {
                image: image.to_string(),
            });
        }
        let (name, tag) = image.split();
        let options = CreateImageOptions {
            from_image: Some(name.to_owned()),
            repo: None,
            tag: Some(tag.to_owned()),
            ..CreateImageOptions::default()
        };
        let mut steps = self.client.create_image(Some(options), None, None);
        loop {
            let next = tokio::time::timeout(Self::PULL_STALL_TIME, steps.next()).await;
            let stalled = EngineError::NotPulled {
                image: image.to_string(),
                reason: "nothing has come from its registry for minutes; try again".to_owned(),
            };
            let Some(step) = next.map_err(|_| stalled)? else {
                return Ok(());
            };
            let step = step.map_err(|e| not_pulled(image, self.fault(About::Engine, e)))?;
            progress(PullProgress::of(step));
        }
    }
}

fn not_pulled(image: &ImageReference, error: EngineError) -> EngineError {
    if error.is_unreachable() || matches!(error, EngineError::DiskFull { .. }) {
        return error;
    }
    let said = match error {
        EngineError::Failed { message, .. } | EngineError::NotAccepted { message } => message,
        ref other @ (EngineError::NotRunning { .. }
        | EngineError::Denied { .. }
        | EngineError::Broken { .. }
        | EngineError::TimedOut { .. }
        | EngineError::NoSuchImage { .. }
        | EngineError::NotPulled { .. }
        | EngineError::NoSuchContainer { .. }
        | EngineError::Conflict { .. }
        | EngineError::PortTaken { .. }
        | EngineError::DiskFull { .. }) => other.to_string(),
    };
    let lower = said.to_ascii_lowercase();
    let advice = if lower.contains("no such host") || lower.contains("dial tcp") {
        "its registry cannot be reached; see the network, or build the image here"
    } else if lower.contains("denied") || lower.contains("unauthorized") {
        "no such image, or it needs a login; pull it by hand once (`docker login`, `docker pull`)"
    } else if lower.contains("not found") || lower.contains("manifest unknown") {
        "no such image or tag; see the spelling"
    } else {
        "pull it by hand to see more"
    };
    EngineError::NotPulled {
        image: image.to_string(),
        reason: format!("{advice} ({said})"),
    }
}

impl PullProgress {
    fn of(step: CreateImageInfo) -> Self {
        let detail = step.progress_detail.unwrap_or_default();
        let bytes = |n: Option<i64>| n.and_then(|n| u64::try_from(n).ok());
        Self {
            status: step.status.unwrap_or_default(),
            done: bytes(detail.current),
            total: bytes(detail.total),
        }
    }
}
