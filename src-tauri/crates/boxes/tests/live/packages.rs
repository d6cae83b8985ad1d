//! The real agents, from their packages, in both kinds of box.

use paddock_boxes::BoxRequest;
use paddock_domain::{BoxKind, HarnessName, Program, ProgramRecipe};

use crate::support::{Stand, engine, say};

fn recipe(harness: &str, package: &str, version: &str, candidate: &str) -> ProgramRecipe {
    ProgramRecipe {
        harness: HarnessName::parse(harness).unwrap(),
        package: Some(package.to_owned()),
        version: version.to_owned(),
        candidates: vec![candidate.to_owned()],
        node: None,
    }
}

async fn install(stand: &Stand, recipe: &ProgramRecipe) -> Program {
    let begun = std::time::Instant::now();
    let program = stand
        .boxes
        .toolbox()
        .install(recipe, None, &|step| println!("{step}"))
        .await
        .unwrap();
    println!(
        "{} {}: {:?}",
        program.harness,
        program.version,
        begun.elapsed()
    );
    let begun = std::time::Instant::now();
    stand.boxes.toolbox().verify(&program).await.unwrap();
    println!("verified in {:?}", begun.elapsed());
    program
}

#[tokio::test]
#[ignore = "fetches a gigabyte: run it with --run-ignored only --no-capture"]
async fn real_agents_are_installed_and_run_in_boxes() {
    let stand = Stand::new().await;
    let claude = recipe(
        "claude",
        "@anthropic-ai/claude-code",
        "2.1.330",
        "@anthropic-ai/claude-code-linux-{arch}/claude",
    );
    let codex = recipe(
        "codex",
        "@openai/codex",
        "0.169.0",
        "@openai/codex-linux-{arch}/vendor/{triple}/bin/codex",
    );
    // A script that a Node from its own package runs, whatever the image has.
    let script = ProgramRecipe {
        node: Some("22.11.0".to_owned()),
        ..recipe("prettier", "prettier", "3.3.3", "prettier/bin/prettier.cjs")
    };
    for (recipe, wanted) in [(claude, "2.1.330"), (codex, "0.169.0"), (script, "3.3.3")] {
        let program = install(&stand, &recipe).await;
        let mut kinds = vec![BoxKind::Worktree];
        // Node needs a C++ library, which the test image does not have.
        if program.node.is_none() {
            kinds.extend(engine().await.map(|_| BoxKind::Container));
        }
        for kind in kinds {
            let request = BoxRequest {
                program: program.clone(),
                ..stand.request(kind)
            };
            let live = stand.provision(&request).await;
            let node = live.node.clone().unwrap_or_default();
            let said = say(&live, &format!("{node} {} --version", live.program)).await;
            assert!(said.contains(wanted), "{said}");
            stand.boxes.remove(&live.record).await.unwrap();
        }
    }
}
