//! `paddock export`: a task as plain files that outlive Paddock.
//!
//! Everything comes through the API and goes to the disk as it comes, so a long journal takes no memory. A
//! task's folder gets its name when it is whole.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use paddock_client::{Client, ClientError, FeedItem};
use paddock_domain::{DiffRequest, Event, TaskId};
use serde_json::json as object;

use crate::args::{ExportArgs, ExportFormat, Global};
use crate::exit::{Exit, told};
use crate::render::{MarkdownTranscript, Progress, clean, json, line, say};
use crate::{reach, resolve};

/// Exports tasks.
pub(crate) async fn export(global: &Global, args: ExportArgs) -> Result<Exit> {
    let client = reach::client(global).await?;
    let known = client.journals().await?;
    let known: Vec<_> = known.into_iter().map(|found| found.task_id).collect();
    let tasks: Vec<TaskId> = if args.all {
        known
    } else {
        let named = args.tasks.iter();
        named
            .map(|text| resolve::among(&known, text))
            .collect::<Result<_>>()?
    };
    let mut to = Output::begin(&args.output)?;
    let progress = Progress::begin("exporting", global.json);
    let mut exported = Vec::new();
    for task in &tasks {
        progress.tell(&format!("exporting {task}"));
        let folder = to.folder(task)?;
        let writer = Writer {
            client: &client,
            task,
            folder: &folder,
            format: args.format,
            missing: Vec::new(),
        };
        let missing = writer.write().await;
        let missing = missing.with_context(|| format!("task {task} is not exported"))?;
        let path = to.take(task, &folder)?;
        progress.aside(|| {
            if !global.json {
                line(&path.display().to_string());
            }
            for what in &missing {
                say(&format!("  without {}", clean(what)));
            }
        });
        exported.push(object!({ "task_id": task, "path": path, "missing": missing }));
    }
    to.end()?;
    drop(progress);
    if global.json {
        json(&exported)?;
    }
    Ok(Exit::Well)
}

/// Where tasks go.
enum Output {
    /// Each into a folder below this one.
    Folder(PathBuf),
    /// All into this file, each by way of a folder beside it.
    Tar {
        file: PathBuf,
        half: PathBuf,
        builder: Box<tar::Builder<BufWriter<File>>>,
    },
}

impl Output {
    fn begin(output: &Path) -> Result<Self> {
        if output.extension().is_none_or(|end| end != "tar") {
            fs::create_dir_all(output).with_context(|| cannot("make", output))?;
            return Ok(Self::Folder(output.to_owned()));
        }
        if output.exists() {
            return Err(there(output));
        }
        let half = beside(output);
        let to = File::create_new(&half).with_context(|| cannot("make", &half))?;
        let mut builder = tar::Builder::new(BufWriter::new(to));
        builder.follow_symlinks(false);
        Ok(Self::Tar {
            file: output.to_owned(),
            half,
            builder: Box::new(builder),
        })
    }

    /// An empty folder to write a task to.
    fn folder(&self, task: &TaskId) -> Result<PathBuf> {
        let folder = match self {
            Self::Folder(dir) => {
                if dir.join(task.as_str()).exists() {
                    return Err(there(&dir.join(task.as_str())));
                }
                dir.join(format!(".{task}.part"))
            }
            Self::Tar { half, .. } => beside(half),
        };
        let _ = fs::remove_dir_all(&folder); // of an export that was cut short
        fs::create_dir(&folder).with_context(|| cannot("make", &folder))?;
        Ok(folder)
    }

    /// Takes the folder of a task that is written. Gives where the task is.
    fn take(&mut self, task: &TaskId, folder: &Path) -> Result<PathBuf> {
        match self {
            Self::Folder(dir) => {
                let path = dir.join(task.as_str());
                fs::rename(folder, &path).with_context(|| cannot("make", &path))?;
                Ok(path)
            }
            Self::Tar { file, builder, .. } => {
                builder
                    .append_dir_all(task.as_str(), folder)
                    .with_context(|| cannot("write", file))?;
                fs::remove_dir_all(folder).with_context(|| cannot("remove", folder))?;
                Ok(file.join(task.as_str()))
            }
        }
    }

    fn end(self) -> Result<()> {
        let Self::Tar {
            file,
            half,
            builder,
        } = self
        else {
            return Ok(());
        };
        let written = builder
            .into_inner()
            .with_context(|| cannot("write", &half))?;
        let whole = written.into_inner().context("the archive is not whole")?;
        whole.sync_all().with_context(|| cannot("write", &half))?;
        fs::rename(&half, &file).with_context(|| cannot("make", &file))
    }
}

/// One task on its way into a folder.
struct Writer<'a> {
    client: &'a Client,
    task: &'a TaskId,
    folder: &'a Path,
    format: Option<ExportFormat>,
    /// What could not be had.
    missing: Vec<String>,
}

