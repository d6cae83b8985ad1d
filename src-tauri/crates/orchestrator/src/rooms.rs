//! What all runners work with. Made once at start, never changed.

use paddock_boxes::Boxes;
use paddock_exec::Here;
use paddock_store::Store;

use crate::OrchestratorSettings;

/// The rooms below, and how this Paddock is set.
pub(crate) struct Rooms {
    pub(crate) settings: OrchestratorSettings,
    pub(crate) store: Store,
    pub(crate) boxes: Boxes,
    /// Where host-side git runs.
    pub(crate) host: Here,
}
