//! The table of all settings: name, meaning, what is allowed, default, and how it is read and shown.

use std::fmt::Display;
use std::time::Duration;

use paddock_domain::{BoxKind, Network};

use crate::given::{Base, Given};
use crate::{Origin, Providers, Secret, Settings};

/// One setting, for documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Documented {
    /// Its name in the file: table and key.
    pub key: &'static str,
    /// Its name in the environment.
    pub variable: String,
    /// What can be given.
    pub allowed: &'static str,
    /// What holds when nobody chooses; empty when that is nothing.
    pub default: &'static str,
    /// What it means.
    pub about: &'static str,
}

/// One setting as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Its name.
    pub key: String,
    /// Its value; none when it is not chosen and has no default. Secrets are not shown.
    pub value: Option<String>,
    /// Who chose it.
    pub origin: Origin,
}

/// A setting and how it is read.
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) allowed: &'static str,
    default: &'static str,
    about: &'static str,
    /// Takes a value; nothing when it is not allowed.
    pub(crate) set: fn(&mut Settings, &Given, Base<'_>) -> Option<()>,
    show: fn(&Settings) -> Option<String>,
}

fn some(value: impl Display) -> Option<String> {
    Some(value.to_string())
}

const MONTH_S: u64 = 30 * 24 * 60 * 60;

const KEYS: &[Key] = &[
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
        show: |settings| some(format!("{:?}", settings.scan.allow)),
    },
];

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

impl Key {
    /// The setting called `name`.
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        KEYS.iter().find(|key| key.name == name)
    }

    /// The setting whose environment variable is `variable`.
    pub(crate) fn of_variable(variable: &str) -> Option<&'static Self> {
        KEYS.iter().find(|key| key.variable() == variable)
    }

    /// The names of all settings.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        KEYS.iter().map(|key| key.name)
    }

    /// The environment variable that sets it.
    pub(crate) fn variable(&self) -> String {
        let name = self.name.replace('.', "_").to_ascii_uppercase();
        format!("{}{name}", Self::PREFIX)
    }

    /// What environment variables of settings begin with.
    pub(crate) const PREFIX: &'static str = "PADDOCK_";
}

pub(crate) fn documented() -> impl Iterator<Item = Documented> {
    let providers = Documented {
        key: Providers::SHAPE,
        variable: "PADDOCK_PROVIDER_<HARNESS>_<VARIABLE>".to_owned(),
        allowed: Providers::ALLOWED,
        default: "",
        about: "An environment variable for an agent program, such as a key or a base URL. It comes \
                before one of the same name in the server's environment, and is never shown.",
    };
    let keys = KEYS.iter().map(|key| Documented {
        key: key.name,
        variable: key.variable(),
        allowed: key.allowed,
        default: key.default,
        about: key.about,
    });
    keys.chain([providers])
}

pub(crate) fn shown(settings: &Settings) -> Vec<Shown> {
    let shown = |key: &str, value: Option<String>| Shown {
        key: key.to_owned(),
        value,
        origin: settings
            .origins
            .get(key)
            .cloned()
            .unwrap_or(Origin::Default),
    };
    let keys = KEYS.iter().map(|key| shown(key.name, (key.show)(settings)));
    let secrets = settings.provider.keys();
    let secrets = secrets.map(|key| shown(&key, Some(Secret::SHOWN.to_owned())));
    keys.chain(secrets).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn the_default_that_is_documented_is_the_default_that_holds() {
        let settings = Settings::defaults(Path::new("/data"));
        for key in KEYS.iter().filter(|key| !key.name.ends_with("_dir")) {
            let shown = (key.show)(&settings).unwrap_or_default();
            assert_eq!(shown, key.default, "{}", key.name);
        }
    }

    #[test]
    fn what_is_shown_can_be_given_again() {
        let defaults = Settings::defaults(Path::new("/data"));
        let base = Base {
            dir: Path::new("/"),
            home: Path::new("/home/u"),
        };
        for key in KEYS.iter().filter(|key| key.name != "scan.allow") {
            let Some(text) = (key.show)(&defaults) else {
                continue;
            };
            let mut settings = defaults.clone();
            assert_eq!(
                (key.set)(&mut settings, &Given::Word(text), base),
                Some(()),
                "{}",
                key.name
            );
            assert_eq!(settings, defaults, "{}", key.name);
        }
    }

    #[test]
    fn no_two_settings_share_a_variable() {
        let mut variables: Vec<String> = KEYS.iter().map(Key::variable).collect();
        variables.sort();
        variables.dedup();
        assert_eq!(variables.len(), KEYS.len());
    }
}
