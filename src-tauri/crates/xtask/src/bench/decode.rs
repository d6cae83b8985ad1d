//! How fast recorded conversations are decoded, against `serde_json` making values of the same lines.

use anyhow::Context;
use serde_json::Value;

use super::Figure;
use crate::checkout::Checkout;
use crate::step;

/// Slowest rate aimed at, in MB/s, and against the parser.
const RATE_MIN: f64 = 200.0;
const RATIO_MIN: f64 = 1.0;
/// Seconds for each folder of recordings.
const SPAN: &str = "4";

pub(crate) fn measure(checkout: &Checkout) -> anyhow::Result<Vec<Figure>> {
    let mut speed = checkout.cargo();
    speed.args(["run", "--quiet", "--release", "-p", "paddock-harness"]);
    speed.args(["--example", "decode_speed", "--", SPAN]);
    let told = step::quiet("decode", &mut speed)?;
    let told: Vec<Value> = told
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()?;
    let of = |harness: &str| {
        let ours = |line: &&Value| {
            let name = line["recordings"].as_str();
            name.is_some_and(|name| name.starts_with(harness))
        };
        told.iter()
            .find(ours)
            .with_context(|| format!("nothing of {harness}"))
    };
    Ok(vec![
        figure("decode of Claude Code's lines", of("claude")?)?,
        figure("decode of Codex' lines", of("codex")?)?,
        cost(
            "allocations of a streamed piece, Claude Code",
            of("claude")?,
        )?,
        cost("allocations of a streamed piece, Codex", of("codex")?)?,
    ])
}

fn number(line: &Value, name: &str) -> anyhow::Result<f64> {
    line[name].as_f64().with_context(|| format!("no {name}"))
}

fn figure(what: &'static str, line: &Value) -> anyhow::Result<Figure> {
    let (decoded, value) = (number(line, "decoded_mb_s")?, number(line, "value_mb_s")?);
    Ok(Figure {
        what,
        measured: format!("{decoded:.0} MB/s, {:.1}×", decoded / value),
        aim: "≥ 200 MB/s, ≥ 1× `serde_json` to `Value`",
        met: decoded >= RATE_MIN && decoded >= value * RATIO_MIN,
        note: format!(
            "all recordings of {}, {:.1} MB, line by line on one core into events; the parser made {value:.0} MB/s of values of the same lines. Medians of 5, in turn.",
            line["recordings"].as_str().unwrap_or_default(),
            number(line, "bytes")? / 1e6
        ),
    })
}

fn cost(what: &'static str, line: &Value) -> anyhow::Result<Figure> {
    let each = number(line, "allocations_per_delta")?;
    Ok(Figure {
        what,
        measured: format!("{each:.2} beyond its text"),
        aim: "0, or why not",
        met: each < 0.005,
        note: format!(
            "{} lines that are one piece of text and nothing else. What is left is one for the key of the message that the piece belongs to, a text of its own in each piece because pieces outlive their codec and cross threads; and about two for each piece with an escape in it, for the buffer in which the JSON reader takes escapes out before the text is made (6 of 213 pieces of Claude Code, 63 of 273 of Codex, which streams the output of commands by lines).",
            number(line, "deltas")?
        ),
    })
}
