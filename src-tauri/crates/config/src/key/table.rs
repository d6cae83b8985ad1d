//! The table of all settings: name, meaning, what is allowed, default, and how each is read and shown.

use std::fmt::Display;
use std::time::Duration;

use paddock_domain::{BoxKind, HarnessName, ModelPrice, Network, PermissionMode};

use super::Key;

const MONTH_S: u64 = 30 * 24 * 60 * 60;

const MODES: [(&str, PermissionMode); 4] = [
    ("full_auto", PermissionMode::FullAuto),
    ("accept_edits", PermissionMode::AcceptEdits),
    ("ask", PermissionMode::Ask),
    ("plan", PermissionMode::Plan),
];

fn some(value: impl Display) -> Option<String> {
    Some(value.to_string())
}

/// A list as a file has it.
fn texts(list: &[impl ToString]) -> String {
    let texts: Vec<String> = list.iter().map(ToString::to_string).collect();
    format!("{texts:?}")
}

fn days(n: u64) -> Duration {
    Duration::from_secs(n * 24 * 60 * 60)
}

fn in_days(duration: Duration) -> Option<String> {
    some(duration.as_secs() / (24 * 60 * 60))
}

fn kind_name(kind: BoxKind) -> &'static str {
    match kind {
        BoxKind::Container => "container",
        BoxKind::Worktree => "worktree",
    }
}

fn network_name(network: Network) -> &'static str {
    match network {
        Network::Bridge => "bridge",
        Network::None => "none",
    }
}

