//! The harnesses there are: what they can do, what is installed, whose key is set.

use paddock_domain::{HarnessName, Program};
use paddock_harness::{Abilities, Harness, find, registry};
use serde::Serialize;

use crate::CommandError;
use crate::keys::{self, KeyFound};
use crate::rooms::Rooms;

/// A harness as users see it.
#[derive(Clone, Debug, Serialize)]
pub struct HarnessView {
    /// Its name.
    pub name: HarnessName,
    /// The versions its codec is tested with, newest last.
    pub versions: Vec<String>,
    /// Programs in the toolbox, newest last.
    pub installed: Vec<Program>,
    /// What it can do.
    pub abilities: Abilities,
    /// Provider variables that are set for it; names only.
    pub provider_set: Vec<String>,
    /// Where each of them comes from, and what is passed over.
    pub keys: Vec<KeyFound>,
}

pub(crate) async fn list(rooms: &Rooms) -> Vec<HarnessView> {
    let mut views = Vec::new();
    for harness in registry() {
        views.push(view(rooms, *harness).await);
    }
    views
}

async fn view(rooms: &Rooms, harness: &dyn Harness) -> HarnessView {
    let installed = rooms.boxes.toolbox().list().unwrap_or_default();
    let given = keys::given(rooms, harness).await;
    let keys = given.map(|given| given.found()).unwrap_or_default(); // `doctor` tells of a locked vault
    let set = keys.iter().filter(|key| key.used);
    HarnessView {
        name: harness.name(),
        versions: harness
            .versions()
            .iter()
            .map(|version| (*version).to_owned())
            .collect(),
        installed: installed
            .into_iter()
            .filter(|program| program.harness == harness.name())
            .collect(),
        abilities: harness.abilities(),
        provider_set: set.map(|key| key.variable.clone()).collect(),
        keys,
    }
}

pub(crate) async fn install(
    rooms: &Rooms,
    name: &HarnessName,
    version: Option<&str>,
    progress: &(dyn Fn(String) + Send + Sync),
) -> Result<Program, CommandError> {
    let harness = find(name.as_str()).ok_or_else(|| CommandError::NotFound {
        what: "harness",
        message: format!("there is no harness `{name}`"),
    })?;
    let newest = harness.versions().last().copied().unwrap_or_default();
    let recipe = harness.recipe(version.unwrap_or(newest));
    let say = |step: paddock_boxes::InstallStep| progress(step.to_string());
    let local = harness.local_program().map(std::path::Path::new);
    let local = local.or(rooms.settings.scripted_agent.as_deref());
    let toolbox = rooms.boxes.toolbox();
    toolbox
        .install(&recipe, local, &say)
        .await
        .map_err(CommandError::failed)
}
