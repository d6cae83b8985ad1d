//! One conversation: the program is spawned as its launch plan says, and our codec talks to it.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, bail};
use paddock_domain::{
    Answer, ApprovalScope, Body, Decision, InputId, PermissionMode, PlanDecision, Program,
    TurnOutcome,
};
use paddock_harness::{Codec, CodecSetup, Harness, Heard, LaunchRequest, Outgoing};
use paddock_kit::Repository;
use paddock_scripted_model::ScriptedModel;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::act::{Act, At, Reaction, Story};

/// Longest time without a line from the program.
const SILENCE: Duration = Duration::from_secs(90);
/// Session ids that the user may choose are this one and those after it: fixtures do not depend on chance.
const SESSION: &str = "00000000-0000-4000-8000-000000000001";

/// A home, a repository and a program.
pub(crate) struct World<'w> {
    harness: &'static dyn Harness,
    program: PathBuf,
    node: Option<&'w Path>,
    toolbox: &'w Path,
    dir: tempfile::TempDir,
    provider: BTreeMap<String, String>,
    model: String,
}

/// What was said, both ways, and what our codec made of it.
#[derive(Debug, Default)]
pub(crate) struct Recording {
    pub(crate) out: Vec<String>,
    /// After how many lines of `out`, under which id, and the line.
    pub(crate) said: Vec<(usize, InputId, String)>,
    /// The types of the events, and what else was noticed.
    pub(crate) told: Vec<String>,
}

impl<'w> World<'w> {
    pub(crate) fn new(
        harness: &'static dyn Harness,
        program: &Program,
        node: Option<&'w Path>,
        toolbox: &'w Path,
        model: &ScriptedModel,
    ) -> anyhow::Result<Self> {
        let dir = tempfile::Builder::new().prefix("recorder-").tempdir()?;
        std::fs::create_dir_all(dir.path().join("home"))?;
        Repository::sample(&dir.path().join("repo"))?;
        let mut provider = BTreeMap::new();
        for variable in harness.provider_variables() {
            provider.insert((*variable).to_owned(), "scripted".to_owned());
        }
        // One key is enough, and some agents warn of two.
        provider.remove("ANTHROPIC_AUTH_TOKEN");
        provider.remove("CLAUDE_CODE_OAUTH_TOKEN");
        provider.remove("COPILOT_GITHUB_TOKEN");
        if let Some(variable) = harness.base_url_variable() {
            let of_openai = [
                "OPENAI_BASE_URL",
                "KIMI_MODEL_BASE_URL",
                "COPILOT_PROVIDER_BASE_URL",
            ];
            let tail = if of_openai.contains(&variable) {
                "/v1"
            } else {
                ""
            };
            provider.insert(variable.to_owned(), format!("{}{tail}", model.url()));
        }
        Ok(Self {
            harness,
            program: Path::new(&program.dir).join(&program.program),
            node,
            toolbox,
            dir,
            provider,
            model: model.url(),
        })
    }

    /// What a fixture must not tell, and what it says instead.
    pub(crate) fn hidden(&self) -> Vec<(String, &'static str)> {
        let path = |name: &str| self.dir.path().join(name).display().to_string();
        vec![
            (path("repo"), "/box/repo"),
            (path("home"), "/box/home"),
            (self.dir.path().display().to_string(), "/box"),
            (self.toolbox.display().to_string(), "/opt/toolbox"),
            (self.model.clone(), "http://127.0.0.1:1"),
        ]
    }