/// Every setting.
pub(super) const KEYS: &[Key] = &[
    Key {
        name: "data_dir",
        allowed: "a path",
        default: "the user's data directory, `paddock` in it",
        about: "Where journals, artifacts, the index and boxes are.",
        set: |settings, given, base| {
            settings.data_dir = given.path(base)?;
            Some(())
        },
        show: |settings| some(settings.data_dir.display()),
    },
    Key {
        name: "toolbox_dir",
        allowed: "a path",
        default: "`toolbox` in the data directory",
        about: "Where agent programs are installed, once per host.",
        set: |settings, given, base| {
            settings.toolbox_dir = given.path(base)?;
            Some(())
        },
        show: |settings| some(settings.toolbox_dir.display()),
    },
    Key {
        name: "listen",
        allowed: "an IP address and a port, such as 127.0.0.1:7230; port 0 takes a free one",
        default: "127.0.0.1:7230",
        about: "Where the server listens. Anything but loopback is reachable by others.",
        set: |settings, given, _| {
            settings.listen = given.address()?;
            Some(())
        },
        show: |settings| some(settings.listen),
    },
    Key {
        name: "log",
        allowed: "a filter such as info, debug or paddock_boxes=trace,info",
        default: "info",
        about: "What is logged.",
        set: |settings, given, _| {
            given.text()?.clone_into(&mut settings.log);
            Some(())
        },
        show: |settings| some(&settings.log),
    },
    Key {
        name: "engine.socket",
        allowed: "the path of a Unix socket, unix://PATH or tcp://HOST:PORT",
        default: "",
        about: "Where the container engine listens; looked for in the usual places when not set.",
        set: |settings, given, _| {
            let text = given.text()?;
            let known = ["/", "unix://", "tcp://", "npipe://"];
            if !known.iter().any(|start| text.starts_with(start)) {
                return None;
            }
            settings.engine.socket = Some(text.to_owned());
            Some(())
        },
        show: |settings| settings.engine.socket.clone(),
    },
    Key {
        name: "task.harness",
        allowed: "the name of an agent, such as claude",
        default: "claude",
        about: "The agent of a new task that names none.",
        set: |settings, given, _| {
            settings.task.harness = HarnessName::parse(given.text()?).ok()?.to_string();
            Some(())
        },
        show: |settings| some(&settings.task.harness),
    },
    Key {
        name: "task.model",
        allowed: "a model in the agent's words",
        default: "",
        about: "The model of a new task that names none and works with the agent of `task.harness`; the \
                agent's own default when not set.",
        set: |settings, given, _| {
            settings.task.model = Some(given.text()?.to_owned());
            Some(())
        },
        show: |settings| settings.task.model.clone(),
    },
    Key {
        name: "task.permission_mode",
        allowed: "full_auto, accept_edits, ask or plan",
        default: "full_auto",
        about: "What the agent of a new task may do without asking, where the task does not say.",
        set: |settings, given, _| {
            settings.task.permission_mode = MODES
                .into_iter()
                .find(|(name, _)| given.text() == Some(*name))
                .map(|(_, mode)| mode)?;
            Some(())
        },
        show: |settings| {
            let mode = settings.task.permission_mode;
            let named = MODES.into_iter().find(|(_, known)| *known == mode);
            named.map(|(name, _)| name.to_owned())
        },
    },
    Key {
        name: "box.default_kind",
        allowed: "container or worktree",
        default: "",
        about: "What a box is made of; a container where there is an engine when not set.",
        set: |settings, given, _| {
            let kind = [BoxKind::Container, BoxKind::Worktree]
                .into_iter()
                .find(|kind| given.text() == Some(kind_name(*kind)))?;
            settings.place.default_kind = Some(kind);
            Some(())
        },
        show: |settings| settings.place.default_kind.map(kind_name).and_then(some),
    },
    Key {
        name: "box.image",
        allowed: "the name of an image with git in it",
        default: "buildpack-deps:bookworm-scm",
        about: "The image of a container box. Nothing is built into it or copied to it.",
        set: |settings, given, _| {
            let name = given.text()?;
            if name.starts_with('-') || name.contains(char::is_whitespace) {
                return None;
            }
            name.clone_into(&mut settings.place.image);
            Some(())
        },
        show: |settings| some(&settings.place.image),
    },
    Key {
        name: "box.memory_mib",
        allowed: "64 to 4194304 (MiB)",
        default: "8192",
        about: "Most memory of a container box.",
        set: |settings, given, _| {
            settings.place.memory_mib = given.whole(64..=1 << 22)?;
            Some(())
        },
        show: |settings| some(settings.place.memory_mib),
    },
    Key {
        name: "box.cpus",
        allowed: "0.01 to 1024",
        default: "",
        about: "Most processors of a container box; all of the host's when not set.",
        set: |settings, given, _| {
            settings.place.cpus = Some(given.number(0.01..=1024.0)?);
            Some(())
        },
        show: |settings| settings.place.cpus.and_then(some),
    },
    Key {
        name: "box.pids",
        allowed: "16 to 1048576",
        default: "4096",
        about: "Most processes and threads of a container box.",
        set: |settings, given, _| {
            settings.place.pids = given.whole(16..=1 << 20)?;
            Some(())
        },
        show: |settings| some(settings.place.pids),
    },
    Key {
        name: "box.network",
        allowed: "bridge or none",
        default: "bridge",
        about: "What of the network a container box reaches: the internet, or nothing but what the \
                relay carries.",
        set: |settings, given, _| {
            settings.place.network = [Network::Bridge, Network::None]
                .into_iter()
                .find(|network| given.text() == Some(network_name(*network)))?;
            Some(())
        },
        show: |settings| some(network_name(settings.place.network)),
    },
    Key {
        name: "limits.parallel_tasks",
        allowed: "1 to 256",
        default: "8",
        about: "Tasks at work at the same time, per host; further ones wait in line. An agent that waits \
                for its user does not count.",
        set: |settings, given, _| {
            let tasks = given.whole(1..=256)?;
            settings.limits.parallel_tasks = usize::try_from(tasks).ok()?;
            Some(())
        },
        show: |settings| some(settings.limits.parallel_tasks),
    },
    Key {
        name: "limits.disk_low_mib",
        allowed: "0 to 4194304 (MiB); 0 for no such mark",
        default: "512",
        about: "Below this much free room on the disk of the data directory no new work is taken; what runs \
                goes on.",
        set: |settings, given, _| {
            settings.limits.disk_low_mib = given.whole(0..=1 << 22)?;
            Some(())
        },
        show: |settings| some(settings.limits.disk_low_mib),
    },
    Key {
        name: "limits.resume",
        allowed: "on or off",
        default: "off",
        about: "Whether a task that a usage limit holds up goes on by itself when the limit is lifted, where it does not say.",
        set: |settings, given, _| {
            settings.limits.resume = match given.text()? {
                "on" => true,
                "off" => false,
                _ => return None,
            };
            Some(())
        },
        show: |settings| some(if settings.limits.resume { "on" } else { "off" }),
    },
    Key {
        name: "limits.silent_after_s",
        allowed: "5 to 86400 (seconds)",
        default: "300",
        about: "After how long without output and without processor time an agent with a turn to do is called silent.",
        set: |settings, given, _| {
            settings.limits.silent_after = Duration::from_secs(given.whole(5..=86_400)?);
            Some(())
        },
        show: |settings| some(settings.limits.silent_after.as_secs()),
    },
    Key {
        name: "purge.window_s",
        allowed: "0 to 2592000 (seconds, 30 days)",
        default: "3600",
        about: "How long a purge can be undone with the box as it was. Snapshots in git outlast it.",
        set: |settings, given, _| {
            settings.purge.window = Duration::from_secs(given.whole(0..=MONTH_S)?);
            Some(())
        },
        show: |settings| some(settings.purge.window.as_secs()),
    },
    Key {
        name: "trash.keep_days",
        allowed: "1 to 36500 (days)",
        default: "",
        about: "How long work in the trash of a repository is kept; until you drop it when not set.",
        set: |settings, given, _| {
            let days: u64 = given.whole(1..=36_500)?;
            settings.trash.keep = Some(Duration::from_secs(days * 24 * 60 * 60));
            Some(())
        },
        show: |settings| {
            let keep = settings.trash.keep?;
            some(keep.as_secs() / (24 * 60 * 60))
        },
    },
    Key {
        name: "journal.compress_after_h",
        allowed: "0 to 876000 (hours)",
        default: "168",
        about: "How long a task has been stopped, crashed or failed when its journal is compressed. It is \
                read as before; those of purged tasks are compressed at once.",
        set: |settings, given, _| {
            settings.journal.compress_after = Duration::from_secs(given.whole(0..=876_000)? * 3600);
            Some(())
        },
        show: |settings| some(settings.journal.compress_after.as_secs() / 3600),
    },
    Key {
        name: "journal.keep_days",
        allowed: "14 to 36500 (days)",
        default: "",
        about: "How long the journal of a purged task is kept; for ever when not set. It leaves with its \
                large outputs.",
        set: |settings, given, _| {
            settings.journal.keep = Some(days(given.whole(14..=36_500)?));
            Some(())
        },
        show: |settings| settings.journal.keep.and_then(in_days),
    },
    Key {
        name: "journal.keep_artifacts_days",
        allowed: "1 to 36500 (days)",
        default: "",
        about: "How long the large outputs of a purged task are kept; as long as its journal when not set.",
        set: |settings, given, _| {
            settings.journal.keep_artifacts = Some(days(given.whole(1..=36_500)?));
            Some(())
        },
        show: |settings| settings.journal.keep_artifacts.and_then(in_days),
    },
    Key {
        name: "stop.grace_ms",
        allowed: "0 to 600000 (milliseconds, 10 minutes)",
        default: "10000",
        about: "How long an agent has to end by itself when it is stopped.",
        set: |settings, given, _| {
            settings.stop.grace = Duration::from_millis(given.whole(0..=600_000)?);
            Some(())
        },
        show: |settings| some(settings.stop.grace.as_millis()),
    },
    Key {
        name: "sessions.home",
        allowed: "a path",
        default: "",
        about: "The home directory in which agents keep the sessions that you had with them outside Paddock, to be \
                listed and gone on with. Nothing else in it is read. Your own when absent.",
        set: |settings, given, base| {
            settings.sessions.home = Some(given.path(base)?);
            Some(())
        },
        show: |settings| {
            settings
                .sessions
                .home
                .as_ref()
                .and_then(|home| some(home.display()))
        },
    },
    Key {
        name: "vault.kind",
        allowed: "auto or file",
        default: "auto",
        about: "Where secrets are kept: in the system's keychain where there is one that works and in an \
                encrypted file elsewhere, or always in the file. Decided once for a data directory.",
        set: |settings, given, _| {
            settings.vault.keychain = match given.text()? {
                "auto" => true,
                "file" => false,
                _ => return None,
            };
            Some(())
        },
        show: |settings| {
            some(if settings.vault.keychain {
                "auto"
            } else {
                "file"
            })
        },
    },
    Key {
        name: "git.remote",
        allowed: "the name of a remote",
        default: "origin",
        about: "The remote that a sync pushes to.",
        set: |settings, given, _| {
            let name = given.text()?;
            if name.starts_with('-') || name.contains(char::is_whitespace) {
                return None;
            }
            name.clone_into(&mut settings.git.remote);
            Some(())
        },
        show: |settings| some(&settings.git.remote),
    },
    Key {
        name: "scan.max_binary_bytes",
        allowed: "0 to 1099511627776 (bytes, 1 TiB)",
        default: "500000",
        about: "A push is held up by a binary file of more bytes than this.",
        set: |settings, given, _| {
            settings.scan.max_binary_bytes = given.whole(0..=1 << 40)?;
            Some(())
        },
        show: |settings| some(settings.scan.max_binary_bytes),
    },
    Key {
        name: "scan.allow",
        allowed: "a list of paths, `*` for any part of a name; in the environment with commas",
        default: "[]",
        about: "Files in which the scan before a push finds nothing.",
        set: |settings, given, _| {
            settings.scan.allow = given.list()?;
            Some(())
        },
        show: |settings| some(texts(&settings.scan.allow)),
    },
    Key {
        name: "costs.prices",
        allowed: "a list of at most 100 MODEL=INPUT/CACHED/OUTPUT in dollars for a million tokens; in the environment with commas",
        default: "[]",
        about: "Prices of your own for agents that tell tokens and no cost; they come before the list prices.",
        set: |settings, given, _| {
            settings.costs.prices = ModelPrice::parse_all(&given.list()?)?;
            Some(())
        },
        show: |settings| some(texts(&settings.costs.prices)),
    },
];
