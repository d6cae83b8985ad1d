//! A data directory, a toolbox with a tiny agent, a repository of the host, and boxes on them.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command as HostCommand;

use paddock_boxes::{BoxDefaults, BoxRepository, BoxRequest, Boxes, BoxesSettings, LiveBox};
use paddock_docker::{Engine, Search};
use paddock_domain::{BoxKind, HarnessName, Network, ProgramRecipe, TaskId};
use paddock_exec::{Command, Exit, Limits};
use paddock_git::{Branch, Oid};
use tempfile::TempDir;

pub(crate) const IMAGE: &str = "paddock-test:tiny";

/// Everything that one test needs, gone with it.
pub(crate) struct Stand {
    pub(crate) boxes: Boxes,
    pub(crate) repository: HostRepository,
    dir: TempDir,
    settings: BoxesSettings,
    program: paddock_domain::Program,
}

impl Stand {
    pub(crate) async fn new() -> Self {
        Self::with_engine(None).await
    }

    /// One whose engine listens at `engine`.
    pub(crate) async fn with_engine(engine: Option<String>) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let settings = BoxesSettings {
            data_dir: dir.path().join("data dir"),
            relay_binary: relay_binary(),
            toolbox_dir: dir.path().join("toolbox"),
            engine,
            defaults: BoxDefaults {
                image: IMAGE.to_owned(),
                memory_mib: 512,
                cpus: Some(2.0),
                pids: 256,
            },
        };
        let boxes = Boxes::new(settings.clone());
        let agent = dir.path().join("agent");
        fs::write(&agent, "#!/bin/sh\necho agent 1.0.0\n").unwrap();
        fs::set_permissions(&agent, fs::Permissions::from_mode(0o755)).unwrap();
        let recipe = ProgramRecipe {
            harness: HarnessName::parse("scripted").unwrap(),
            package: None,
            version: "1.0.0".to_owned(),
            candidates: Vec::new(),
            node: None,
        };
        let program = boxes
            .toolbox()
            .install(&recipe, Some(&agent), &|_| {})
            .await
            .unwrap();
        let repository = HostRepository::make(&dir.path().join("Quelltext mit Größe"));
        Self {
            boxes,
            repository,
            dir,
            settings,
            program,
        }
    }

    /// Other boxes of the same data directory, as after a restart of Paddock.
    pub(crate) fn again(&self) -> Boxes {
        Boxes::new(self.settings.clone())
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    /// A task with the stand's repository.
    pub(crate) fn request(&self, kind: BoxKind) -> BoxRequest {
        BoxRequest {
            repositories: vec![self.repository.request()],
            ..self.bare_request(kind)
        }
    }

    /// A task without a repository and without a network.
    pub(crate) fn bare_request(&self, kind: BoxKind) -> BoxRequest {
        let unique = self
            .dir
            .path()
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .to_lowercase();
        BoxRequest {
            task_id: TaskId::parse(&format!("t-{}", unique.trim_start_matches('.'))).unwrap(),
            kind: Some(kind),
            image: None,
            network: Some(Network::None),
            memory_mib: None,
            cpus: None,
            pids: None,
            repositories: Vec::new(),
            program: self.program.clone(),
        }
    }

    pub(crate) async fn provision(&self, request: &BoxRequest) -> LiveBox {
        self.boxes.provision(request, &|_| {}).await.unwrap()
    }
}

impl Drop for Stand {
    /// A test that failed half-way must not leave containers or relays.
    fn drop(&mut self) {
        // The engine of a test may be out of reach by now.
        let boxes = Boxes::new(BoxesSettings {
            engine: None,
            ..self.settings.clone()
        });
        let clear = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                for found in boxes
                    .find_besides(&BTreeSet::new())
                    .await
                    .unwrap_or_default()
                {
                    let _ = boxes.remove_task(&found.task_id).await;
                }
            });
        });
        let _ = clear.join();
    }
}

/// The engine, or nothing and a loud word where there is none.
pub(crate) async fn engine() -> Option<Engine> {
    match Search::from_environment(None).run().await {
        Ok(found) => Some(found.engine),
        Err(none) => {
            eprintln!("SKIPPED, nothing was tested: {none}");
            None
        }
    }
}

fn relay_binary() -> PathBuf {
    let built = "../../../target/x86_64-unknown-linux-gnu/relay/paddock-relay";
    let path = match std::env::var_os("PADDOCK_RELAY") {
        Some(path) => PathBuf::from(path),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join(built),
    };
    assert!(
        path.is_file(),
        "no relay at {}: build it with `cargo xtask relay`",
        path.display()
    );
    path.canonicalize().unwrap()
}

/// A repository of the host, with a dirty checkout that must stay as it is.
pub(crate) struct HostRepository {
    pub(crate) path: PathBuf,
    pub(crate) head: String,
}

impl HostRepository {
    pub(crate) fn make(path: &Path) -> Self {
        fs::create_dir_all(path).unwrap();
        git(path, &["init", "-q", "-b", "main"]);
        git(path, &["config", "user.name", "Ada"]);
        git(path, &["config", "user.email", "ada@example.invalid"]);
        fs::write(path.join("README.md"), "hello\n").unwrap();
        git(path, &["add", "."]);
        git(path, &["commit", "-q", "-m", "First"]);
        fs::write(path.join("untracked"), "mine").unwrap();
        let head = git(path, &["rev-parse", "HEAD"]);
        let path = path.to_owned();
        Self { path, head }
    }

    pub(crate) fn request(&self) -> BoxRepository {
        BoxRepository {
            host_path: self.path.to_str().unwrap().to_owned(),
            branch: Branch::parse("paddock-0").unwrap(),
            base: Oid::parse(&self.head).unwrap(),
            files: None,
            refs: Vec::new(),
            inspected: None,
        }
    }
}

/// Runs git on the host and gives what it says.
pub(crate) fn git(dir: &Path, args: &[&str]) -> String {
    output_of(HostCommand::new("git").arg("-C").arg(dir).args(args))
}

/// Does something to containers as a user does by hand.
pub(crate) fn docker(args: &[&str]) -> String {
    output_of(HostCommand::new("docker").args(args))
}

fn output_of(command: &mut HostCommand) -> String {
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// What a shell line in the box says, and whether it succeeded.
pub(crate) async fn sh(live: &LiveBox, line: &str) -> (bool, String) {
    let command = Command::new("sh").args(["-c", line]).cwd(&live.work_dir);
    let output = live.place().run(&command, Limits::default()).await.unwrap();
    let said = format!("{}{}", output.text(), output.error_text());
    (output.exit == Exit::Code(0), said.trim().to_owned())
}

/// What a shell line in the box says; it must succeed.
pub(crate) async fn say(live: &LiveBox, line: &str) -> String {
    let (ok, said) = sh(live, line).await;
    assert!(ok, "{line}: {said}");
    said
}
