//! What agents can do, side by side.

use paddock_api::{Abilities, HarnessView, ModelChoice};

/// A row of the table: what it is called, and what an agent's abilities say to it.
type Row = (&'static str, fn(&Abilities) -> String);

/// Every ability, in the order in which a user meets them.
const ROWS: &[Row] = &[
    ("model chosen", |it| models(&it.models)),
    ("model changed while it runs", |it| yes(it.model_switch)),
    ("efforts", |it| some(it.efforts.len())),
    ("effort changed while it runs", |it| yes(it.effort_switch)),
    ("permission modes", |it| some(it.permission_modes.len())),
    ("mode changed while it runs", |it| yes(it.mode_switch)),
    ("asks for permissions", |it| yes(!it.approvals.is_empty())),
    ("takes edited input", |it| yes(it.edited_input)),
    ("asks questions", |it| yes(it.questions)),
    ("looks at images", |it| yes(it.images)),
    ("a turn interrupted", |it| yes(it.interrupt)),
    ("a message joins the turn", |it| yes(it.steer)),
    ("condenses on request", |it| yes(it.compact)),
    ("starts anew on request", |it| yes(it.clear)),
    ("goes on with its session", |it| yes(it.resume)),
    ("goes on with your sessions", |it| yes(it.adopt)),
];

fn yes(can: bool) -> String {
    if can { "yes" } else { "–" }.to_owned()
}

fn some(count: usize) -> String {
    match count {
        0 => yes(false),
        count => count.to_string(),
    }
}

fn models(choice: &ModelChoice) -> String {
    match choice {
        ModelChoice::Fixed => yes(false),
        ModelChoice::Free { .. } => yes(true),
    }
}

/// One row an ability, one column an agent.
pub(crate) fn abilities(harnesses: &[HarnessView]) -> Vec<Vec<String>> {
    let row = |(name, says): &Row| {
        let cells = harnesses.iter().map(|harness| says(&harness.abilities));
        std::iter::once((*name).to_owned()).chain(cells).collect()
    };
    ROWS.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ability_has_a_row() {
        let abilities: Abilities = serde_json::from_str(
            r#"{"resume":true,"interrupt":true,"steer":true,"approvals":["once"],"permission_modes":["ask"],
                "questions":true,"models":{"choice":"free","suggestions":[]},"model_switch":true,"efforts":["low"],
                "effort_switch":true,"mode_switch":true,"compact":true,"clear":true,"edited_input":true,
                "adopt":true,"images":true}"#,
        )
        .unwrap();
        let fields = serde_json::to_value(&abilities).unwrap();
        assert_eq!(fields.as_object().unwrap().len(), ROWS.len());
        let can: Vec<_> = ROWS.iter().map(|(_, says)| says(&abilities)).collect();
        assert!(!can.contains(&yes(false)), "{can:?}");
    }
}
