//! Checks what this machine has and gets what is missing: a container engine, the image of the tests,
//! the agent programs, the packages of the user interface.
//!
//! Every part may be run again and again; one that cannot be had is named with the way to get it, and
//! what needs it is left out in plain words. Start at [`setup`].

use std::collections::BTreeMap;

use crate::checkout::Checkout;
use crate::served::Served;
use crate::window::DESKTOP;
use crate::{relay, say, step, ui, window};

/// The image of tests and demo: bash and git, nothing else.
pub(crate) const TEST_IMAGE: &str = "paddock-test:tiny";
/// Agent programs of tests and demo.
pub(crate) const REAL_AGENTS: &[&str] = &[
    "claude", "codex", "opencode", "gemini", "qwen", "kimi", "copilot", "pi",
];

/// What this machine has by now.
pub(crate) struct Found {
    /// A container engine answers and holds [`TEST_IMAGE`].
    pub(crate) engine: bool,
    /// Those of [`REAL_AGENTS`] that are installed.
    pub(crate) agents: Vec<&'static str>,
    /// The packages of the user interface.
    pub(crate) ui: bool,
    /// A browser for its journeys.
    pub(crate) browser: bool,
    /// The desktop shell can be built.
    pub(crate) desktop: bool,
    /// A display on which its window can be driven.
    pub(crate) stage: bool,
}

impl Found {
    /// Says what there is.
    pub(crate) fn tell(&self) {
        let boxes = if self.engine {
            "containers and worktrees"
        } else {
            "worktrees only"
        };
        let agents = if self.agents.is_empty() {
            "none".to_owned()
        } else {
            self.agents.join(", ")
        };
        say::good(&format!("boxes: {boxes}; agents: {agents}"));
    }
}

/// Gets everything that tests, demo and bench need, as far as it can be had.
pub(crate) fn setup(checkout: &Checkout) -> anyhow::Result<Found> {
    let engine = engine(checkout);
    build(checkout)?;
    let agents = agents(checkout, REAL_AGENTS)?;
    let ui = ui::packages(checkout)?;
    let browser = ui && ui::browser(checkout);
    let desktop = window::library(checkout);
    let stage = ui && desktop && window::stage(checkout);
    Ok(Found {
        engine,
        agents,
        ui,
        browser,
        desktop,
        stage,
    })
}

/// The programs of the development build, and beside them what goes into a box.
pub(crate) fn build(checkout: &Checkout) -> anyhow::Result<()> {
    let mut cargo = checkout.cargo();
    cargo.args(["build", "--quiet", "--workspace", "--bins"]);
    cargo.args(["--exclude", "xtask", "--exclude", DESKTOP]);
    step::shown(
        "build the programs (the first time takes minutes)",
        &mut cargo,
    )?;
    relay::build(checkout).map(drop)
}

/// A container engine with the test image; whether there is one.
pub(crate) fn engine(checkout: &Checkout) -> bool {
    let scripts = checkout.root.join("tests/engines/setup");
    if !engine_answers(checkout) {
        let start = scripts.join("start-docker.sh");
        if let Err(error) = step::shown("start a container engine", &mut checkout.command(start)) {
            say::lack(
                &format!("no container engine: {error:#}"),
                "install and start Docker or Podman; until then boxes are worktrees",
            );
            return false;
        }
    }
    let make = scripts.join("make-image.sh");
    match step::shown("make the test image", checkout.command(make).arg("tiny")) {
        Ok(()) => true,
        Err(error) => {
            let remedy = "it is made from Debian's packages by tests/engines/setup/make-image.sh; any image with bash and git does as `--image`";
            say::lack(&format!("no test image: {error:#}"), remedy);
            false
        }
    }
}

fn engine_answers(checkout: &Checkout) -> bool {
    step::succeeds(
        checkout
            .command("docker")
            .args(["version", "--format", "{{.Server.Version}}"]),
    )
}

/// Installs agent programs into the toolbox of this checkout; those that are there afterwards.
pub(crate) fn agents(
    checkout: &Checkout,
    names: &'static [&'static str],
) -> anyhow::Result<Vec<&'static str>> {
    let data = tempfile::tempdir()?;
    let served = Served::start(checkout, data.path(), &BTreeMap::new())?;
    let install = |name: &&&'static str| {
        let mut paddock = served.client(checkout);
        paddock.args(["harness", "install", name]);
        let Err(error) = step::shown(&format!("install the agent {name}"), &mut paddock) else {
            return true;
        };
        let remedy = format!(
            "it comes from its npm package: `paddock harness install {name}` with npm on the path"
        );
        say::lack(&format!("no {name}: {error:#}"), &remedy);
        false
    };
    Ok(names.iter().filter(install).copied().collect())
}

/// Names the toolbox to the `paddock` program.
pub(crate) const TOOLBOX_VARIABLE: &str = "PADDOCK_TOOLBOX_DIR";
