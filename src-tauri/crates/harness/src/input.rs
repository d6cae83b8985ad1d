//! What a user says to an agent: words, and images for agents that look at them.
//!
//! The words are complete by themselves: they name every file that came with them by its path in the box.
//! So a codec whose agent takes no images says the words alone, and nothing is lost.

use std::sync::Arc;

/// A message for an agent.
#[derive(Clone, Copy, Debug, Default)]
pub struct UserInput<'a> {
    /// The words.
    pub text: &'a str,
    /// Images to be shown to the agent along with the words, in their order.
    pub images: &'a [Image],
}

/// An image that lies in the box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// One of `image/png`, `image/jpeg`, `image/gif` and `image/webp`.
    pub media_type: String,
    /// Absolute path in the box; the file is there before the message is said.
    pub path: String,
    /// Its bytes.
    pub data: Arc<[u8]>,
}

/// A message that a codec keeps until its agent can take it.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeptInput {
    text: String,
    images: Vec<Image>,
}

impl KeptInput {
    /// The message as it came.
    pub(crate) fn as_input(&self) -> UserInput<'_> {
        UserInput {
            text: &self.text,
            images: &self.images,
        }
    }
}

impl From<&UserInput<'_>> for KeptInput {
    fn from(input: &UserInput<'_>) -> Self {
        Self {
            text: input.text.to_owned(),
            images: input.images.to_vec(),
        }
    }
}

impl From<String> for KeptInput {
    fn from(text: String) -> Self {
        Self {
            text,
            images: Vec::new(),
        }
    }
}

impl<'a> UserInput<'a> {
    /// Words without images.
    #[must_use]
    pub fn words(text: &'a str) -> Self {
        Self { text, images: &[] }
    }
}
