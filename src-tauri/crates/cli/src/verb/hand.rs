//! Tasks that go on otherwise: `fork`, `handoff`, `compare`; and the files that go with words.

use anyhow::Result;
use paddock_api::{CheckRequest, GroupMember, GroupRequest, GroupView};
use paddock_client::{Client, FilesError};
use paddock_domain::{
    Attachment, Contender, ForkRequest, HandOffRequest, HarnessName, Message, PickRequest,
    PurgeRequest, TaskSpec,
};

use super::control::{done, of};
use super::follow::Following;
use super::run::text_or_stdin;
use crate::args::{CompareArgs, FilesArgs, ForkArgs, Global, HandOffArgs};
use crate::exit::{Exit, told};
use crate::reach;
use crate::render::{json, line, print, say, span, table};
use crate::resolve::{self, one_of, short};

/// Uploads the files that go with a message.
pub(crate) async fn upload(client: &Client, files: &FilesArgs) -> Result<Vec<Attachment>> {
    let uploaded = client.upload_files(&files.files).await;
    uploaded.map_err(|error| match error {
        FilesError::Client(error) => error.into(),
        FilesError::Unread { .. } => error.into(),
        FilesError::NotPlain { .. } | FilesError::TooLarge { .. } | FilesError::TooMuch(_) => {
            told(Exit::Usage, error.to_string())
        }
    })
}

/// Agents as they are typed: `HARNESS` or `HARNESS:MODEL`.
pub(crate) fn contenders(typed: &[String]) -> Result<Vec<Contender>> {
    typed.iter().map(|one| contender(one)).collect()
}

fn contender(typed: &str) -> Result<Contender> {
    let (harness, model) = match typed.split_once(':') {
        Some((harness, model)) => (harness, Some(model.to_owned())),
        None => (typed, None),
    };
    let harness = HarnessName::parse(harness);
    Ok(Contender {
        harness: harness.map_err(|error| told(Exit::Usage, error.to_string()))?,
        harness_version: None,
        model,
        effort: None,
    })
}

/// Begins another task where one stands.
pub(crate) async fn fork(global: &Global, args: ForkArgs) -> Result<Exit> {
    let (client, task) = of(global, &args.task).await?;
    let request = ForkRequest {
        prompt: text_or_stdin(args.prompt)?,
        attachments: upload(&client, &args.files).await?,
        title: args.title,
        uncommitted: args.uncommitted,
        with: args.with.as_deref().map(contender).transpose()?,
        request_key: None,
    };
    let fork = client.fork(&task, &request).await?;
    if args.detach {
        if global.json {
            json(&fork)?
        } else {
            line(fork.task_id.as_str())
        }
        return Ok(Exit::Well);
    }
    if !global.json {
        say(&format!("task {} ({})", short(&fork.task_id), fork.task_id));
    }
    Following::new(&client, fork.task_id, global.json, None)
        .until_rest(0)
        .await
}

/// Lets another agent go on with a task.
pub(crate) async fn hand_off(global: &Global, args: HandOffArgs) -> Result<Exit> {
    let (client, task) = of(global, &args.task).await?;
    let said = format!("{} takes over", args.harness);
    let to = Contender {
        harness: args.harness,
        harness_version: args.harness_version,
        model: args.model,
        effort: args.effort,
    };
    let reason = args.because;
    let before = client.task(&task).await?.last_seq;
    let accepted = client
        .hand_off(&task, &HandOffRequest { to, reason })
        .await?;
    if let Some(text) = args.say {
        let message = Message {
            input_id: None,
            text,
            attachments: Vec::new(),
        };
        let sent = client.say(&task, &message).await?;
        if args.follow {
            let following = Following::new(&client, task, global.json, Some(sent.input_id));
            return following.until_rest(before).await;
        }
    }
    done(global, &accepted, &said)
}

