//! From a task to the box it asks for, and from a box to what a run in it gets.

use std::collections::BTreeMap;

use paddock_boxes::{BoxError, BoxRepository, BoxRequest, HomeFile, LiveBox, ToolboxError};
use paddock_domain::{ErrorClass, Program, Task, TaskSpec};
use paddock_git::{Branch, Oid};
use paddock_harness::PlanFile;

use crate::CommandError;
use crate::rooms::Rooms;
use crate::runner::SetupError;

/// The box that `task` needs.
pub(crate) fn request(rooms: &Rooms, task: &Task) -> Result<BoxRequest, SetupError> {
    let setup = |message: String| SetupError::new(ErrorClass::Setup, message);
    let program = program(rooms, &task.spec).map_err(|error| setup(error.to_string()))?;
    let mut repositories = Vec::new();
    for view in &task.repositories {
        let branch = view
            .branch
            .as_deref()
            .and_then(|name| Branch::parse(name).ok());
        let base = view.base_commit.as_deref().and_then(Oid::parse);
        let (Some(branch), Some(base)) = (branch, base) else {
            return Err(setup(format!("{} has no branch yet", view.path)));
        };
        let host_path = view.path.clone();
        let origin = task.spec.origin.as_ref();
        let files = origin.and_then(|origin| {
            let mut files = origin.files.iter();
            let of = files.find(|files| files.repository == view.path)?;
            Oid::parse(&of.commit)
        });
        repositories.push(BoxRepository {
            host_path,
            branch,
            base,
            files,
            refs: Vec::new(),
            inspected: None,
        });
    }
    let place = &task.spec.place;
    Ok(BoxRequest {
        task_id: task.task_id.clone(),
        kind: place.kind.or(rooms.chosen().default_box),
        image: place.image.clone(),
        network: place.network.or(Some(rooms.chosen().default_network)),
        memory_mib: place.memory_mib,
        cpus: place.cpus,
        pids: place.pids,
        repositories,
        program,
    })
}

/// The agent program that `spec` asks for; it must be in the toolbox.
pub(crate) fn program(rooms: &Rooms, spec: &TaskSpec) -> Result<Program, CommandError> {
    let harness = spec.harness.as_str();
    if paddock_harness::find(harness).is_none() {
        let known: Vec<_> = paddock_harness::registry()
            .iter()
            .map(|known| known.name().to_string())
            .collect();
        let message = format!(
            "there is no harness `{harness}`; there are {}",
            known.join(", ")
        );
        return Err(CommandError::NotFound {
            what: "harness",
            message,
        });
    }
    let version = spec.harness_version.as_deref();
    let found = rooms.boxes.toolbox().find(&spec.harness, version);
    found.map_err(|error| {
        let missing = matches!(error, ToolboxError::NotInstalled { .. });
        CommandError::missing_or_failed("program", missing, error)
    })
}

/// The program and arguments of a run: through Node where the program is a script.
pub(crate) fn command(
    rooms: &Rooms,
    place: &LiveBox,
    program: &Program,
    args: Vec<String>,
) -> Result<(String, Vec<String>), SetupError> {
    Ok(match rooms.boxes.launcher(&place.record, program)? {
        (script, Some(node)) => (node, std::iter::once(script).chain(args).collect()),
        (program, None) => (program, args),
    })
}

/// Writes the files that a harness asks for into the agent's home.
pub(crate) async fn write_files(place: &LiveBox, files: Vec<PlanFile>) -> Result<(), BoxError> {
    let files = files.into_iter().map(|file| HomeFile {
        path: file.path,
        content: file.content.into_bytes(),
        mode: file.mode,
    });
    let files: Vec<_> = files.collect();
    place.write_home(&files).await
}

/// The environment of a run: what the harness asks for on top of what every box has.
pub(crate) fn environment(
    place: &LiveBox,
    plan: BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    let own = [
        ("HOME", place.home.as_str()),
        ("TMPDIR", place.tmp.as_str()),
        ("LANG", "C.UTF-8"),
        ("TERM", "dumb"),
    ];
    let mut environment: BTreeMap<_, _> = own
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    environment.extend(plan);
    environment
}
