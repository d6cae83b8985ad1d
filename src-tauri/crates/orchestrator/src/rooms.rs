//! What all runners work with. Made once at start, never changed.

use paddock_boxes::Boxes;
use paddock_exec::Here;
use paddock_store::{OpenReport, Store, StoreError};

use crate::creation::Keys;
use crate::disk::DiskGauge;
use crate::{CommandError, OrchestratorSettings};

/// The rooms below, and how this Paddock is set.
pub(crate) struct Rooms {
    pub(crate) settings: OrchestratorSettings,
    pub(crate) store: Store,
    /// How the journals were found at start.
    pub(crate) found: OpenReport,
    pub(crate) boxes: Boxes,
    /// Where host-side git runs.
    pub(crate) host: Here,
    /// The disk that holds the journals.
    pub(crate) disk: DiskGauge,
    /// Requests for tasks that are under way.
    pub(crate) keys: Keys,
}

impl Rooms {
    /// What a door is told when a line could not be written; a full disk is taken note of.
    pub(crate) fn not_written(&self, error: &StoreError) -> CommandError {
        if !error.is_full() {
            return CommandError::failed(error);
        }
        self.disk.refused();
        match self.disk.admit() {
            Err(full) => full,
            Ok(()) => CommandError::failed(error),
        }
    }
}