/// Runs one prompt on several agents and says how to compare them.
pub(crate) async fn run_group(
    global: &Global,
    client: &Client,
    task: TaskSpec,
    also: Vec<Contender>,
    check: Option<String>,
) -> Result<Exit> {
    let request = GroupRequest { task, also, check };
    let group = client.create_group(&request).await?;
    if global.json {
        json(&group)?;
    } else {
        print(&side_by_side(&group));
        say(&format!("next: paddock compare {}", group.group_id));
    }
    Ok(Exit::Well)
}

/// Compares what several agents made of one prompt.
pub(crate) async fn compare(global: &Global, args: CompareArgs) -> Result<Exit> {
    let client = reach::client(global).await?;
    let groups = client.groups().await?;
    let Some(named) = &args.group else {
        if global.json {
            json(&groups)?;
        } else {
            let rows = groups.iter().map(|group| {
                let members = group.members.len().to_string();
                vec![group.group_id.to_string(), members, group.title.clone()]
            });
            print(&table(&["Group", "Tasks", "Title"], rows.collect(), None));
        }
        return Ok(Exit::Well);
    };
    let none = |named: &str| format!("there is no group `{named}`: `paddock compare` lists them");
    let found = one_of(
        &groups,
        |group| group.group_id.as_str(),
        "groups",
        named,
        none,
    )?;
    let mut group = found.clone();
    if let Some(command) = args.check {
        let request = CheckRequest { command };
        let checks = client.check_group(&group.group_id, &request).await?;
        for error in checks.items.iter().filter_map(|check| check.error.as_ref()) {
            say(error);
        }
        group = client.group(&group.group_id).await?;
    }
    if let Some(task) = &args.pick {
        let request = PickRequest {
            task_id: resolve::task(&client, task).await?,
            purge_others: args.purge_others.then(|| PurgeRequest {
                force: args.force,
                ..PurgeRequest::default()
            }),
        };
        group = client.pick(&group.group_id, &request).await?;
    }
    if global.json {
        json(&group)?;
    } else {
        print(&side_by_side(&group));
    }
    Ok(Exit::Well)
}

fn side_by_side(group: &GroupView) -> String {
    let headings = [
        "Task", "Agent", "State", "Changes", "Cost", "Worked", "Check", "",
    ];
    let rows = group.members.iter().map(|member| row(group, member));
    let table = table(&headings, rows.collect(), None);
    format!("{} ({})\n{table}\n", group.title, group.group_id)
}

fn row(group: &GroupView, member: &GroupMember) -> Vec<String> {
    let task = &member.task;
    let agent = match member.requested_model.as_ref().or(task.model.as_ref()) {
        Some(model) => format!("{} {model}", member.harness),
        None => member.harness.to_string(),
    };
    let (added, removed) = task.repositories.iter().fold((0, 0), |(a, r), repository| {
        (a + repository.added, r + repository.removed)
    });
    let cost = task.usage.cost;
    let check = match &member.check {
        Some(check) if check.passed() => "passed".to_owned(),
        Some(check) => match check.exit_code {
            Some(code) => format!("exit {code}"),
            None => "not ended".to_owned(),
        },
        None => "–".to_owned(),
    };
    let chosen = group.winner.as_ref() == Some(&task.task_id);
    vec![
        short(&task.task_id).to_owned(),
        agent,
        task.state.to_string(),
        format!("+{added} −{removed}"),
        cost.map_or_else(|| "–".to_owned(), crate::render::cost),
        span(member.worked_ms),
        check,
        if chosen { "chosen" } else { "" }.to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_is_typed_with_or_without_its_model() {
        let typed = |text: &str| contender(text).map(|it| (it.harness.to_string(), it.model));
        assert_eq!(typed("codex").unwrap(), ("codex".to_owned(), None));
        let with_model = typed("opencode:openai/gpt-5").unwrap();
        assert_eq!(with_model.1.as_deref(), Some("openai/gpt-5"));
        assert!(typed("../x").is_err());
    }
}