impl Writer<'_> {
    /// Writes everything; gives what could not be had.
    async fn write(mut self) -> Result<Vec<String>> {
        let task = self.client.task(self.task).await?;
        let mut text = serde_json::to_vec_pretty(&task)?;
        text.push(b'\n');
        self.put("task.json", &text)?;
        let artifacts = self.events().await?;
        for sha256 in artifacts {
            self.artifact(&sha256).await?;
        }
        for (nth, repository) in (1..).zip(&task.repositories) {
            self.diff(nth, &repository.path).await?;
        }
        Ok(self.missing)
    }

    /// Writes what happened as it comes, and gives the artifacts that it refers to.
    async fn events(&mut self) -> Result<BTreeSet<String>> {
        let wants = |format| self.format.is_none_or(|only| only == format);
        let mut journal = self.file("journal.jsonl", wants(ExportFormat::Jsonl))?;
        let mut transcript = self.file("transcript.md", wants(ExportFormat::Md))?;
        let mut markdown = MarkdownTranscript::default();
        let (mut artifacts, mut unknown) = (BTreeSet::new(), 0_u64);
        let mut feed = self.client.events(self.task, 0);
        loop {
            let item = feed.next().await?;
            if let FeedItem::Event(event) = item {
                if let Some(journal) = &mut journal {
                    writeln!(journal, "{}", event.json)?;
                }
                match event.parse() {
                    Ok(event) => {
                        take_artifacts(&event, &mut artifacts);
                        if let Some(transcript) = &mut transcript {
                            transcript.write_all(markdown.event(&event).as_bytes())?;
                        }
                    }
                    Err(_) => unknown += 1,
                }
            } else if matches!(item, FeedItem::Ready) {
                break;
            } else if matches!(item, FeedItem::Reset(_)) {
                bail!("the server began the history anew: try again");
            }
        }
        for file in [journal, transcript].into_iter().flatten() {
            file.into_inner()?.sync_all()?;
        }
        if unknown > 0 {
            let what = format!("{unknown} events in the transcript: they are of a newer version");
            self.missing.push(what);
        }
        Ok(artifacts)
    }

    async fn artifact(&mut self, sha256: &str) -> Result<()> {
        match self.client.artifact(self.task, sha256).await {
            Ok(content) => {
                let dir = self.folder.join("artifacts");
                fs::create_dir_all(&dir).with_context(|| cannot("make", &dir))?;
                let name = safe(sha256);
                self.put(&format!("artifacts/{name}"), &content)
            }
            Err(error) => self.without(&format!("artifact {sha256}"), error),
        }
    }

    async fn diff(&mut self, nth: usize, repository: &str) -> Result<()> {
        let request = DiffRequest {
            repository: Some(repository.to_owned()),
            ..DiffRequest::default()
        };
        match self.client.diff(self.task, &request).await {
            Ok(diff) => {
                let name = Path::new(repository).file_name();
                let name = name.map_or_else(String::new, |name| safe(&name.to_string_lossy()));
                self.put(&format!("{nth}-{name}.diff"), &diff)
            }
            Err(error) => self.without(&format!("the diff of {repository}"), error),
        }
    }

    /// Goes on without `what`, unless the server is gone.
    fn without(&mut self, what: &str, error: ClientError) -> Result<()> {
        if let ClientError::Refused { .. } = error {
            self.missing.push(format!("{what}: {error}"));
            return Ok(());
        }
        Err(error.into())
    }

    fn put(&self, name: &str, content: &[u8]) -> Result<()> {
        let path = self.folder.join(name);
        let mut file = File::create_new(&path).with_context(|| cannot("make", &path))?;
        file.write_all(content)
            .and_then(|()| file.sync_all())
            .with_context(|| cannot("write", &path))
    }

    fn file(&self, name: &str, wanted: bool) -> Result<Option<BufWriter<File>>> {
        if !wanted {
            return Ok(None);
        }
        let path = self.folder.join(name);
        let file = File::create_new(&path).with_context(|| cannot("make", &path))?;
        Ok(Some(BufWriter::new(file)))
    }
}

fn take_artifacts(event: &Event, artifacts: &mut BTreeSet<String>) {
    let named = event.body.artifacts();
    artifacts.extend(named.map(|reference| reference.sha256.clone()));
    let sent = event.body.attachments().iter();
    artifacts.extend(sent.map(|attachment| attachment.sha256.clone()));
}

/// `name` as a file's name that leaves no folder.
fn safe(name: &str) -> String {
    let keep = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let name: String = name
        .chars()
        .take(80)
        .map(|c| if keep(c) { c } else { '_' })
        .collect();
    name.trim_start_matches('.').to_owned()
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    PathBuf::from(name)
}

fn cannot(what: &str, path: &Path) -> String {
    format!("cannot {what} {}", path.display())
}

fn there(path: &Path) -> anyhow::Error {
    let message = format!(
        "{} is there already: choose another place with -o",
        path.display()
    );
    told(Exit::Refused, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_elsewhere_leave_no_folder() {
        for (name, expected) in [("../../etc", "_.._etc"), ("a b", "a_b"), ("", "")] {
            assert_eq!(safe(name), expected);
        }
    }
}
