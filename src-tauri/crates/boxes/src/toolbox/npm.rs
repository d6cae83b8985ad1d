//! The ordinary `npm` client, told to install one exact version and to run nothing of it.

use std::fs;
use std::path::Path;
use std::time::Duration;

use paddock_exec::{Command, ExecError, Here, Limits, Place};

use super::ToolboxError;
use super::manifest::Package;

/// Longest time that npm may take: some agents are 400 MB.
const LIMITS: Limits = Limits {
    stdout: 4 << 20,
    time: Duration::from_secs(15 * 60),
};

/// Installs `package` at exactly `version` below `dir`, and says what came.
pub(crate) async fn install(
    npm: &str,
    dir: &Path,
    package: &str,
    version: &str,
) -> Result<Vec<Package>, ToolboxError> {
    let shown = dir.display().to_string();
    // A package of its own: npm would look for one in the directories above.
    let own = dir.join("package.json");
    fs::write(&own, "{\"private\":true}\n").map_err(|e| ToolboxError::disk(&own, e))?;
    let command = Command::new(npm)
        .args(["install", "--prefix", &shown])
        .args([
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--save-exact",
            "--include=optional",
        ])
        .args(["--no-progress", "--no-update-notifier", "--loglevel=error"])
        .arg(format!("{package}@{version}"))
        .cwd(&shown);
    match Here.check(&command, LIMITS).await {
        Ok(_) => installed(dir),
        Err(ExecError::NotFound { .. }) => Err(ToolboxError::NoNpm),
        Err(ExecError::Failed { stderr, .. }) => Err(refusal(dir, package, version, &stderr)),
        Err(other) => Err(ToolboxError::Npm {
            said: other.to_string(),
        }),
    }
}

/// What npm's words mean.
fn refusal(dir: &Path, package: &str, version: &str, said: &str) -> ToolboxError {
    let has = |codes: &[&str]| codes.iter().any(|code| said.contains(code));
    let brief: String = said.lines().take(6).collect::<Vec<_>>().join("; ");
    if has(&["ETARGET", "E404"]) {
        ToolboxError::NoSuchVersion {
            package: package.to_owned(),
            version: version.to_owned(),
        }
    } else if has(&["ENOSPC", "EDQUOT"]) {
        ToolboxError::NoSpace {
            path: dir.display().to_string(),
            needed: super::install::SPACE_NEEDED,
        }
    } else if has(&[
        "ENOTFOUND",
        "EAI_AGAIN",
        "ECONNREFUSED",
        "ECONNRESET",
        "ETIMEDOUT",
        "ENETUNREACH",
        "ENOTCACHED",
        "EHOSTUNREACH",
    ]) {
        ToolboxError::Offline { said: brief }
    } else {
        ToolboxError::Npm { said: brief }
    }
}

/// The packages that npm put there, from its lock file.
fn installed(dir: &Path) -> Result<Vec<Package>, ToolboxError> {
    #[derive(serde::Deserialize)]
    struct Lock {
        packages: std::collections::BTreeMap<String, Locked>,
    }
    #[derive(serde::Deserialize)]
    struct Locked {
        #[serde(default)]
        version: String,
        #[serde(default)]
        integrity: String,
    }
    let path = dir.join("package-lock.json");
    let text = fs::read(&path).map_err(|e| ToolboxError::disk(&path, e))?;
    let lock: Lock = serde_json::from_slice(&text).map_err(|_| ToolboxError::damaged(&path))?;
    // It also names the packages of other platforms, which are not there.
    let there = lock
        .packages
        .into_iter()
        .filter(|(at, _)| !at.is_empty() && dir.join(at).is_dir());
    let packages = there.map(|(at, locked)| Package {
        name: at
            .rsplit("node_modules/")
            .next()
            .unwrap_or_default()
            .to_owned(),
        version: locked.version,
        integrity: locked.integrity,
    });
    Ok(packages.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> ToolboxError {
        refusal(Path::new("/t"), "p", "1.0.0", text)
    }

    #[test]
    fn npms_codes_become_what_to_do() {
        let target =
            "npm error code ETARGET\nnpm error notarget No matching version found for p@1.0.0.";
        assert!(matches!(said(target), ToolboxError::NoSuchVersion { .. }));
        assert!(matches!(
            said("npm error code E404"),
            ToolboxError::NoSuchVersion { .. }
        ));
        assert!(matches!(
            said("npm error code EAI_AGAIN"),
            ToolboxError::Offline { .. }
        ));
        assert!(matches!(
            said("npm error code ENOSPC"),
            ToolboxError::NoSpace { .. }
        ));
        assert!(matches!(
            said("npm error Tracker broken"),
            ToolboxError::Npm { .. }
        ));
    }
}
