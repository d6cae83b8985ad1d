//! Templates: `template ls|show|save|use|rm`.

use anyhow::Result;
use paddock_api::{FillRequest, TemplateRequest, TemplateView};
use paddock_domain::{RepositorySpec, TaskSpec};

use super::run::{absolute, begin, spec};
use crate::args::{Global, TemplateArgs, TemplateVerb};
use crate::exit::Exit;
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
            let filled = on_repositories(filled, paths?);
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

/// A template's task, its repositories replaced where others are named.
fn on_repositories(spec: TaskSpec, paths: Vec<String>) -> TaskSpec {
    if paths.is_empty() {
        return spec;
    }
    let repositories = paths.into_iter().map(|path| RepositorySpec {
        path,
        base: None,
        branch: None,
    });
    TaskSpec {
        repositories: repositories.collect(),
        ..spec
    }
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
