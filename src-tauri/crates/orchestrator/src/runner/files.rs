//! Files that users send with their words: into the box, named in the text, shown where the agent looks at
//! images.
//!
//! Every file lies in the box, below the agent's home and outside the repositories, before the words that
//! name it are said; so what the agent hears is the same whether it is said at once, after a crash, or to
//! another agent later. An image is shown besides only to an agent that takes images.
//!
//! Start at [`spoken`].

use std::fmt::Write as _;
use std::sync::Arc;

use paddock_boxes::{BoxError, HomeFile, LiveBox};
use paddock_domain::{Attachment, Body, NoticeLevel, TaskId};
use paddock_harness::{Image, UserInput};
use paddock_store::{Store, StoreError};

use super::Runner;
use crate::{CommandError, ids};

/// A user's words as the agent is to hear them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spoken {
    pub(crate) text: String,
    pub(crate) images: Vec<Image>,
}

impl Spoken {
    pub(crate) fn words(text: String) -> Self {
        let images = Vec::new();
        Self { text, images }
    }

    pub(crate) fn as_input(&self) -> UserInput<'_> {
        UserInput {
            text: &self.text,
            images: &self.images,
        }
    }
}

/// Files could not be put into the box now.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FilesError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Box(#[from] BoxError),
}

/// Puts `files` into `place` and gives `text` with their names; images among them as such when `shows`.
pub(crate) async fn spoken(
    store: &Store,
    task: &TaskId,
    place: &LiveBox,
    shows: bool,
    text: String,
    files: &[Attachment],
) -> Result<Spoken, FilesError> {
    let mut spoken = Spoken::words(text);
    if files.is_empty() {
        return Ok(spoken);
    }
    let (mut placed, mut shown) = (Vec::new(), 0_u64);
    let mut list = String::from("\n\nFiles that came with this message:");
    for file in files {
        let content = match store.artifact(task, &file.sha256).await {
            Ok(content) => content,
            Err(StoreError::NoSuchArtifact { .. }) => {
                // Writing into a string cannot fail.
                let _ = write!(list, "\n- {} (not kept any more)", file.name);
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        let path = format!("{}/{}", place.home, file.path_in_home());
        let _ = write!(
            list,
            "\n- {path} ({}, {} bytes)",
            file.media_type, file.size
        );
        if shows && is_shown(file, &mut shown) {
            spoken.images.push(Image {
                media_type: file.media_type.clone(),
                path,
                data: Arc::from(content.as_ref()),
            });
        }
        placed.push(HomeFile {
            path: file.path_in_home(),
            content: content.to_vec(),
            mode: 0o644,
        });
    }
    place.write_home(&placed).await?;
    spoken.text.push_str(&list);
    Ok(spoken)
}

/// Whether an image is small enough to be shown beside those before it.
fn is_shown(file: &Attachment, shown: &mut u64) -> bool {
    let fits = file.size <= Attachment::SHOWN_MAX
        && shown.saturating_add(file.size) <= Attachment::SHOWN_TOTAL_MAX;
    let shows = file.is_image() && fits;
    *shown += if shows { file.size } else { 0 };
    shows
}

/// What a user is told of images that the agent will not see as such.
fn unseen(harness: &str, shows: bool, files: &[Attachment]) -> Option<Body> {
    let mut shown = 0;
    let images = files.iter().filter(|file| file.is_image());
    let hidden: Vec<_> = images
        .filter(|file| !(shows && is_shown(file, &mut shown)))
        .map(|file| file.name.as_str())
        .collect();
    if hidden.is_empty() {
        return None;
    }
    let why = if shows {
        "too large to be shown".to_owned()
    } else {
        format!("{harness} is not shown images")
    };
    let text = format!(
        "{}: {why}; the agent finds it as a file of its box, which the message names",
        hidden.join(", ")
    );
    Some(Body::Notice {
        level: NoticeLevel::Info,
        phase: None,
        text,
    })
}

impl Runner {
    /// Whether the task's agent takes images.
    fn shows_images(&self) -> bool {
        let harness = paddock_harness::find(self.task().spec.harness.as_str());
        harness.is_some_and(|harness| harness.abilities().images)
    }

    /// Holds the files of a message against what was uploaded, and makes them the task's own.
    pub(super) async fn take_files(&mut self, files: &[Attachment]) -> Result<(), CommandError> {
        if files.is_empty() {
            return Ok(());
        }
        let (rooms, id) = (self.rooms.clone(), self.task().task_id.clone());
        crate::attachments::check(&rooms.store, Some(&id), files).await?;
        let kept = self.keep_files(files).await;
        kept.map_err(|error| rooms.not_written(&error))
    }

    /// Makes uploads the task's own; what it has already is left as it is.
    pub(super) async fn keep_files(&mut self, files: &[Attachment]) -> Result<(), StoreError> {
        let (store, id) = (self.rooms.store.clone(), self.task().task_id.clone());
        for file in files {
            store.take_upload(&id, &file.sha256).await?;
        }
        Ok(())
    }

    /// What is told along with a message of `files`.
    pub(super) fn told_of_files(&self, files: &[Attachment]) -> Option<Body> {
        unseen(
            self.task().spec.harness.as_str(),
            self.shows_images(),
            files,
        )
    }

    /// A message as the agent hears it, its files in the box. Without a box that answers there is nothing:
    /// joined again, the run hears all that the journal has for it.
    pub(super) async fn spoken(&mut self, text: String, files: &[Attachment]) -> Option<Spoken> {
        let place = self.place.clone()?;
        let shows = self.shows_images();
        let (store, id) = (self.rooms.store.clone(), self.task().task_id.clone());
        match spoken(&store, &id, &place, shows, text, files).await {
            Ok(spoken) => Some(spoken),
            Err(error) => {
                self.try_again("files cannot be put into the box", &error);
                self.lose_box();
                None
            }
        }
    }
}

/// An event of our own that is written beside another.
pub(super) fn beside(body: Body) -> paddock_store::Draft {
    paddock_store::Draft {
        event_id: ids::new_event(),
        ts: ids::now(),
        run_id: None,
        turn_id: None,
        source: None,
        body,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(name: &str, size: u64) -> Attachment {
        Attachment {
            sha256: "a".repeat(64),
            name: name.to_owned(),
            media_type: "image/png".to_owned(),
            size,
        }
    }

    #[test]
    fn images_that_are_not_shown_are_told_by_name() {
        let files = [image("a.png", 1), image("b.png", Attachment::SHOWN_MAX + 1)];
        let told = |shows| match unseen("pi", shows, &files) {
            Some(Body::Notice { text, .. }) => text,
            other => panic!("{other:?}"),
        };
        assert!(told(false).starts_with("a.png, b.png: pi is not shown images"));
        assert!(told(true).starts_with("b.png: too large"));
        assert!(unseen("claude", true, &files[..1]).is_none());
    }

    #[test]
    fn only_so_many_images_are_shown_at_once() {
        let mut shown = 0;
        let large = image("a.png", Attachment::SHOWN_MAX);
        let taken = (0..4).filter(|_| is_shown(&large, &mut shown)).count();
        assert_eq!(taken, 2);
    }
}
