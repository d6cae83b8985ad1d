//! What the program of a task offers: `offers`, and a hint where a model is chosen that it does not list.

use anyhow::Result;
use paddock_client::Client;
use paddock_domain::{OfferedModel, Offers, TaskId};

use super::control::of;
use crate::args::{Global, OffersArgs};
use crate::exit::Exit;
use crate::render::{clean, json, line, say, table};

/// Most models that a hint names.
const HINTED: usize = 12;

/// Shows what the program offers.
pub(crate) async fn offers(global: &Global, args: &OffersArgs) -> Result<Exit> {
    let (client, task) = of(global, &args.task).await?;
    let mut offers = client.offers(&task).await?;
    if args.models {
        (offers.commands, offers.more_commands) = Default::default();
    }
    if args.commands {
        (offers.models, offers.more_models, offers.model) = Default::default();
    }
    if global.json {
        json(&offers)?;
    } else if offers.is_empty() {
        line(match (args.models, args.commands) {
            (true, _) => "its program has named no models yet",
            (_, true) => "its program has named no commands of its own yet",
            (false, false) => "its program has not said yet what it offers",
        });
    } else {
        tell(&offers);
    }
    Ok(Exit::Well)
}

fn tell(offers: &Offers) {
    let commands = offers.commands.iter().map(|command| {
        let hint = command.hint.iter().map(|hint| format!(" {hint}"));
        let name = format!("/{}{}", command.name, hint.collect::<String>());
        vec![
            clean(&name),
            clean(command.description.as_deref().unwrap_or_default()),
        ]
    });
    let commands: Vec<_> = commands.collect();
    if !commands.is_empty() {
        line(&table(&["COMMAND", "WHAT IT DOES"], commands, None));
    }
    if offers.more_commands > 0 {
        line(&format!("and {} more commands", offers.more_commands));
    }
    let models = offers.models.iter().map(|model| row(model, offers));
    let models: Vec<_> = models.collect();
    if !models.is_empty() {
        if !offers.commands.is_empty() {
            line("");
        }
        line(&table(
            &["MODEL", "NAME", "EFFORTS", "WHAT IT IS FOR"],
            models,
            None,
        ));
    }
    if offers.more_models > 0 {
        line(&format!("and {} more models", offers.more_models));
    }
}

fn row(model: &OfferedModel, offers: &Offers) -> Vec<String> {
    let is_current = offers.model.as_ref() == Some(&model.id);
    let mark = if is_current { " (now)" } else { "" };
    let name = model.name.as_deref().or(model.stands_for.as_deref());
    vec![
        clean(&format!("{}{mark}", model.id)),
        clean(name.unwrap_or_default()),
        clean(&model.efforts.join(" ")),
        clean(model.description.as_deref().unwrap_or_default()),
    ]
}

/// Says so where the program lists models and not this one: it is taken all the same.
pub(super) async fn hint_at_models(client: &Client, task: &TaskId, model: &str) {
    let Ok(offers) = client.offers(task).await else {
        return;
    };
    if offers.models.is_empty() || offers.model_named(model).is_some() {
        return;
    }
    let named = offers.models.iter().take(HINTED);
    let named: Vec<_> = named.map(|model| model.id.as_str()).collect();
    let more = offers.models.len().saturating_sub(HINTED) as u64 + offers.more_models;
    let more = match more {
        0 => String::new(),
        more => format!(" and {more} more (`paddock offers`)"),
    };
    let named = named.join(", ");
    say(&clean(&format!(
        "its program does not list `{model}`; it lists {named}{more}"
    )));
}
