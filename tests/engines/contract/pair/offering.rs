//! What the running program offers, and starting anew with an empty context.

use anyhow::Context as _;
use paddock_domain::{Body, CondensePolicy, TurnOutcome};
use paddock_kit::Watch;

use super::super::stories::Story;
use super::{Pair, ends, runs};

/// Words that are said before the conversation is forgotten, and words that are said after it.
const BEFORE: &str = "Remember the word heliotrope.";
const AFTER: &str = "What was the word?";

impl Pair<'_> {
    /// Its own commands, or the models that it can be told to use.
    pub(super) async fn tells_what_it_offers(&self, task: &Watch) -> anyhow::Result<()> {
        let offers = self.world.serve.client().offers(task.id()).await?;
        anyhow::ensure!(!offers.is_empty(), "it offers nothing");
        if let Some(model) = &offers.model {
            let listed = offers.model_named(model);
            listed.context("the model that it uses is none of those that it offers")?;
        }
        self.kept(Story::Offers)
    }

    /// The same process, another session, and nothing of what was said before reaches the model.
    pub(super) async fn starts_anew(&self, task: &mut Watch) -> anyhow::Result<()> {
        let client = self.world.serve.client();
        self.say_words(task, format!("{BEFORE} [[fake:hello]]"))
            .await?;
        ends(task, "hello", TurnOutcome::Completed).await?;
        let (session, ran) = (task.task().await?.agent_session, runs(task.seen()));
        client.clear(task.id()).await?;
        task.until("a cleared context", |event| match event.body {
            Body::ContextCondensed {
                policy: CondensePolicy::Cleared,
                ..
            } => Some(()),
            _ => None,
        })
        .await?;
        if self.harness == "claude" {
            // Its own command is a turn of its own.
            ends(task, "clear", TurnOutcome::Completed).await?;
        }
        // Elsewhere it is at once followed by a message, which must not be lost.
        self.say_words(task, format!("{AFTER} [[fake:hello]]"))
            .await?;
        ends(task, "hello", TurnOutcome::Completed).await?;
        let heard = self.world.model.requests();
        let heard = heard.iter().map(|request| request.body.to_string());
        let heard: Vec<_> = heard.filter(|body| body.contains(AFTER)).collect();
        anyhow::ensure!(!heard.is_empty(), "the message never reached the model");
        let knows = heard.iter().any(|body| body.contains(BEFORE));
        anyhow::ensure!(!knows, "it still knows what was said");
        let now = task.task().await?.agent_session;
        anyhow::ensure!(now != session, "the session is the same: {now:?}");
        anyhow::ensure!(runs(task.seen()) == ran, "the run did not live on");
        self.kept(Story::Clear)
    }
}