    fn spawn(&self, story: &Story, resume: Option<&str>) -> anyhow::Result<Talk> {
        let (home, repo) = (self.dir.path().join("home"), self.dir.path().join("repo"));
        let (home, repo) = (home.display().to_string(), repo.display().to_string());
        let request = LaunchRequest {
            fork: false,
            model: None,
            effort: None,
            permission_mode: story.mode,
            home: &home,
            work_dir: &repo,
            resume,
            session_id: SESSION,
            provider: &self.provider,
        };
        let plan = self.harness.launch(&request)?;
        for file in &plan.files {
            let path = Path::new(&home).join(&file.path);
            std::fs::create_dir_all(path.parent().context("a file has a folder")?)?;
            std::fs::write(path, &file.content)?;
        }
        let mut command = match self.node {
            Some(node) => {
                let mut command = Command::new(node);
                command.arg(&self.program);
                command
            }
            None => Command::new(&self.program),
        };
        command.args(&plan.args).env_clear().envs(&plan.env);
        let node_dir = self
            .node
            .and_then(Path::parent)
            .map(|dir| format!("{}:", dir.display()));
        let path = format!(
            "{}/usr/local/bin:/usr/bin:/bin",
            node_dir.unwrap_or_default()
        );
        command
            .env("PATH", path)
            .env("LANG", "C.UTF-8")
            .env("TERM", "dumb");
        command.env("TMPDIR", self.dir.path()).current_dir(&repo);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(std::fs::File::create(self.dir.path().join("stderr"))?)
            .kill_on_drop(true)
            .spawn()?;
        let stdin = child.stdin.take().context("stdin is piped")?;
        let stdout = child.stdout.take().context("stdout is piped")?;
        let codec = self.harness.codec(CodecSetup {
            permission_mode: story.mode,
            work_dir: repo,
            resume: resume.map(str::to_owned),
            ..CodecSetup::default()
        });
        Ok(Talk {
            codec,
            child,
            stdin,
            stdout: BufReader::new(stdout).lines(),
            heard: VecDeque::new(),
        })
    }

    /// Not every agent tells its model where it works, and the scripted one must know.
    fn in_place(&self, words: &str) -> String {
        let repo = self.dir.path().join("repo");
        words.replace("]]", &format!(" cwd={}]]", repo.display()))
    }

    fn stderr(&self) -> String {
        std::fs::read_to_string(self.dir.path().join("stderr")).unwrap_or_default()
    }
}

/// A program that runs, and our codec.
struct Talk {
    codec: Box<dyn Codec>,
    child: Child,
    stdin: ChildStdin,
    stdout: Lines<BufReader<ChildStdout>>,
    heard: VecDeque<Heard>,
}

impl Talk {
    async fn tell(
        &mut self,
        outgoing: Vec<Outgoing>,
        recording: &mut Recording,
        show: bool,
    ) -> anyhow::Result<()> {
        for Outgoing { id, bytes } in outgoing {
            let line = String::from_utf8(bytes.clone())?.trim_end().to_owned();
            if show {
                println!("  < {line}");
            }
            self.stdin.write_all(&bytes).await?;
            self.stdin.flush().await?;
            self.codec.said(&id, &bytes);
            recording.said.push((recording.out.len(), id, line));
        }
        Ok(())
    }

    /// The next thing heard; what the codec wants to say is said on the way.
    async fn next(&mut self, recording: &mut Recording, show: bool) -> anyhow::Result<Heard> {
        loop {
            match self.heard.pop_front() {
                Some(Heard::Send(outgoing)) => self.tell(vec![outgoing], recording, show).await?,
                Some(heard) => return Ok(heard),
                None => {
                    let line = tokio::time::timeout(SILENCE, self.stdout.next_line()).await;
                    let line = line.context("the program is silent")??;
                    let Some(line) = line else {
                        bail!("the program ended: {}", self.child.wait().await?);
                    };
                    if show {
                        let short: String = line.chars().take(400).collect();
                        println!("  > {short}");
                    }
                    let mut heard = Vec::new();
                    self.codec.hear(line.as_bytes(), &mut heard);
                    recording.out.push(line);
                    self.heard.extend(heard);
                }
            }
        }
    }
}

/// Plays a story. Where it fails, what was said until then is given too.
pub(crate) async fn play(
    world: &World<'_>,
    story: &Story,
    show: bool,
) -> Result<Recording, (Recording, anyhow::Error)> {
    let mut recording = Recording::default();
    match play_acts(world, story, &mut recording, show).await {
        Ok(()) => Ok(recording),
        Err(error) => {
            let error = error.context(format!("stderr: {}", world.stderr()));
            Err((recording, error))
        }
    }
}

