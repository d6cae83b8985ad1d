//! What follows from the meaning of lines, whichever agent said them.

use paddock_domain::{Delta, HarnessName, ModelPrice, Retry};

use super::*;
use crate::find;

/// A tally of a run before which the task had used `before`.
fn tally(before: Usage) -> Tally {
    let setup = CodecSetup {
        usage_before: before,
        ..CodecSetup::default()
    };
    Tally::new(&setup, Arc::default())
}

fn used(input: u64, cost: Option<(f64, CostSource)>) -> Usage {
    Usage {
        input_tokens: input,
        cost: cost.map(|(usd, source)| Cost {
            usd,
            source,
            partial: false,
        }),
        ..Usage::default()
    }
}

fn selected(model: &str) -> Heard {
    Heard::Event(Body::ModelSelected {
        provider: HarnessName::parse("codex").unwrap(),
        model: model.to_owned(),
        reasoning_effort: None,
    })
}

/// What the tally makes of one line.
fn hear(tally: &mut Tally, line: Vec<Heard>) -> Vec<Heard> {
    let codec = find("codex").unwrap().codec(CodecSetup::default());
    let mut heard = line;
    tally.hear(codec.as_ref(), &mut heard, 0);
    heard
}

/// The cost that is told with `usage`.
fn told(tally: &mut Tally, usage: Usage) -> Option<String> {
    let heard = hear(tally, vec![Heard::Event(Body::UsageUpdated(usage))]);
    let [Heard::Event(Body::UsageUpdated(usage))] = heard[..] else {
        panic!("{heard:?}");
    };
    usage.cost.map(|cost| {
        let source = match cost.source {
            CostSource::Reported => "reported",
            CostSource::Estimated => "estimated",
        };
        let part = if cost.partial { "at least " } else { "" };
        format!("{part}{:.2} {source}", cost.usd)
    })
}

/// Feeds `tally` tokens up to `input` that come without a cost.
fn check(tally: &mut Tally, input: u64, expected: &str) {
    let told = told(tally, used(input, None));
    assert_eq!(told.as_deref().unwrap_or("nothing"), expected);
}

#[test]
fn tokens_without_a_cost_are_priced_each_by_the_model_that_used_them() {
    let mut tally = tally(Usage::default());
    hear(&mut tally, vec![selected("gpt-5.5")]);
    check(&mut tally, 1_000_000, "5.00 estimated");
    hear(&mut tally, vec![selected("gpt-5-mini")]);
    check(&mut tally, 2_000_000, "5.25 estimated");
}

#[test]
fn a_cost_that_the_program_tells_wins() {
    let mut tally = tally(Usage::default());
    hear(&mut tally, vec![selected("gpt-5.5")]);
    let reported = used(1_000_000, Some((0.25, CostSource::Reported)));
    assert_eq!(told(&mut tally, reported).unwrap(), "0.25 reported");
}

#[test]
fn a_model_without_a_price_costs_nothing_and_makes_the_sum_a_part() {
    let mut tally = tally(Usage::default());
    hear(&mut tally, vec![selected("fake-gpt")]);
    check(&mut tally, 10, "nothing");
    hear(&mut tally, vec![selected("gpt-5.5")]);
    check(&mut tally, 1_000_010, "at least 5.00 estimated");
}

#[test]
fn a_model_whose_price_is_nothing_leaves_nothing_out() {
    let free = ModelPrice::parse("fake-gpt=0/0/0").unwrap();
    let mut tally = tally(Usage::default());
    tally.prices = Arc::new(Prices::with(&[free]));
    hear(&mut tally, vec![selected("fake-gpt")]);
    check(&mut tally, 10, "0.00 estimated");
    hear(&mut tally, vec![selected("gpt-5.5")]);
    check(&mut tally, 1_000_010, "5.00 estimated");
}

#[test]
fn an_estimate_goes_on_where_the_run_before_ended_and_makes_the_sum_one() {
    let before = used(1_000_000, Some((2.0, CostSource::Reported)));
    let mut tally = tally(before);
    hear(&mut tally, vec![selected("gpt-5.5")]);
    assert_eq!(told(&mut tally, before).unwrap(), "2.00 reported");
    // Codex counts the thread from its beginning, without the cost of it.
    check(&mut tally, 2_000_000, "7.00 estimated");
}

#[test]
fn what_a_program_tells_on_top_of_an_estimate_is_estimated() {
    let mut tally = tally(used(10, Some((2.0, CostSource::Estimated))));
    let sum = used(20, Some((2.5, CostSource::Reported)));
    assert_eq!(told(&mut tally, sum).unwrap(), "2.50 estimated");
}

#[test]
fn a_sum_after_a_run_whose_model_has_no_price_is_a_part() {
    let mut estimated = tally(used(10, None));
    hear(&mut estimated, vec![selected("gpt-5.5")]);
    check(&mut estimated, 1_000_010, "at least 5.00 estimated");

    let mut reported = tally(used(10, None));
    let sum = used(20, Some((0.5, CostSource::Reported)));
    assert_eq!(told(&mut reported, sum).unwrap(), "at least 0.50 reported");
}

#[test]
fn a_sum_stays_a_part_through_later_runs() {
    let mut before = used(10, Some((2.0, CostSource::Reported)));
    let mut unpriced = tally(before);
    hear(&mut unpriced, vec![selected("fake-gpt")]);
    check(&mut unpriced, 20, "at least 2.00 reported");

    before.cost = before.cost.map(|cost| Cost {
        partial: true,
        ..cost
    });
    let mut later = tally(before);
    let sum = used(30, Some((2.5, CostSource::Reported)));
    assert_eq!(told(&mut later, sum).unwrap(), "at least 2.50 reported");
}

#[test]
fn the_first_piece_of_an_answer_ends_a_retry_once() {
    let mut tally = tally(Usage::default());
    hear(
        &mut tally,
        vec![Heard::Event(Body::Retrying(Retry::default()))],
    );
    let piece = || {
        vec![Heard::Delta(Delta {
            kind: DeltaKind::Text,
            key: "m".to_owned(),
            text: "a".to_owned(),
            parent_tool_call_id: None,
        })]
    };
    let first = hear(&mut tally, piece());
    assert_eq!(first[0], Heard::Event(Body::RetryEnded {}));
    assert_eq!(hear(&mut tally, piece()), piece());
}

#[test]
fn a_context_is_told_when_it_has_changed_by_a_hundredth_and_not_before() {
    let mut tally = tally(Usage::default());
    let mut measured = |used| {
        let now = ContextUse {
            used,
            limit: Some(200_000),
        };
        tally.measure(Some(now)).is_some()
    };
    let told: Vec<bool> = [5_000, 6_999, 7_000, 7_001, 4_000]
        .map(&mut measured)
        .into();
    assert_eq!(told, [true, false, true, false, true]);
}
