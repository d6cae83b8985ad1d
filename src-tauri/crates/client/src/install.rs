//! How an installation goes.

use paddock_api::{InstallFailed, InstallProgress, names};
use paddock_domain::Program;
use reqwest::Response;

use crate::ClientError;
use crate::sse::SseParser;

/// What comes out of an installation.
#[derive(Clone, Debug)]
pub enum InstallItem {
    /// It goes on.
    Progress(InstallProgress),
    /// It is done.
    Done(Box<Program>),
}

/// The course of one installation. Dropping it does not stop the installation.
#[derive(Debug)]
pub struct InstallFeed {
    url: String,
    response: Response,
    parser: SseParser,
}

impl InstallFeed {
    pub(crate) fn new(url: String, response: Response) -> Self {
        Self {
            url,
            response,
            parser: SseParser::default(),
        }
    }

    /// What comes next; nothing follows [`InstallItem::Done`].
    ///
    /// # Errors
    /// [`ClientError`] when the installation failed or the connection was lost.
    pub async fn next(&mut self) -> Result<InstallItem, ClientError> {
        loop {
            let unreadable = |error| ClientError::unreadable(&self.url, error);
            while let Some(event) = self.parser.next_event() {
                match event.name.as_str() {
                    names::PROGRESS => {
                        let progress = serde_json::from_str(&event.data).map_err(unreadable)?;
                        return Ok(InstallItem::Progress(progress));
                    }
                    names::DONE => {
                        let program = serde_json::from_str(&event.data).map_err(unreadable)?;
                        return Ok(InstallItem::Done(program));
                    }
                    names::FAILED => {
                        let failed: InstallFailed =
                            serde_json::from_str(&event.data).map_err(unreadable)?;
                        let status = failed.error.code.status();
                        return Err(ClientError::Refused {
                            status,
                            detail: Box::new(failed.error),
                        });
                    }
                    _ => {}
                }
            }
            let chunk = self.response.chunk().await;
            let chunk = chunk.map_err(|error| ClientError::unreachable(&self.url, &error))?;
            let Some(chunk) = chunk else {
                return Err(ClientError::Unreachable {
                    url: self.url.clone(),
                    cause: "the connection was lost; the installation may go on all the same"
                        .into(),
                });
            };
            if self.parser.feed(&chunk).is_err() {
                return Err(ClientError::unreadable(&self.url, "an event is too long"));
            }
        }
    }
}
