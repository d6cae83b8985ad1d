//! What is told beside answers: retries as they go on, what the tokens cost, how full the context is.

use paddock_domain::{Body, CostSource, TurnOutcome};
use paddock_kit::Watch;

use super::super::stories::Story;
use super::Pair;

/// Those that tell of a request that they make again; the others do it in silence, Codex at first.
const TELL_RETRIES: &[&str] = &["claude", "copilot", "pi"];

/// Where each takes its cost from, for those whose model is known to cost something.
const COSTS: &[(&str, Option<CostSource>)] = &[
    ("claude", Some(CostSource::Reported)),
    ("codex", Some(CostSource::Estimated)),
];

impl Pair<'_> {
    /// The provider is overloaded twice: the turn goes well, and nothing is left of the retry.
    pub(super) async fn goes_on_after_overload(&self, task: &mut Watch) -> anyhow::Result<()> {
        let story = "err529 times=2";
        let seen = self.turn(task, story, TurnOutcome::Completed).await?;
        let retries = seen
            .iter()
            .filter(|event| matches!(event.body, Body::Retrying(_)));
        let told = if TELL_RETRIES.contains(&self.harness) {
            2
        } else {
            0
        };
        let count = retries.count();
        anyhow::ensure!(count == told, "{count} retries were told, not {told}");
        let task = task.task().await?;
        anyhow::ensure!(
            task.retry.is_none(),
            "it still tries again: {:?}",
            task.retry
        );
        self.kept(Story::Overload)
    }

    /// After turns that went well.
    pub(super) async fn tells_what_it_used(&self, task: &Watch) -> anyhow::Result<()> {
        let usage = task.task().await?.usage;
        let expected = COSTS.iter().find(|(harness, _)| *harness == self.harness);
        if let Some((_, source)) = expected {
            let cost = usage.cost.map(|cost| cost.source);
            anyhow::ensure!(cost == *source, "{usage:?}");
        }
        let has_context = usage.context_used.is_some_and(|used| used > 0);
        anyhow::ensure!(has_context || self.harness == "gemini", "{usage:?}");
        Ok(())
    }
}
