//! The toolbox with a client that stands in for npm: a shell script with a story.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Mutex;

use paddock_domain::{HarnessName, ProgramRecipe};
use tempfile::TempDir;

use super::*;

/// Puts a program that says its version where the real packages have theirs, and counts its calls.
const GOOD: &str = r#"
prefix=$3; spec=; for spec; do :; done
echo "$spec" >>"$(dirname "$0")/calls"
bin=$prefix/node_modules/@maker/agent-linux; mkdir -p "$bin"
printf '#!/bin/sh\necho "agent %s"\n' "${spec##*@}" >"$bin/agent"; chmod +x "$bin/agent"
printf '{"packages":{"":{},"node_modules/@maker/agent-linux":{"version":"%s","integrity":"sha512-abc"},"node_modules/@maker/agent-mac":{"version":"1","integrity":"x"}}}' "${spec##*@}" >"$prefix/package-lock.json"
"#;

struct Shop {
    dir: TempDir,
    toolbox: Toolbox,
}

impl Shop {
    fn with(script: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let npm = dir.path().join("npm");
        executable(&npm, script);
        let toolbox = Toolbox::new(dir.path().join("toolbox")).with_npm(npm.to_str().unwrap());
        Self { dir, toolbox }
    }

    async fn install(&self, version: &str) -> Result<Program, ToolboxError> {
        self.toolbox.install(&recipe(version), None, &|_| {}).await
    }

    fn calls(&self) -> usize {
        let calls = fs::read_to_string(self.dir.path().join("calls"));
        calls.map_or(0, |calls| calls.lines().count())
    }
}

