//! What becomes of a setup that failed: tried again while only the link to the box was at fault, told
//! and given up otherwise.

use paddock_boxes::BoxError;
use paddock_domain::{ErrorClass, Transition};

use super::{Runner, error, follow};
use crate::plan::BoxSeen;

/// How many failures in a row may be put down to the link.
const PASSING: u32 = 6;

/// Setting up failed.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(crate) struct SetupError {
    pub(crate) class: ErrorClass,
    pub(crate) message: String,
    /// Whether only the link to the box was at fault.
    passing: bool,
}

impl SetupError {
    pub(crate) fn new(class: ErrorClass, cause: impl std::fmt::Display) -> Self {
        Self {
            class,
            message: cause.to_string(),
            passing: false,
        }
    }
}

impl From<BoxError> for SetupError {
    fn from(error: BoxError) -> Self {
        Self {
            passing: error.is_passing(),
            ..Self::new(ErrorClass::Setup, error)
        }
    }
}

impl Runner {
    /// A setup whose link broke is tried again: what was done of it is found and finished.
    pub(super) async fn setup_failed(&mut self, failure: SetupError) {
        let setting_up = self.task().machine().apply(Transition::Failed).is_ok();
        let passing = failure.passing || follow::is_lost(self.place.as_deref());
        if setting_up && passing && self.retry.failures() < PASSING {
            self.lose_box();
            return self.try_again("setting up broke off", &failure);
        }
        if let Err(error) = self
            .write(vec![error(failure.class, failure.message)])
            .await
        {
            return self.cannot_write(&error);
        }
        if setting_up {
            // Whatever was half made is looked for and removed, branches included.
            self.seen.place = BoxSeen::Unknown;
            self.record(Transition::Failed).await;
        }
    }
}
