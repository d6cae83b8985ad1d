//! What is around the tasks: `harness`, `inspect`, `doctor`, `pair`, `decode`, `config`.

use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use paddock_api::{Check, InspectQuery, InstallRequest};
use paddock_client::InstallItem;
use paddock_config::{Origin, Settings};
use paddock_domain::HarnessName;
use paddock_harness::Heard;
use paddock_orchestrator::{Programs, boxes_settings};
use serde_json::json as object;

use super::run::absolute;
use crate::args::{DecodeArgs, Global, HarnessVerb};
use crate::exit::{Exit, told};
use crate::reach;
use crate::render::{Paint, Progress, Tone, abilities, clean, json, line, table};

/// Longest recording that is decoded, in bytes.
const RECORDING_MAX: u64 = 1 << 30;

/// Agent programs.
pub(crate) async fn harness(global: &Global, verb: HarnessVerb) -> Result<Exit> {
    match verb {
        HarnessVerb::Ls => harnesses(global).await,
        HarnessVerb::Install { harness, version } => install(global, &harness, version).await,
    }
}

async fn harnesses(global: &Global) -> Result<Exit> {
    let harnesses = reach::client_or_start(global).await?.harnesses().await?;
    if global.json {
        json(&harnesses)?;
        return Ok(Exit::Well);
    }
    let rows = harnesses.iter().map(|harness| {
        let installed: Vec<_> = harness
            .installed
            .iter()
            .map(|program| program.version.as_str())
            .collect();
        vec![
            harness.name.to_string(),
            if installed.is_empty() {
                "–".to_owned()
            } else {
                installed.join(" ")
            },
            harness.versions.join(" "),
            harness.provider_set.join(" "),
        ]
    });
    line(&table(
        &["HARNESS", "INSTALLED", "TESTED WITH", "KEYS SET"],
        rows.collect(),
        None,
    ));
    let names = harnesses.iter().map(|harness| harness.name.as_str());
    let headings: Vec<_> = std::iter::once("CAN").chain(names).collect();
    line("");
    line(&table(&headings, abilities(&harnesses), None));
    Ok(Exit::Well)
}

async fn install(global: &Global, harness: &str, version: Option<String>) -> Result<Exit> {
    let harness =
        HarnessName::parse(harness).map_err(|error| told(Exit::Usage, error.to_string()))?;
    let client = reach::client_or_start(global).await?;
    let progress = Progress::begin(&format!("installing {harness}"), global.json);
    let mut course = client
        .install(&harness, &InstallRequest { version })
        .await?;
    loop {
        match course.next().await? {
            InstallItem::Progress(told) => progress.tell(&told.text),
            InstallItem::Done(program) => {
                let said = format!(
                    "{} {} is in {}",
                    program.harness, program.version, program.dir
                );
                progress.aside(|| {
                    if !global.json {
                        line(&said)
                    }
                });
                if global.json {
                    json(&program)?;
                }
                return Ok(Exit::Well);
            }
        }
    }
}

/// A look at a repository.
pub(crate) async fn inspect(global: &Global, path: &Path) -> Result<Exit> {
    let client = reach::client(global).await?;
    let found = client
        .inspect(&InspectQuery {
            path: absolute(path)?,
        })
        .await?;
    if global.json {
        json(&found)?;
        return Ok(Exit::Well);
    }
    line(&clean(&found.path));
    line(&clean(&format!(
        "  on {}",
        found.branch.as_deref().unwrap_or("no branch")
    )));
    line(&clean(&format!("  remotes: {}", found.remotes.join(", "))));
    for notice in &found.notices {
        line(&format!("  {}", clean(notice)));
    }
    Ok(Exit::Well)
}

/// What is missing; asked of the server where there is one, found out here where there is none.
pub(crate) async fn doctor(global: &Global) -> Result<Exit> {
    let progress = Progress::begin("looking", global.json);
    let checks = match reach::client(global).await {
        Ok(client) => client.doctor().await?,
        Err(error) if global.url.is_some() => return Err(error),
        Err(_) => here(&reach::settings(global)?).await?,
    };
    drop(progress);
    if global.json {
        json(&checks)?;
    } else {
        checks.iter().for_each(tell_check);
    }
    let well = checks.iter().all(|check| check.ok);
    Ok(if well { Exit::Well } else { Exit::Failed })
}

