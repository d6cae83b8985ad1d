//! `paddock journal` and `paddock retention`: journals as files.
//!
//! The server that has the data directory does it; where none runs and none is named, it is done here, on the
//! directory itself, under the same lock.

use std::hash::{BuildHasher as _, RandomState};
use std::path::Path;

use anyhow::{Context as _, Result};
use paddock_api::{RepairRequest, RetentionRequest};
use paddock_client::Client;
use paddock_domain::{ExpiredKind, JournalCheck, JournalFile, JournalForm, JournalRepair, TaskId};
use paddock_store::{AtRest, StoreError};

use super::list::now;
use crate::args::{Global, JournalArgs, JournalVerb, RetentionArgs};
use crate::exit::{Exit, told};
use crate::render::{Paint, Progress, Tone, ago, clean, json, line, say, size, table};
use crate::{reach, resolve};

/// Who looks after the journals.
enum Keeper {
    /// The server that has them.
    Served(Client),
    /// Nobody: they are at rest.
    AtRest(Box<AtRest>),
}

/// Looks after journals.
pub(crate) async fn journal(global: &Global, args: JournalArgs) -> Result<Exit> {
    let keeper = Keeper::find(global).await?;
    let done = match args.verb {
        JournalVerb::Ls => ls(global, &keeper).await,
        JournalVerb::Verify { tasks, all } => verify(global, &keeper, &tasks, all).await,
        JournalVerb::Repair { task, dry_run } => repair(global, &keeper, &task, dry_run).await,
    };
    keeper.close().await;
    done
}

async fn ls(global: &Global, keeper: &Keeper) -> Result<Exit> {
    let journals = keeper.journals().await?;
    if global.json {
        json(&journals)?;
        return Ok(Exit::Well);
    }
    let rows = journals.iter().map(|journal| {
        vec![
            journal.task_id.to_string(),
            match journal.form {
                JournalForm::Plain => "plain".to_owned(),
                JournalForm::Compressed => "compressed".to_owned(),
            },
            journal.last_seq.to_string(),
            size(journal.text_bytes),
            size(journal.file_bytes),
            if journal.archived { "archived" } else { "" }.to_owned(),
            clean(journal.damage.as_deref().unwrap_or_default()) + &journal.kept.join(" "),
        ]
    });
    let headings = ["TASK", "FORM", "EVENTS", "TEXT", "ON DISK", "", "BESIDE IT"];
    line(&table(&headings, rows.collect(), None));
    Ok(Exit::Well)
}

async fn verify(global: &Global, keeper: &Keeper, tasks: &[String], all: bool) -> Result<Exit> {
    let ids = if all {
        keeper.tasks().await?
    } else {
        keeper.resolve(tasks).await?
    };
    let progress = Progress::begin("reading", global.json);
    let (mut checks, mut faults) = (Vec::new(), 0);
    for id in &ids {
        progress.tell(&format!("reading {id}"));
        let check = keeper.verify(id).await?;
        faults += check.findings.len();
        if !global.json {
            progress.aside(|| tell_check(&check));
        }
        checks.push(check);
    }
    drop(progress);
    let index = keeper.index_fault();
    if global.json {
        json(&checks)?;
    } else if let Some(fault) = &index {
        line(&format!("the index: {}", clean(fault)));
    }
    Ok(if faults == 0 && index.is_none() {
        Exit::Well
    } else {
        Exit::Failed
    })
}

fn tell_check(check: &JournalCheck) {
    let paint = Paint::of_stdout();
    let form = match check.form {
        Some(JournalForm::Compressed) => ", compressed",
        Some(JournalForm::Plain) | None => "",
    };
    let held = format!(
        "{} lines, {}{form}, {} artifacts",
        check.lines,
        size(check.text_bytes),
        check.artifacts
    );
    let mark = if check.findings.is_empty() {
        paint.text(Tone::Success, "✓")
    } else {
        paint.text(Tone::Failure, "✗")
    };
    line(&format!("{mark} {}  {held}", check.task_id));
    for found in &check.findings {
        let at = found.line.map(|at| format!("line {at}: "));
        line(&format!(
            "    {}{}",
            at.unwrap_or_default(),
            clean(&found.text)
        ));
    }
    if check.more {
        line("    and more");
    }
    if !check.kept.is_empty() {
        line(&format!("    kept beside it: {}", check.kept.join(" ")));
    }
}