fn executable(path: &Path, script: &str) {
    fs::write(path, format!("#!/bin/sh\n{script}")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn harness() -> HarnessName {
    HarnessName::parse("agent").unwrap()
}

fn recipe(version: &str) -> ProgramRecipe {
    ProgramRecipe {
        harness: harness(),
        package: Some("@maker/agent".to_owned()),
        version: version.to_owned(),
        candidates: vec![
            "@maker/other/agent".to_owned(),
            "@maker/agent-linux/agent".to_owned(),
        ],
        node: None,
    }
}

#[tokio::test]
async fn several_versions_stand_side_by_side_and_the_newest_comes_first() {
    let shop = Shop::with(GOOD);
    for version in ["1.9.0", "1.10.0", "1.10.0-beta.1"] {
        shop.install(version).await.unwrap();
    }
    let listed = shop.toolbox.list().unwrap();
    let versions: Vec<_> = listed
        .iter()
        .map(|program| program.version.as_str())
        .collect();
    assert_eq!(versions, ["1.10.0", "1.10.0-beta.1", "1.9.0"]);
    let newest = shop.toolbox.find(&harness(), None).unwrap();
    assert_eq!(newest.program, "node_modules/@maker/agent-linux/agent");
    assert!(newest.dir.ends_with("toolbox/agent/1.10.0"));
    assert_eq!(
        shop.toolbox
            .find(&harness(), Some("1.9.0"))
            .unwrap()
            .version,
        "1.9.0"
    );
    let missing = shop.toolbox.find(&harness(), Some("3.0.0")).unwrap_err();
    assert!(
        missing
            .to_string()
            .contains("paddock harness install agent"),
        "{missing}"
    );
}

#[tokio::test]
async fn what_is_there_is_not_fetched_again() {
    let shop = Shop::with(GOOD);
    let first = shop.install("1.0.0").await.unwrap();
    assert_eq!(shop.install("1.0.0").await.unwrap(), first);
    assert_eq!(shop.calls(), 1);
}

#[tokio::test]
async fn the_manifest_keeps_what_came_and_not_what_did_not() {
    let shop = Shop::with(GOOD);
    let program = shop.install("1.0.0").await.unwrap();
    let manifest = Manifest::read(Path::new(&program.dir)).unwrap().unwrap();
    assert_eq!(manifest.program, program);
    let packages: Vec<_> = manifest
        .packages
        .iter()
        .map(|p| (p.name.as_str(), p.integrity.as_str()))
        .collect();
    assert_eq!(packages, [("@maker/agent-linux", "sha512-abc")]);
}

#[tokio::test]
async fn a_damaged_program_is_recognised_and_replaced() {
    let shop = Shop::with(GOOD);
    let program = shop.install("1.0.0").await.unwrap();
    shop.toolbox.verify(&program).await.unwrap();
    let path = Path::new(&program.dir).join(&program.program);
    let text = fs::read_to_string(&path).unwrap();
    // As long as before, so that only its content tells.
    fs::write(&path, text.replace("echo", "eval")).unwrap();
    let verdict = shop.toolbox.verify(&program).await;
    assert!(matches!(verdict, Err(ToolboxError::Damaged { .. })));
    assert_eq!(shop.install("1.0.0").await.unwrap(), program);
    shop.toolbox.verify(&program).await.unwrap();
    assert_eq!(shop.calls(), 2);
}

#[tokio::test]
async fn a_program_cut_short_is_not_listed() {
    let shop = Shop::with(GOOD);
    let program = shop.install("1.0.0").await.unwrap();
    fs::write(Path::new(&program.dir).join(&program.program), "#!").unwrap();
    assert!(shop.toolbox.list().unwrap().is_empty());
}

#[tokio::test]
async fn installs_at_the_same_time_fetch_once() {
    let shop = Shop::with(GOOD);
    let (one, other) = tokio::join!(shop.install("1.0.0"), shop.install("1.0.0"));
    assert_eq!(one.unwrap(), other.unwrap());
    assert_eq!(shop.calls(), 1);
}

#[tokio::test]
async fn who_waits_for_another_install_is_told() {
    let shop = Shop::with(GOOD);
    let lock = lock::Lock::take(&shop.toolbox.dir, || {}).await.unwrap();
    let steps = Mutex::new(Vec::new());
    let tell = |step| steps.lock().unwrap().push(step);
    let wanted = recipe("1.0.0");
    let install = shop.toolbox.install(&wanted, None, &tell);
    let release = async {
        tokio::task::yield_now().await;
        drop(lock);
    };
    let (installed, ()) = tokio::join!(install, release);
    installed.unwrap();
    assert_eq!(steps.lock().unwrap()[0], InstallStep::Waiting);
}

#[tokio::test]
async fn an_install_that_fails_leaves_nothing() {
    let shop =
        Shop::with("echo 'npm error code ENOTFOUND' >&2; mkdir -p \"$3/node_modules\"; exit 1");
    assert!(matches!(
        shop.install("1.0.0").await,
        Err(ToolboxError::Offline { .. })
    ));
    assert!(shop.toolbox.list().unwrap().is_empty());
    let left = fs::read_dir(shop.toolbox.dir.join(".staging")).unwrap();
    assert_eq!(left.count(), 0);
}

#[tokio::test]
async fn a_package_without_a_program_says_where_it_was_looked_for() {
    let shop = Shop::with("echo '{\"packages\":{}}' >\"$3/package-lock.json\"");
    let error = shop.install("1.0.0").await.unwrap_err();
    assert!(
        error.to_string().contains("@maker/agent-linux/agent"),
        "{error}"
    );
}

#[tokio::test]
async fn a_program_that_does_not_run_is_not_installed() {
    let broken = GOOD.replace("echo \"agent %s\"", "exit 7 # %s");
    let shop = Shop::with(&broken);
    assert!(matches!(
        shop.install("1.0.0").await,
        Err(ToolboxError::DoesNotRun { .. })
    ));
    assert!(shop.toolbox.list().unwrap().is_empty());
}

#[tokio::test]
async fn without_npm_it_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let toolbox = Toolbox::new(dir.path().to_owned()).with_npm("no-such-npm");
    let error = toolbox.install(&recipe("1.0.0"), None, &|_| {}).await;
    assert!(matches!(error, Err(ToolboxError::NoNpm)));
}

#[tokio::test]
async fn a_version_that_is_none_never_reaches_npm() {
    let shop = Shop::with(GOOD);
    for bad in [
        "latest",
        "^1.0.0",
        "",
        "1",
        "../1.0",
        "1.0.0 --global",
        "-1.0",
    ] {
        assert!(
            matches!(
                shop.install(bad).await,
                Err(ToolboxError::BadVersion { .. })
            ),
            "{bad}"
        );
    }
    assert_eq!(shop.calls(), 0);
}

#[tokio::test]
async fn a_local_program_is_taken_again_when_it_changed() {
    let shop = Shop::with(GOOD);
    let (local, wanted) = (
        shop.dir.path().join("built"),
        ProgramRecipe {
            package: None,
            ..recipe("0.1.0")
        },
    );
    let install = async || {
        shop.toolbox
            .install(&wanted, Some(&local), &|_| {})
            .await
            .unwrap()
    };
    executable(&local, "echo one");
    let first = install().await;
    assert_eq!(install().await, first);
    executable(&local, "echo other");
    assert_ne!(install().await.sha256, first.sha256);
    assert_eq!(shop.toolbox.list().unwrap().len(), 1);
    let none = shop.toolbox.install(&wanted, None, &|_| {}).await;
    // It is there already; without a program to compare it with, that is enough.
    assert!(none.is_ok());
}
