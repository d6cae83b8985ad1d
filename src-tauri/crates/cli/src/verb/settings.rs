//! The settings as one document: `settings show|set|unset`.

use anyhow::Result;
use paddock_api::{SettingView, SettingsRequest, SettingsView};

use crate::args::{Global, SettingsArgs, SettingsVerb};
use crate::exit::{Exit, told};
use crate::reach;
use crate::render::{clean, json, line, say, table};

/// Shows or changes settings.
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
    let Some(key) = key else {
        return all(global, view);
    };
    let Some(setting) = view.settings.iter().find(|setting| setting.key == key) else {
        let message = format!("there is no setting `{key}`: `paddock settings show` lists them");
        return Err(told(Exit::NotFound, message));
    };
    if global.json {
        json(setting)?;
    } else {
        line(&format!("{} = {}", setting.key, value(setting)));
        line(&format!("  {}\n  {}", setting.about, setting.allowed));
        say(&format!("  {}", setting.origin));
    }
    Ok(Exit::Well)
}

fn all(global: &Global, view: &SettingsView) -> Result<Exit> {
    if global.json {
        json(view)?;
        return Ok(Exit::Well);
    }
    let rows = view.settings.iter().map(|setting| {
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
