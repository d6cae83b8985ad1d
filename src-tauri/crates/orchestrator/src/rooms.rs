//! What all runners work with. Made once at start, never changed.

use paddock_boxes::Boxes;
use paddock_exec::Here;
use paddock_store::{OpenReport, Store, StoreError};

use crate::accounts::AccountBook;
use crate::choices::Choices;
use crate::creation::Keys;
use crate::disk::DiskGauge;
use crate::rules::RuleBook;
use crate::search::Unread;
use crate::statistics::Board;
use crate::templates::TemplateBook;
use crate::vault::Secrets;
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
    /// Keys and tokens.
    pub(crate) secrets: Secrets,
    /// What boxes use.
    pub(crate) board: Board,
    /// Logins and keys by name.
    pub(crate) accounts: AccountBook,
    /// What agents may do without asking, and what not.
    pub(crate) rules: RuleBook,
    /// What is chosen, and can be changed.
    pub(crate) choices: Choices,
    /// Tasks with gaps.
    pub(crate) templates: TemplateBook,
    /// Journals that search has not read yet.
    pub(crate) unread: Unread,
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
