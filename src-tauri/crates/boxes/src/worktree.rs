//! A box that is a directory of the host, its relay a background process of the user.
//!
//! Every run and command in it is confined by the relay to writing below the box's own directories.
//! Its environment is made here from nothing: no token, no agent socket and no setting of the user's
//! shell goes in by accident.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use paddock_domain::TaskId;
use paddock_relay_client::protocol::BoxId;
use paddock_relay_client::{RelayClient, RelayError};
use rustix::fs::{FlockOperation, flock};

use crate::error::text;
use crate::reach::Reach;
use crate::{BoxDirs, BoxError, BoxRecord, BoxesSettings};

/// Set for the relay and all that descends from it: whose they are.
pub(crate) const MARK: &str = "PADDOCK_BOX";

/// How long a relay may take to come up.
const RELAY_TIME: Duration = Duration::from_secs(20);

/// How long a run has to end by itself when its box is stopped.
const STOP_GRACE: Duration = Duration::from_secs(5);

/// Exit code of a relay that found another one serving the directory.
const TAKEN: i32 = 3;

/// Variables of the user that a box inherits, besides those that begin with `LC_`.
const KEPT: [&str; 14] = [
    "PATH",
    "LANG",
    "LANGUAGE",
    "TZ",
    "USER",
    "LOGNAME",
    "SHELL",
    "TERM",
    "COLORTERM",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "RUSTUP_HOME",
    "NIX_PATH",
];

/// Value of [`MARK`] in the box of `task`.
pub(crate) fn mark(task: &TaskId, data_mark: &str) -> String {
    format!("{task}@{data_mark}")
}

/// The environment of everything in a box, out of `users`, the environment of Paddock itself.
pub(crate) fn environment(
    users: impl IntoIterator<Item = (String, String)>,
    dirs: &BoxDirs,
    mark: &str,
) -> Result<BTreeMap<String, String>, BoxError> {
    let mut environment = BTreeMap::new();
    let mut users_home = None;
    for (name, value) in users {
        if name == "HOME" {
            users_home = Some(value);
        } else if KEPT.contains(&name.as_str()) || name.starts_with("LC_") {
            environment.insert(name, value);
        }
    }
    // Compilers that rustup put on the PATH look for themselves below the home.
    if let Some(rustup) = users_home.map(|home| format!("{home}/.rustup"))
        && Path::new(&rustup).is_dir()
    {
        environment
            .entry("RUSTUP_HOME".to_owned())
            .or_insert(rustup);
    }
    environment.insert("HOME".to_owned(), text(&dirs.home)?);
    environment.insert("TMPDIR".to_owned(), text(&dirs.tmp)?);
    environment.insert(MARK.to_owned(), mark.to_owned());
    Ok(environment)
}

/// Starts the relay of `record` and connects to it.
pub(crate) async fn start(
    record: &BoxRecord,
    dirs: &BoxDirs,
    settings: &BoxesSettings,
    data_mark: &str,
) -> Result<(RelayClient, Reach), BoxError> {
    let users = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let environment = environment(users, dirs, &mark(&record.task_id, data_mark))?;
    let mut command = tokio::process::Command::new(&settings.relay_binary);
    command.arg("serve").arg("--dir").arg(&dirs.relay);
    if BoxId::parse(record.task_id.as_str()).is_ok() {
        command.args(["--box", record.task_id.as_str()]);
    }
    command
        .env_clear()
        .envs(environment)
        .current_dir(&dirs.work);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    let not_started = |why: String| BoxError::RelayNotStarted { why };
    let child = command.spawn().map_err(|e| not_started(e.to_string()))?;
    let ended = tokio::time::timeout(RELAY_TIME, child.wait_with_output()).await;
    let ended = ended.map_err(|_| not_started("it took too long".to_owned()))?;
    let output = ended.map_err(|e| not_started(e.to_string()))?;
    if !output.status.success() && output.status.code() != Some(TAKEN) {
        let complaint = String::from_utf8_lossy(&output.stderr);
        return Err(not_started(complaint.trim().to_owned()));
    }
    let reach = Reach::socket(&record.task_id, &dirs.relay);
    Ok((reach.connect().await?, reach))
}

