//! What is chosen, while Paddock runs: the settings as one document that can be changed.
//!
//! What is set here stands in `<data>/settings.json`, between the file that the user writes and the
//! environment. A change is checked field by field and as a whole before it is written; what can be taken up
//! at once is, and of the rest it is said that it waits for the next start.
//!
//! Start at [`Orchestrator::change_settings`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use paddock_config::{Origin, Refusals, Saved, Settings};
use paddock_domain::HostName;
use tokio::sync::watch;

use crate::kept::{Kept, KeptError};
use crate::rooms::Rooms;
use crate::{CommandError, Orchestrator, OrchestratorSettings};

/// Settings that are taken up at once.
const LIVE: &[&str] = &[
    "task.harness",
    "task.model",
    "task.permission_mode",
    "box.default_kind",
    "box.network",
    "limits.parallel_tasks",
    "limits.resume",
    "purge.window_s",
    "trash.keep_days",
    "journal.compress_after_h",
    "journal.keep_days",
    "journal.keep_artifacts_days",
    "stop.grace_ms",
    "git.remote",
    "scan.max_binary_bytes",
    "scan.allow",
];

/// The settings, kept and in force.
pub(crate) struct Choices {
    book: Kept<Saved>,
    /// As they were when Paddock started.
    began: Settings,
    now: watch::Sender<Arc<Chosen>>,
}

/// The settings as they are.
struct Chosen {
    settings: Settings,
    in_force: Arc<OrchestratorSettings>,
}

/// One setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its name.
    pub key: String,
    /// Its value; none when it is not chosen and has no default. Secrets are not shown.
    pub value: Option<String>,
    /// Who chose it.
    pub origin: Origin,
    /// What was set here, whether it holds or the environment or a flag goes before it.
    pub saved: Option<String>,
    /// What can be given.
    pub allowed: &'static str,
    /// What holds when nobody chooses; empty when that is nothing.
    pub default: &'static str,
    /// What it means.
    pub about: &'static str,
    /// Whether a change is taken up at once; otherwise at the next start.
    pub live: bool,
    /// Whether its value waits for the next start.
    pub waits: bool,
}

/// A change of the settings is refused.
#[derive(Debug, thiserror::Error)]
pub enum SettingsRefused {
    /// Values are not taken.
    #[error("some settings are not taken, and nothing was changed")]
    Fields {
        /// Why, by key; under the empty one what is wrong with none in particular.
        fields: Refusals,
    },
    /// Somebody else changed them.
    #[error("the settings were changed meanwhile (revision {now}): look at them and try again")]
    Changed {
        /// The revision that holds.
        now: u64,
    },
    /// It could not be done.
    #[error(transparent)]
    Failed(#[from] CommandError),
}

/// What is to change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SettingsChange {
    /// The revision that it is meant for; any when absent.
    pub revision: Option<u64>,
    /// New values, as they are typed.
    pub set: BTreeMap<String, String>,
    /// What is no longer set here.
    pub unset: BTreeSet<String>,
}

impl Choices {
    pub(crate) fn open(settings: &OrchestratorSettings) -> Result<Self, KeptError> {
        let chosen = Chosen {
            settings: settings.configured.clone(),
            in_force: Arc::new(settings.clone()),
        };
        Ok(Self {
            book: Kept::open(Saved::file(&settings.data_dir))?,
            began: settings.configured.clone(),
            now: watch::Sender::new(Arc::new(chosen)),
        })
    }

    /// What holds now.
    pub(crate) fn in_force(&self) -> Arc<OrchestratorSettings> {
        self.now.borrow().in_force.clone()
    }

    /// How many tasks work at once on hosts of their own limit.
    pub(crate) fn host_limits(&self) -> Vec<(HostName, usize)> {
        let limit = |(name, limit): (&String, &u64)| {
            Some((HostName::parse(name).ok()?, usize::try_from(*limit).ok()?))
        };
        self.book
            .now()
            .parallel_tasks
            .iter()
            .filter_map(limit)
            .collect()
    }

