//! The contract that every harness keeps: the same stories, told through the API, with the real program
//! from its package, in both kinds of box.
//!
//! A story is told, or the harness does not offer it: then its abilities say so, or [`stories::UNTOLD`]
//! says why; none is left out in silence. With `PADDOCK_CONTRACT=FILE` what came of each is written there,
//! a line each; `cargo xtask agents` runs all of it and makes the table of `docs/AGENTS.md`.
//!
//! In CI five agents tell it in a container, and two in a worktree. Start at [`hold`], then [`pair`].

mod pair;
mod stories;

use paddock_domain::PermissionMode;
use pair::Pair;
use stories::Story;

use super::world::World;

/// The older release of Claude Code that keeps the contract too.
const OLDER_CLAUDE: &str = "2.1.197";

async fn hold(
    harness: &'static str,
    version: Option<&'static str>,
    kind: &'static str,
) -> anyhow::Result<()> {
    let world = World::new().await?;
    let pair = Pair::new(&world, harness, version, kind).await?;
    for story in Story::ALL {
        pair.offers(story)?; // what is not offered is written down, whatever comes
    }
    // Each by itself: one that is not kept hides no other.
    let mut faults: Vec<anyhow::Error> = Vec::new();
    faults.extend(pair.talks().await.err());
    faults.extend(pair.tells_a_wrong_key().await.err());
    if pair.offers(Story::ApprovalDenied)? {
        faults.extend(pair.asks_before_it_acts().await.err());
    }
    if pair.offers(Story::Question)? {
        faults.extend(pair.asks_a_question().await.err());
    }
    if pair.offers(Story::PlanApproved)? {
        faults.extend(pair.plans(true).await.err());
        faults.extend(pair.plans(false).await.err());
    }
    let told = faults.iter().map(|fault| format!("{fault:#}"));
    let told: Vec<String> = told.collect();
    anyhow::ensure!(told.is_empty(), "{}", told.join("\n---\n"));
    pair.nothing_is_left_out()
}

/// What an agent has to be told to ask a question at all.
fn questioning(harness: &str) -> PermissionMode {
    match harness {
        // It has the tool in this mode alone.
        "codex" => PermissionMode::Plan,
        _ => PermissionMode::FullAuto,
    }
}

macro_rules! contract {
    ($($(#[$attribute:meta])? $test:ident: $harness:literal, $version:expr, in $kind:literal;)*) => {$(
        #[tokio::test]
        $(#[$attribute])?
        async fn $test() -> anyhow::Result<()> {
            hold($harness, $version, $kind).await
        }
    )*};
}

contract! {
    real_claude_keeps_the_contract_in_a_container: "claude", None, in "container";
    real_codex_keeps_the_contract_in_a_container: "codex", None, in "container";
    #[ignore = "its time: `cargo xtask agents` runs it"]
    real_opencode_keeps_the_contract_in_a_container: "opencode", None, in "container";
    #[ignore = "its time: `cargo xtask agents` runs it"]
    real_gemini_keeps_the_contract_in_a_container: "gemini", None, in "container";
    #[ignore = "its time: `cargo xtask agents` runs it"]
    real_qwen_keeps_the_contract_in_a_container: "qwen", None, in "container";
    real_kimi_keeps_the_contract_in_a_container: "kimi", None, in "container";
    real_copilot_keeps_the_contract_in_a_container: "copilot", None, in "container";
    real_pi_keeps_the_contract_in_a_container: "pi", None, in "container";
    real_claude_keeps_the_contract_in_a_worktree: "claude", None, in "worktree";
    real_codex_keeps_the_contract_in_a_worktree: "codex", None, in "worktree";
    #[ignore = "its time: `cargo xtask agents` runs it"]
    real_older_claude_keeps_the_contract_in_a_container: "claude", Some(OLDER_CLAUDE), in "container";
    #[ignore = "its time: `cargo xtask agents` runs it"]
    real_older_claude_keeps_the_contract_in_a_worktree: "claude", Some(OLDER_CLAUDE), in "worktree";
    #[ignore = "its time: `cargo xtask agents` runs it"]
    real_opencode_keeps_the_contract_in_a_worktree: "opencode", None, in "worktree";
    #[ignore = "its time: `cargo xtask agents` runs it"]
    real_gemini_keeps_the_contract_in_a_worktree: "gemini", None, in "worktree";
    #[ignore = "its time: `cargo xtask agents` runs it"]
    real_qwen_keeps_the_contract_in_a_worktree: "qwen", None, in "worktree";
    #[ignore = "its time: `cargo xtask agents` runs it"]
    real_kimi_keeps_the_contract_in_a_worktree: "kimi", None, in "worktree";
    #[ignore = "its time: `cargo xtask agents` runs it"]
    real_copilot_keeps_the_contract_in_a_worktree: "copilot", None, in "worktree";
    #[ignore = "its time: `cargo xtask agents` runs it"]
    real_pi_keeps_the_contract_in_a_worktree: "pi", None, in "worktree";
}
