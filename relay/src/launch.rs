//! Turns a [`Launch`] into a command, after making sure that its program can be found.

use std::env;
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use paddock_relay_protocol::{Confine, Ending, Launch, RUN_MARKER, Refusal, RefusalCode, RunId};

/// Marks the processes of a command that a client runs.
pub(crate) const EXEC_MARKER: &str = "PADDOCK_EXEC";

/// Why a program was not started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NotStarted {
    pub(crate) message: String,
    pub(crate) errno: Option<i32>,
}

impl NotStarted {
    const ENOENT: i32 = 2;
    const EACCES: i32 = 13;

    /// What the system said when it was to start `program`.
    pub(crate) fn from_io(program: &str, error: &std::io::Error) -> Self {
        let message = format!("`{program}` cannot be executed: {error}");
        Self {
            message,
            errno: error.raw_os_error(),
        }
    }
}

impl From<NotStarted> for Ending {
    fn from(NotStarted { message, errno }: NotStarted) -> Self {
        Self::NotStarted { message, errno }
    }
}

impl From<NotStarted> for Refusal {
    fn from(NotStarted { message, errno }: NotStarted) -> Self {
        let code = match errno {
            Some(NotStarted::ENOENT) => RefusalCode::NotFound,
            Some(_) | None => RefusalCode::CannotExecute,
        };
        Self::new(code, message)
    }
}

/// The command of `launch`, in a process group of its own. `marker` tells its processes from others.
pub(crate) fn command(launch: &Launch, marker: &Marker) -> Result<Command, NotStarted> {
    if let Some(dir) = launch.cwd.as_ref().filter(|dir| !Path::new(dir).is_dir()) {
        let message = format!("the working directory {dir} is not there");
        return Err(NotStarted {
            message,
            errno: None,
        });
    }
    let program = find(launch)?;
    let mut command = match &launch.confine {
        None => Command::new(&program),
        Some(confine) => confined(confine, &program)?,
    };
    command.args(&launch.args);
    if launch.clear_env {
        command.env_clear();
    }
    // The relay itself may serve inside a run of another Paddock.
    command
        .env_remove(RUN_MARKER)
        .envs(&launch.env)
        .env(marker.name, &marker.value);
    if let Some(dir) = &launch.cwd {
        command.current_dir(dir);
    }
    Ok(command)
}

/// An environment variable by which processes are found whoever their parent is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Marker {
    name: &'static str,
    value: String,
}

impl Marker {
    /// Marks the processes of a run. The path of its log keeps it apart from runs of the same id that
    /// other relays on this machine may have.
    pub(crate) fn run(id: &RunId, log: &Path) -> Self {
        Self {
            name: RUN_MARKER,
            value: format!("{id}@{}", log.display()),
        }
    }

    /// The run that the value of a run's marker names.
    pub(crate) fn run_in(value: &str) -> Option<RunId> {
        RunId::parse(value.split_once('@')?.0).ok()
    }

    /// Marks the processes of a command that a client runs.
    pub(crate) fn exec(number: u64) -> Self {
        let value = format!("{}-{number}", std::process::id());
        Self {
            name: EXEC_MARKER,
            value,
        }
    }

    /// As it stands in an environment.
    pub(crate) fn entry(&self) -> String {
        format!("{}={}", self.name, self.value)
    }
}

fn confined(confine: &Confine, program: &Path) -> Result<Command, NotStarted> {
    let itself =
        env::current_exe().map_err(|e| NotStarted::from_io("paddock-relay confine", &e))?;
    let mut command = Command::new(itself);
    command.arg("confine");
    for path in &confine.write {
        command.args(["--rw", path]);
    }
    for path in confine.read.iter().flatten() {
        command.args(["--ro", path]);
    }
    command.arg("--").arg(program);
    Ok(command)
}

/// Looks the program up as the system would, but says where it looked.
fn find(launch: &Launch) -> Result<PathBuf, NotStarted> {
    let program = &launch.program;
    if program.contains('/') {
        let path = match &launch.cwd {
            Some(dir) if !program.starts_with('/') => Path::new(dir).join(program),
            Some(_) | None => PathBuf::from(program),
        };
        return check(program, path);
    }
    let path = search_path(launch);
    let mut forbidden = None;
    for dir in env::split_paths(&path) {
        match check(program, dir.join(program)) {
            Ok(found) => return Ok(found),
            Err(error) if error.errno == Some(NotStarted::EACCES) => forbidden = Some(error),
            Err(_) => {}
        }
    }
    Err(forbidden.unwrap_or_else(|| NotStarted {
        message: format!(
            "`{program}` was not found in PATH ({}): install it in the box, or give its full path",
            path.display()
        ),
        errno: Some(NotStarted::ENOENT),
    }))
}

fn search_path(launch: &Launch) -> OsString {
    const DEFAULT: &str = "/usr/local/bin:/usr/bin:/bin";
    if let Some(path) = launch.env.get("PATH") {
        return path.into();
    }
    env::var_os("PATH")
        .filter(|_| !launch.clear_env)
        .unwrap_or_else(|| DEFAULT.into())
}

fn check(program: &str, path: PathBuf) -> Result<PathBuf, NotStarted> {
    let not_executable = |what: &str| NotStarted {
        message: format!("`{program}` cannot be executed: {} {what}", path.display()),
        errno: Some(NotStarted::EACCES),
    };
    match path.metadata() {
        Ok(meta) if meta.is_dir() => Err(not_executable("is a directory")),
        Ok(meta) if meta.permissions().mode() & 0o111 == 0 => {
            Err(not_executable("is not marked executable (chmod +x it)"))
        }
        Ok(_) => Ok(path),
        Err(error) => {
            let message = format!("`{program}` was not found: {}: {error}", path.display());
            Err(NotStarted {
                message,
                errno: error.raw_os_error(),
            })
        }
    }
}
