//! The harnesses there are: what they can do, what is installed, whose key is set.

use paddock_domain::{HarnessName, Program};
use paddock_harness::{Abilities, Harness, find, registry};
use serde::Serialize;

use crate::rooms::Rooms;
use crate::{CommandError, provider};

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
}

pub(crate) fn list(rooms: &Rooms) -> Vec<HarnessView> {
    registry()
        .iter()
        .map(|harness| view(rooms, *harness))
        .collect()
}

fn view(rooms: &Rooms, harness: &dyn Harness) -> HarnessView {
    let installed = rooms.boxes.toolbox().list().unwrap_or_default();
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
        provider_set: provider::names_set(rooms, harness),
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
    let local = rooms.settings.scripted_agent.as_deref();
    let toolbox = rooms.boxes.toolbox();
    toolbox
        .install(&recipe, local, &say)
        .await
        .map_err(CommandError::failed)
}