    /// Keeps the limit of a host.
    pub(crate) async fn keep_host_limit(
        &self,
        host: &HostName,
        limit: usize,
    ) -> Result<(), CommandError> {
        let kept = self.book.change(|saved| {
            saved.parallel_tasks.insert(host.to_string(), limit as u64);
            Ok(())
        });
        kept.await
    }

    async fn change(&self, change: SettingsChange) -> Result<(), SettingsRefused> {
        let mut refused = None;
        let changed = self.book.change(|saved| {
            if change
                .revision
                .is_some_and(|revision| revision != saved.revision)
            {
                refused = Some(SettingsRefused::Changed {
                    now: saved.revision,
                });
                return Err(CommandError::bad("the settings were changed meanwhile"));
            }
            saved.values.retain(|key, _| !change.unset.contains(key));
            saved.values.extend(change.set.clone());
            saved.revision += 1;
            match self.began.with_saved(saved) {
                Ok(settings) => Ok(settings),
                Err(fields) => {
                    refused = Some(SettingsRefused::Fields { fields });
                    Err(CommandError::bad("a setting is not taken"))
                }
            }
        });
        let settings = match (changed.await, refused) {
            (Ok(settings), _) => settings,
            (Err(_), Some(refused)) => return Err(refused),
            (Err(error), None) => return Err(error.into()),
        };
        let in_force = Arc::new(self.in_force().taking_up(&settings));
        self.now
            .send_replace(Arc::new(Chosen { settings, in_force }));
        Ok(())
    }

    fn view(&self) -> (u64, Vec<Choice>) {
        let saved = self.book.now();
        let chosen = self.now.borrow().clone();
        let began: BTreeMap<_, _> = self
            .began
            .shown()
            .into_iter()
            .map(|shown| (shown.key, shown.value))
            .collect();
        let documented: BTreeMap<_, _> = Settings::documented()
            .map(|known| (known.key, known))
            .collect();
        let choice = |shown: paddock_config::Shown| {
            let known = documented.get(shown.key.as_str());
            let live = LIVE.contains(&shown.key.as_str());
            Choice {
                saved: saved.values.get(&shown.key).cloned(),
                allowed: known.map_or("", |known| known.allowed),
                default: known.map_or("", |known| known.default),
                about: known.map_or("", |known| known.about),
                live,
                waits: !live && began.get(&shown.key) != Some(&shown.value),
                key: shown.key,
                value: shown.value,
                origin: shown.origin,
            }
        };
        (
            saved.revision,
            chosen.settings.shown().into_iter().map(choice).collect(),
        )
    }
}

impl Rooms {
    /// What is chosen now.
    pub(crate) fn chosen(&self) -> Arc<OrchestratorSettings> {
        self.choices.in_force()
    }
}

impl Orchestrator {
    /// The revision of the settings, and every one of them.
    #[must_use]
    pub fn settings(&self) -> (u64, Vec<Choice>) {
        self.rooms.choices.view()
    }

    /// Changes settings, all that `change` names or none.
    ///
    /// # Errors
    /// [`SettingsRefused`].
    pub async fn change_settings(&self, change: SettingsChange) -> Result<(), SettingsRefused> {
        let before = self.rooms.chosen().parallel_tasks;
        self.rooms.choices.change(change).await?;
        let now = self.rooms.chosen().parallel_tasks;
        let local = HostName::local();
        let has_own = self
            .rooms
            .choices
            .host_limits()
            .iter()
            .any(|(host, _)| *host == local);
        if now != before && !has_own {
            self.apply_parallel_tasks(local, now).await?;
        }
        Ok(())
    }
}

/// Takes up the limits that were kept for hosts.
pub(crate) async fn restore_limits(orchestrator: Orchestrator) {
    for (host, limit) in orchestrator.rooms.choices.host_limits() {
        let _ = orchestrator.apply_parallel_tasks(host, limit).await; // Paddock ends
    }
}
