//! Templates: `template ls|show|save|use|rm`; and the settings as a document: `settings show|set|unset`.

use anyhow::Result;
use paddock_api::{
    FillRequest, SettingView, SettingsRequest, SettingsView, TemplateRequest, TemplateView,
};

use super::run::{absolute, begin, spec};
use crate::args::{Global, SettingsArgs, SettingsVerb, TemplateArgs, TemplateVerb, on};
use crate::exit::{Exit, told};
use crate::reach;
use crate::render::{clean, json, line, say, table};

/// Templates.
pub(crate) async fn template(global: &Global, args: TemplateArgs) -> Result<Exit> {
    let client = reach::client_or_start(global).await?;
    match args.verb {
        TemplateVerb::Ls => {
            let templates = client.templates().await?;
            if global.json {
                json(&templates)?;
            } else {
                list(&templates);
            }
        }
        TemplateVerb::Show { name } => show(global, &client.template(&name).await?)?,
        TemplateVerb::Save { name, run } => {
            let request = TemplateRequest {
                spec: spec(global, *run)?,
            };
            let saved = client.save_template(&name, &request).await?;
            show(global, &saved)?;
        }
        TemplateVerb::Use {
            name,
            values,
            repo,
            detach,
            dry_run,
        } => {
            let values = values.into_iter().collect();
            let filled = client.fill_template(&name, &FillRequest { values }).await?;
            let paths: Result<Vec<_>> = repo.iter().map(|path| absolute(path)).collect();
            let filled = on(filled, paths?);
            if !dry_run {
                return begin(global, &client, &filled, detach).await;
            }
            json(&filled)?;
        }
        TemplateVerb::Rm { name } => {
            let removed = client.remove_template(&name).await?;
            if global.json {
                json(&removed)?;
            }
        }
    }
    Ok(Exit::Well)
}

fn list(templates: &[TemplateView]) {
    if templates.is_empty() {
        say("there are no templates: `paddock template save NAME \"…\"` makes one");
        return;
    }
    let rows = templates.iter().map(|view| {
        let spec = &view.template.spec;
        vec![
            view.template.name.to_string(),
            spec.harness.to_string(),
            view.variables.join(" "),
            clean(spec.prompt.lines().next().unwrap_or_default()),
        ]
    });
    line(&table(
        &["TEMPLATE", "AGENT", "GAPS", "PROMPT"],
        rows.collect(),
        None,
    ));
}

fn show(global: &Global, view: &TemplateView) -> Result<()> {
    if global.json {
        return json(view);
    }
    let spec = &view.template.spec;
    line(&format!("{}  {}", view.template.name, spec.harness));
    for repository in &spec.repositories {
        line(&format!("  {}", clean(&repository.path)));
    }
    if !view.variables.is_empty() {
        line(&format!("  gaps: {}", view.variables.join(", ")));
    }
    line(&clean(&spec.prompt));
    Ok(())
}

/// Settings.
pub(crate) async fn settings(global: &Global, args: SettingsArgs) -> Result<Exit> {
    let client = reach::client_or_start(global).await?;
    let request = match args.verb {
        SettingsVerb::Show { key } => {
            let view = client.settings().await?;
            return tell(global, &view, key.as_deref());
        }
        SettingsVerb::Set { values } => SettingsRequest {
            set: values.into_iter().collect(),
            ..SettingsRequest::default()
        },
        SettingsVerb::Unset { keys } => SettingsRequest {
            unset: keys.into_iter().collect(),
            ..SettingsRequest::default()
        },
    };
    let named: Vec<String> = request.set.keys().chain(&request.unset).cloned().collect();
    let view = client.change_settings(&request).await?;
    if global.json {
        json(&view)?;
        return Ok(Exit::Well);
    }
    for setting in view
        .settings
        .iter()
        .filter(|setting| named.contains(&setting.key))
    {
        line(&format!("{} = {}", setting.key, value(setting)));
        if let Some(note) = note(setting) {
            say(&format!("  {note}"));
        }
    }
    Ok(Exit::Well)
}

fn value(setting: &SettingView) -> String {
    clean(setting.value.as_deref().unwrap_or("–"))
}

fn note(setting: &SettingView) -> Option<String> {
    let is_overruled = setting.saved.is_some() && setting.saved != setting.value;
    if is_overruled && !setting.origin.starts_with("set in") {
        return Some(format!("{} goes before it", setting.origin));
    }
    setting
        .waits
        .then(|| "it holds from the next start on".to_owned())
}

fn tell(global: &Global, view: &SettingsView, key: Option<&str>) -> Result<Exit> {
    let wanted = |setting: &&SettingView| key.is_none_or(|key| setting.key == key);
    let settings: Vec<_> = view.settings.iter().filter(wanted).collect();
    if let (Some(key), true) = (key, settings.is_empty()) {
        let message = format!("there is no setting `{key}`: `paddock settings show` lists them");
        return Err(told(Exit::NotFound, message));
    }
    if global.json {
        match (key, settings.first()) {
            (Some(_), Some(setting)) => json(setting)?,
            (Some(_), None) | (None, _) => json(view)?,
        }
        return Ok(Exit::Well);
    }
    if let (Some(_), Some(setting)) = (key, settings.first()) {
        line(&format!("{} = {}", setting.key, value(setting)));
        line(&format!("  {}\n  {}", setting.about, setting.allowed));
        say(&format!("  {}", setting.origin));
        return Ok(Exit::Well);
    }
    let rows = settings.iter().map(|setting| {
        let from = if setting.origin == "default" {
            ""
        } else {
            &setting.origin
        };
        let note = note(setting).unwrap_or_else(|| from.to_owned());
        vec![setting.key.clone(), value(setting), clean(&note)]
    });
    line(&table(&["SETTING", "VALUE", "FROM"], rows.collect(), None));
    Ok(Exit::Well)
}
