//! What boxes need on this machine, and how to get what is missing.

use std::path::Path;
use std::time::Duration;

use paddock_docker::ImageReference;
use paddock_exec::{Command, Here, Limits, Place};

use crate::Boxes;

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What, in a word or two.
    pub name: &'static str,
    /// Whether it is as it should be.
    pub ok: bool,
    /// What was found.
    pub detail: String,
    /// How to get what is missing.
    pub remedy: Option<String>,
}

/// Less free space than this is told, in bytes.
const SPACE_NEEDED: u64 = 5 << 30;

/// Longest wait for a program that says what it is.
const LIMITS: Limits = Limits {
    stdout: 64 << 10,
    time: Duration::from_secs(20),
};

impl Boxes {
    /// Looks at everything that boxes need. Nothing is changed.
    pub async fn doctor(&self) -> Vec<Check> {
        let (engine, git, relay, landlock) = tokio::join!(
            self.check_engine(),
            check_git(),
            self.check_relay(),
            self.check_landlock()
        );
        let mut checks = engine;
        checks.extend([git, relay, landlock, check_user_namespaces()]);
        checks.extend([self.check_toolbox(), self.check_space()]);
        checks
    }

    async fn check_engine(&self) -> Vec<Check> {
        let linked = match self.engine().await {
            Ok(linked) => linked,
            Err(error) => {
                let remedy = "install and start Docker or Podman, or use worktree boxes";
                return vec![missing("container engine", error.to_string(), remedy)];
            }
        };
        let info = &linked.info;
        let product = if info.podman { "Podman" } else { "Docker" };
        let mode = if info.rootless { ", rootless" } else { "" };
        let detail = format!(
            "{product} {} at {}{mode}",
            info.version,
            linked.engine.name()
        );
        let mut checks = vec![found("container engine", detail)];
        if !info.seccomp {
            let detail = "the engine gives containers no seccomp profile".to_owned();
            checks.push(missing(
                "seccomp",
                detail,
                "use an engine built with seccomp",
            ));
        }
        checks.push(self.check_image(&linked.engine).await);
        checks
    }

    async fn check_image(&self, engine: &paddock_docker::Engine) -> Check {
        const NAME: &str = "default image";
        let name = &self.inner.settings.defaults.image;
        let image = match ImageReference::parse(name) {
            Ok(image) => image,
            Err(bad) => return missing(NAME, bad.to_string(), "set another default image"),
        };
        match engine.image(&image).await {
            Ok(Some(seen)) => found(
                NAME,
                format!("{image} ({}, {} MB)", seen.arch, seen.size / 1_000_000),
            ),
            Ok(None) if image.is_local() => missing(
                NAME,
                format!("{image} is not there"),
                "build it, or set another default image",
            ),
            Ok(None) => found(
                NAME,
                format!("{image} is not there yet: it is pulled with the first task"),
            ),
            Err(error) => missing(NAME, error.to_string(), "see the engine's log"),
        }
    }

    async fn check_relay(&self) -> Check {
        const NAME: &str = "relay binary";
        let path = self.inner.settings.relay_binary.display().to_string();
        let asked = Here
            .check(&Command::new(&path).arg("version"), LIMITS)
            .await;
        match asked {
            Ok(output) => found(NAME, format!("{} at {path}", output.text().trim())),
            Err(error) => missing(
                NAME,
                error.to_string(),
                "build it with `cargo xtask relay`, or set where it is",
            ),
        }
    }

    /// The relay itself says how far the kernel can confine what it runs.
    async fn check_landlock(&self) -> Check {
        const NAME: &str = "landlock";
        let relay = self.inner.settings.relay_binary.display().to_string();
        let tried = Command::new(relay).args(["confine", "--rw", "/dev/null", "--", "true"]);
        let remedy = "worktree boxes are not confined here: use Linux 5.13 or newer with Landlock switched on (`lsm=landlock,…`), or containers";
        match Here.check(&tried, LIMITS).await {
            Ok(output) if output.stderr.is_empty() => {
                found(NAME, "worktree boxes are confined in full".to_owned())
            }
            Ok(output) if output.error_text().contains("only a part") => found(
                NAME,
                "worktree boxes are confined, as far as this kernel can".to_owned(),
            ),
            Ok(output) => missing(NAME, output.error_text(), remedy),
            Err(error) => missing(NAME, error.to_string(), remedy),
        }
    }

    fn check_toolbox(&self) -> Check {
        const NAME: &str = "agent programs";
        let remedy = "install one with `paddock harness install claude` or `codex`";
        match self.toolbox().list() {
            Ok(programs) if programs.is_empty() => {
                missing(NAME, "the toolbox is empty".to_owned(), remedy)
            }
            Ok(programs) => {
                let names = programs
                    .iter()
                    .map(|p| format!("{} {}", p.harness, p.version));
                found(NAME, names.collect::<Vec<_>>().join(", "))
            }
            Err(error) => missing(NAME, error.to_string(), remedy),
        }
    }

    fn check_space(&self) -> Check {
        const NAME: &str = "disk space";
        let data = &self.inner.settings.data_dir;
        let there = data
            .ancestors()
            .find(|dir| dir.is_dir())
            .unwrap_or(Path::new("/"));
        match free_space(there) {
            Ok(free) => {
                let detail = format!("{} GB free at {}", free / 1_000_000_000, data.display());
                if free >= SPACE_NEEDED {
                    return found(NAME, detail);
                }
                missing(
                    NAME,
                    detail,
                    "free some space, or choose another data directory",
                )
            }
            Err(error) => missing(NAME, error.to_string(), "see the data directory"),
        }
    }
}

/// Bytes that this user can still write below `dir`.
pub(crate) fn free_space(dir: &Path) -> std::io::Result<u64> {
    let stat = rustix::fs::statvfs(dir)?;
    Ok(stat.f_bavail.saturating_mul(stat.f_frsize))
}

async fn check_git() -> Check {
    const NAME: &str = "git";
    match paddock_git::version(&Here).await {
        Ok(version) => found(NAME, version.to_string()),
        Err(error) => missing(NAME, error.to_string(), "install git"),
    }
}

fn check_user_namespaces() -> Check {
    const NAME: &str = "user namespaces";
    let number = |path: &str| {
        let text = std::fs::read_to_string(path).ok()?;
        text.trim().parse::<u64>().ok()
    };
    let most = number("/proc/sys/user/max_user_namespaces");
    let restricted = number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == Some(1)
        || number("/proc/sys/kernel/unprivileged_userns_clone") == Some(0);
    let remedy = "rootless engines and the sandboxes of some agents need them: see `sysctl user.max_user_namespaces` and AppArmor's restriction";
    match most {
        Some(most) if most > 0 && !restricted => {
            found(NAME, "unprivileged ones may be made".to_owned())
        }
        Some(_) => missing(NAME, "unprivileged ones may not be made".to_owned(), remedy),
        None => found(NAME, "not a matter of this system".to_owned()),
    }
}

fn found(name: &'static str, detail: String) -> Check {
    Check {
        name,
        ok: true,
        detail,
        remedy: None,
    }
}

fn missing(name: &'static str, detail: String, remedy: &str) -> Check {
    Check {
        name,
        ok: false,
        detail,
        remedy: Some(remedy.to_owned()),
    }
}