/// Whether `refusal` came because no relay is there: nobody listens, and nobody holds the lock. A relay
/// that is stopped, busy or of another build is there.
pub(crate) fn is_dead(dirs: &BoxDirs, refusal: &RelayError) -> bool {
    // One that dies as we connect breaks off before it greets.
    let silent = matches!(
        refusal,
        RelayError::NoRelay { .. } | RelayError::NotConnected { .. }
    );
    silent && !is_locked(&dirs.relay.join("lock"))
}

/// Whether somebody holds this lock.
pub(crate) fn is_locked(lock: &Path) -> bool {
    let Ok(lock) = std::fs::File::open(lock) else {
        return false;
    };
    // Let go again with the file.
    flock(&lock, FlockOperation::NonBlockingLockShared).is_err()
}

/// Ends the relay and everything that it runs, however it stands.
pub(crate) async fn stop(
    record: &BoxRecord,
    dirs: &BoxDirs,
    data_mark: &str,
) -> Result<(), BoxError> {
    if let Ok(relay) = Reach::socket(&record.task_id, &dirs.relay).connect().await
        && let Err(error) = relay.shutdown(STOP_GRACE).await
    {
        tracing::warn!(task.id = %record.task_id, %error, "the relay did not end by itself");
    }
    sweep(&mark(&record.task_id, data_mark)).await
}

/// Kills every process that carries `mark`, until there is none: a relay that was killed cannot do
/// it. A process that cleaned its own environment is not found.
pub(crate) async fn sweep(mark: &str) -> Result<(), BoxError> {
    /// On a busy machine what was killed waits for its turn to go.
    const GOING_MAX: Duration = Duration::from_secs(5);
    const PAUSE: Duration = Duration::from_millis(20);
    let wanted = format!("{MARK}={mark}");
    let began = Instant::now();
    while began.elapsed() < GOING_MAX {
        let wanted = wanted.clone();
        let killed = tokio::task::spawn_blocking(move || kill_marked(wanted.as_bytes()));
        if killed.await.map_err(|e| BoxError::broken(&e))? == 0 {
            return Ok(());
        }
        tokio::time::sleep(PAUSE).await;
    }
    tracing::warn!(mark, "processes of a box were killed and do not go");
    Ok(())
}

/// Kills the processes whose environment has the entry `wanted`; gives how many there were.
fn kill_marked(wanted: &[u8]) -> usize {
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return 0;
    };
    let pids = processes
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let marked = pids.filter(|pid: &i32| {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment
            .split(|byte| *byte == 0)
            .any(|entry| entry == wanted)
    });
    let pids: Vec<i32> = marked.collect();
    for pid in pids
        .iter()
        .filter_map(|pid| rustix::process::Pid::from_raw(*pid))
    {
        // One that has just ended is as good as killed.
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
    }
    pids.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_secret_of_the_user_goes_in() {
        let users = [
            ("PATH", "/usr/bin"),
            ("HOME", "/home/me"),
            ("LC_ALL", "C"),
            ("SSH_AUTH_SOCK", "/run/agent"),
            ("GITHUB_TOKEN", "secret"),
            ("ANTHROPIC_API_KEY", "secret"),
            ("DOCKER_HOST", "unix:///x"),
            ("XDG_RUNTIME_DIR", "/run/user/1"),
        ];
        let users = users.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let dirs = BoxDirs::of(Path::new("/d"), &TaskId::parse("t").unwrap());
        let environment = environment(users, &dirs, "t@m").unwrap();
        let lines: Vec<_> = environment
            .iter()
            .map(|(k, v)| format!("{k}={v}"))
            .collect();
        assert_eq!(
            lines.join(" "),
            "HOME=/d/boxes/t/home LC_ALL=C PADDOCK_BOX=t@m PATH=/usr/bin TMPDIR=/d/boxes/t/tmp"
        );
    }
}