async fn repair(global: &Global, keeper: &Keeper, task: &str, dry: bool) -> Result<Exit> {
    let ids = keeper.resolve(&[task.to_owned()]).await?;
    let id = ids.first().context("no task was named")?;
    let repaired = keeper.repair(id, dry).await?;
    if global.json {
        json(&repaired)?;
        return Ok(Exit::Well);
    }
    if repaired.steps.is_empty() {
        say("nothing has to be done");
    }
    for step in &repaired.steps {
        line(&clean(step));
    }
    if let Some(kept) = &repaired.kept {
        say(&format!(
            "the original is kept as {kept} in the task's folder"
        ));
    }
    Ok(Exit::Well)
}

/// What is kept too long, or removing it.
pub(crate) async fn retention(global: &Global, args: &RetentionArgs) -> Result<Exit> {
    let client = reach::client(global).await?;
    let request = RetentionRequest {
        unreferenced: args.unreferenced,
    };
    let expired = if args.apply {
        client.let_go(&request).await?
    } else {
        client.expired(&request).await?
    };
    if global.json {
        json(&expired)?;
        return Ok(Exit::Well);
    }
    if expired.items.is_empty() {
        say(
            "nothing is kept longer than the settings want (`paddock config --docs`, journal.keep_days)",
        );
        return Ok(Exit::Well);
    }
    let now = now();
    let rows = expired.items.iter().map(|expired| {
        let what = match expired.what {
            ExpiredKind::Journal => "journal and large outputs",
            ExpiredKind::Artifacts => "large outputs",
            ExpiredKind::Unreferenced => "outputs nothing refers to",
        };
        vec![
            expired.task_id.to_string(),
            what.to_owned(),
            size(expired.bytes),
            ago(expired.since, now),
            clean(&expired.title),
        ]
    });
    let headings = ["TASK", "WHAT", "SIZE", "SINCE", "TITLE"];
    line(&table(&headings, rows.collect(), None));
    let (is, how) = if args.apply {
        ("were removed", "")
    } else {
        ("would go", ": --apply removes them")
    };
    say(&format!("{} {is}{how}", size(expired.bytes)));
    Ok(Exit::Well)
}

impl Keeper {
    /// The server, or the directory where none runs.
    async fn find(global: &Global) -> Result<Self> {
        let unreachable = match reach::client(global).await {
            Ok(client) => match client.health().await {
                Ok(_) => return Ok(Self::Served(client)),
                Err(error) => error.into(),
            },
            Err(error) => error,
        };
        if global.url.is_some() || Exit::of(&unreachable) != Exit::Unreachable {
            return Err(unreachable);
        }
        let data = reach::settings(global)?.data_dir;
        let rest = AtRest::open(&data).await;
        let rest = rest.map_err(|error| explain(error, &data))?;
        Ok(Self::AtRest(Box::new(rest)))
    }

    async fn journals(&self) -> Result<Vec<JournalFile>> {
        match self {
            Self::Served(client) => Ok(client.journals().await?),
            Self::AtRest(rest) => Ok(rest.journals()?),
        }
    }

    async fn tasks(&self) -> Result<Vec<TaskId>> {
        match self {
            Self::Served(client) => {
                let journals = client.journals().await?;
                Ok(journals.into_iter().map(|found| found.task_id).collect())
            }
            Self::AtRest(rest) => Ok(rest.tasks()?),
        }
    }

    /// The tasks that were named, whole or in part; those that are not listed any more too.
    async fn resolve(&self, named: &[String]) -> Result<Vec<TaskId>> {
        let all = self.tasks().await?;
        named
            .iter()
            .map(|text| resolve::among(&all, text))
            .collect()
    }

    async fn verify(&self, id: &TaskId) -> Result<JournalCheck> {
        match self {
            Self::Served(client) => Ok(client.verify_journal(id).await?),
            Self::AtRest(rest) => Ok(rest.verify(id).await?),
        }
    }

    async fn repair(&self, id: &TaskId, dry_run: bool) -> Result<JournalRepair> {
        match self {
            Self::Served(client) => Ok(client
                .repair_journal(id, &RepairRequest { dry_run })
                .await?),
            Self::AtRest(rest) => Ok(rest.repair(id, now(), random(), dry_run).await?),
        }
    }

    fn index_fault(&self) -> Option<String> {
        match self {
            Self::Served(_) => None,
            Self::AtRest(rest) => rest.index_fault().map(str::to_owned),
        }
    }

    async fn close(self) {
        if let Self::AtRest(rest) = self {
            rest.close().await;
        }
    }
}

fn explain(error: StoreError, data: &Path) -> anyhow::Error {
    if let StoreError::InUse { .. } = error {
        let message = format!(
            "a server has {} and does not answer: end it, or ask it by its --url",
            data.display()
        );
        return told(Exit::InUse, message);
    }
    error.into()
}

/// Bits that nobody can foresee, for ids.
fn random() -> u128 {
    let half = || u128::from(RandomState::new().hash_one(std::process::id()));
    (half() << 64) | half()
}