async fn play_acts(
    world: &World<'_>,
    story: &Story,
    recording: &mut Recording,
    show: bool,
) -> anyhow::Result<()> {
    let mut talk = world.spawn(story, None)?;
    let greeting = talk.codec.greet();
    talk.tell(greeting, recording, show).await?;
    let mut session = None;
    for (nth, act) in story.acts.iter().enumerate() {
        let id = InputId::parse(&format!("u{nth}"))?;
        match act {
            Act::Say(words, reaction) => {
                let outgoing = talk.codec.prompt(&id, &world.in_place(words));
                talk.tell(outgoing, recording, show).await?;
                turn(&mut talk, recording, *reaction, None, &mut session, show).await?;
            }
            Act::Interrupt(words, at) => {
                let outgoing = talk.codec.prompt(&id, &world.in_place(words));
                talk.tell(outgoing, recording, show).await?;
                let reaction = Reaction::Allow;
                let outcome = turn(
                    &mut talk,
                    recording,
                    reaction,
                    Some(*at),
                    &mut session,
                    show,
                )
                .await?;
                anyhow::ensure!(outcome == TurnOutcome::Interrupted, "the turn {outcome:?}");
            }
            Act::KillAndResume => {
                talk.child.kill().await?;
                // A recording is of one run: what was said before is not kept.
                *recording = Recording::default();
                let known = session.as_deref().context("the agent named no session")?;
                talk = world.spawn(story, Some(known))?;
                let greeting = talk.codec.greet();
                talk.tell(greeting, recording, show).await?;
            }
        }
    }
    talk.child.kill().await?;
    Ok(())
}

/// Until the end of the turn: reacts to what the agent asks, or ends the turn.
async fn turn(
    talk: &mut Talk,
    recording: &mut Recording,
    reaction: Reaction,
    mut ends: Option<At>,
    session: &mut Option<String>,
    show: bool,
) -> anyhow::Result<TurnOutcome> {
    loop {
        let heard = talk.next(recording, show).await?;
        let seen = match &heard {
            Heard::Delta(_) => Some(At::Text),
            Heard::Event(Body::ToolCallStarted(_)) => Some(At::Call),
            Heard::Event(_) | Heard::Send(_) | Heard::TurnBegan => None,
        };
        let n = recording.said.len();
        if seen.is_some() && seen == ends {
            ends = None;
            let id = InputId::parse(&format!("stop{n}"))?;
            let outgoing = talk
                .codec
                .interrupt(&id)
                .context("it cannot be interrupted")?;
            talk.tell(outgoing, recording, show).await?;
        }
        let Heard::Event(body) = heard else { continue };
        recording.told.push(body.type_name().to_owned());
        let id = InputId::parse(&format!("answer{n}"))?;
        let outgoing = match &body {
            Body::AgentSessionNamed { session_id } => {
                *session = Some(session_id.clone());
                continue;
            }
            Body::Error { class, message, .. } => {
                let short: String = message.chars().take(160).collect();
                recording.told.push(format!("({class:?}: {short})"));
                continue;
            }
            Body::ApprovalRequested(approval) => {
                let decision = match reaction {
                    Reaction::Allow => Decision::Allow {
                        scope: ApprovalScope::Once,
                        input: None,
                    },
                    Reaction::Deny => Decision::Deny {
                        message: None,
                        interrupt: false,
                    },
                };
                talk.codec.decide(&id, &approval.approval_id, &decision)?
            }
            Body::QuestionAsked(question) => {
                let choices = question.choices.iter().take(1);
                let answer = Answer {
                    choices: choices.map(|choice| choice.label.clone()).collect(),
                    text: question.choices.is_empty().then(|| "Yes".to_owned()),
                };
                talk.codec.answer(&id, &question.question_id, &answer)?
            }
            Body::PlanProposed(plan) => {
                let decision = PlanDecision::Approve { text: None };
                talk.codec.decide_plan(
                    &id,
                    &plan.plan_id,
                    &decision,
                    PermissionMode::AcceptEdits,
                )?
            }
            Body::TurnFinished { outcome, .. } => {
                recording.told.push(format!("({outcome:?})"));
                return Ok(*outcome);
            }
            _ => continue,
        };
        talk.tell(outgoing, recording, show).await?;
    }
}