async fn here(settings: &Settings) -> Result<Vec<Check>> {
    let relay = Programs::beside("paddock-relay").context("cannot tell where this program is")?;
    let boxes = paddock_boxes::Boxes::new(boxes_settings(settings, relay)?);
    let checks = boxes.doctor().await.into_iter().map(|check| Check {
        name: check.name.to_owned(),
        ok: check.ok,
        detail: check.detail,
        remedy: check.remedy,
    });
    Ok(checks.collect())
}

fn tell_check(check: &Check) {
    let paint = Paint::of_stdout();
    let mark = if check.ok {
        paint.text(Tone::Success, "✓")
    } else {
        paint.text(Tone::Failure, "✗")
    };
    line(&format!("{mark} {}: {}", check.name, clean(&check.detail)));
    if let Some(remedy) = &check.remedy {
        line(&format!("  {}", clean(remedy)));
    }
}

/// A link that pairs a browser.
pub(crate) async fn pair(global: &Global) -> Result<Exit> {
    let client = reach::client(global).await?;
    let code = client.pairing_code().await?;
    let link = format!("{}{}", client.url(), code.path);
    if global.json {
        json(&object!({ "url": link, "code": code.code, "expires_at": code.expires_at }))?;
    } else {
        line(&link);
    }
    Ok(Exit::Well)
}

/// The events that a recorded output yields.
pub(crate) fn decode(global: &Global, args: &DecodeArgs) -> Result<Exit> {
    add_agents(global, &args.harness)?;
    let Some(harness) = paddock_harness::find(&args.harness) else {
        let known: Vec<_> = paddock_harness::registry()
            .iter()
            .map(|known| known.name().to_string())
            .collect();
        let message = format!(
            "there is no harness `{}`: use one of {}",
            args.harness,
            known.join(", ")
        );
        return Err(told(Exit::NotFound, message));
    };
    let mut bytes = Vec::new();
    let read = if args.file == Path::new("-") {
        std::io::stdin().take(RECORDING_MAX).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(&args.file)
            .and_then(|file| file.take(RECORDING_MAX).read_to_end(&mut bytes))
    };
    read.with_context(|| format!("{} cannot be read", args.file.display()))?;
    for (number, heard) in paddock_harness::decode_recording(harness, &bytes) {
        match heard {
            Heard::Event(body) => {
                let mut event = serde_json::to_value(&body)?;
                event["line"] = number.into();
                json(&event)?;
            }
            Heard::Delta(delta) if args.deltas => {
                json(&object!({ "line": number, "delta": delta }))?
            }
            Heard::Delta(_) | Heard::Send(_) | Heard::TurnBegan => {}
        }
    }
    Ok(Exit::Well)
}

/// Makes agents of the configuration known, where the one that is asked for does not come with Paddock: the
/// others are decoded wherever no configuration can be read.
fn add_agents(global: &Global, harness: &str) -> Result<()> {
    if paddock_harness::find(harness).is_some() {
        return Ok(());
    }
    let settings = reach::settings(global)?;
    paddock_orchestrator::add_agents(&settings.agents)
        .map_err(|error| told(Exit::Usage, error.to_string()))
}

/// The settings, or what they mean.
pub(crate) fn config(global: &Global, docs: bool) -> Result<Exit> {
    if docs {
        explain(global)?;
        return Ok(Exit::Well);
    }
    let settings = reach::settings(global)?;
    let shown = settings.shown();
    if global.json {
        let values = shown.iter().map(|shown| {
            object!({ "key": shown.key, "value": shown.value, "origin": shown.origin.to_string() })
        });
        json(&values.collect::<Vec<_>>())?;
        return Ok(Exit::Well);
    }
    let rows = shown.iter().map(|shown| {
        let origin = if shown.origin == Origin::Default {
            String::new()
        } else {
            shown.origin.to_string()
        };
        vec![
            shown.key.clone(),
            shown.value.clone().unwrap_or_else(|| "–".to_owned()),
            origin,
        ]
    });
    line(&table(&["SETTING", "VALUE", "FROM"], rows.collect(), None));
    Ok(Exit::Well)
}

fn explain(global: &Global) -> Result<()> {
    let mut all = Vec::new();
    for documented in Settings::documented() {
        if global.json {
            all.push(object!({
                "key": documented.key, "variable": documented.variable, "allowed": documented.allowed,
                "default": documented.default, "about": documented.about,
            }));
        } else {
            let default = if documented.default.is_empty() {
                "not set"
            } else {
                documented.default
            };
            line(&format!(
                "{} ({})\n  {}\n  {}; default: {default}",
                documented.key, documented.variable, documented.about, documented.allowed
            ));
        }
    }
    if global.json { json(&all) } else { Ok(()) }
}
