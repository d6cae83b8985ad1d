//! The stories: what the model does, step by step, in words that no dialect and no agent owns.
//!
//! A story is a pure function of its marker and the scene; a step is one model turn. Tools are
//! abstract here; `bind` fits them to what the agent offers. Start at [`steps`].

use std::time::Duration;

use crate::fault::Fault;
use crate::marker::Marker;

/// A sentence of [`SUMMARY`] that tells a condensed conversation from a fresh one.
pub(crate) const SUMMARY_SIGN: &str = "the user asked for small file edits";

/// What the model says when it is asked to condense the conversation.
pub(crate) const SUMMARY: &str = "<analysis>The scripted model looked at the conversation.</analysis>\n\
    <summary>\n1. Primary request: the user asked for small file edits.\n\
    2. Files: see the work tree.\n3. Pending: nothing.\n</summary>";

const PLAN: &str = "# Plan\n\n1. Create `planned.txt`.\n2. Run `cat planned.txt`.\n\nNo risk.";

/// Longest wait that a marker can ask for.
const LONGEST_WAIT: Duration = Duration::from_secs(600);

/// One model turn.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Reply(Reply),
    Fault(Fault),
}

/// An answer, before its tools are bound.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reply {
    pub(crate) parts: Vec<Part>,
    pub(crate) ending: Ending,
    /// Silence before the first word.
    pub(crate) wait: Duration,
    /// Silence after every piece of a streamed text.
    pub(crate) pace: Duration,
    /// Input tokens to claim, instead of a figure made from the request's size.
    pub(crate) input_tokens: Option<u64>,
}

/// One part of an answer.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Think(String),
    Say(String),
    Call(Call),
}

/// How an answer ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Ending {
    /// As its parts say: plainly, or waiting for tool results.
    #[default]
    Whole,
    /// Out of tokens.
    Cut,
    Refused,
    /// The connection breaks before the last event.
    Dropped,
}

/// A call of an abstract tool.
#[derive(Clone, Debug)]
pub(crate) enum Call {
    Bash {
        command: String,
        description: String,
    },
    Write {
        path: String,
        content: String,
    },
    Edit {
        path: String,
        old: String,
        new: String,
    },
    Read {
        path: String,
    },
    Todo {
        items: Vec<(String, &'static str)>,
    },
    Ask {
        question: String,
        header: String,
        options: Vec<(String, String)>,
    },
    ExitPlan {
        plan: String,
    },
    Subagent {
        description: String,
        prompt: String,
    },
    Mcp {
        text: String,
    },
    /// A tool by its very name, offered or not.
    Named {
        name: String,
        text: String,
    },
}

/// What a story may see of the conversation.
#[derive(Debug, Default)]
pub(crate) struct Scene {
    /// Where files go, without a slash at the end.
    pub(crate) directory: String,
    /// What the last tool said, cut to a few hundred characters.
    pub(crate) last_result: String,
    pub(crate) images: usize,
    pub(crate) plan_file: Option<String>,
    /// Whether the agent reads plans from the text, having no tool for them.
    pub(crate) plans_in_text: bool,
}

impl Scene {
    fn path(&self, name: &str) -> String {
        match name.starts_with('/') {
            true => name.to_owned(),
            false => format!("{}/{name}", self.directory),
        }
    }
}

/// The steps of the story that `marker` names; `None` when there is no such story.
pub(crate) fn steps(marker: &Marker, scene: &Scene) -> Option<Vec<Step>> {
    let last = &scene.last_result;
    let replies: Vec<Reply> = match marker.name.as_str() {
        "hello" => vec![say("Hello from the scripted model.")],
        "think" => vec![
            think("Let me think about this. The user greets me, so I greet back. It is simple.")
                .and(Part::Say("I thought about it: hello.".into())),
        ],
        "long" => vec![say(long_text()).paced(Duration::from_millis(20))],
        "slow" => vec![say(long_text()).paced(seconds(marker.number("delay", 0.25)))],
        "image" => vec![say(format!("I can see {} image(s).", scene.images))],
        "write" => write(marker, scene),
        "edit" => edit(scene),
        "bash" => vec![
            say("Running one command.").and(bash(
                "echo fake-$((40+2)) && git status --short | head -5",
                "Echo and git status",
            )),
            say(format!("The command said: {last}")),
        ],
        "bashfail" => vec![
            call(bash("echo to-stderr >&2; exit 3", "A failing command")),
            say(format!("It failed as expected: {last}")),
        ],
        "danger" => vec![
            say("This changes things.").and(bash(
                "touch made-by-bash.txt && chmod 600 made-by-bash.txt",
                "Make a file",
            )),
            say(format!("Result: {last}")),
        ],
        "sleep" => sleep(marker, scene),
        "multi" => multi(scene),
        "todo" => todo(scene),
        "ask" => ask(scene),
        "plan" => plan(scene),
        "subagent" => subagent(scene),
        "subwork" => vec![
            say("Sub-agent here, writing sub.txt.")
                .and(file(scene.path("sub.txt"), "from the sub-agent\n")),
            say("SUB-REPORT: sub.txt is written."),
        ],
        "mcp" => vec![
            say("Calling the MCP tool.").and(Part::Call(Call::Mcp { text: "hi".into() })),
            say(format!("MCP said: {last}")),
        ],
        "commit" => commit(marker, scene),
        "tool" => tool(marker, scene),
        "badtool" => vec![
            call(Part::Call(Call::Named {
                name: "NoSuchTool".into(),
                text: "x".into(),
            })),
            say(format!("That tool does not exist: {last}")),
        ],
        "bigcontext" => vec![Reply {
            input_tokens: Some(marker.number("tokens", 190_000)),
            ..say("That was a big context.")
        }],
        "drop" => vec![say("This answer is cut ").ending(Ending::Dropped)],
        "hang" => vec![Reply {
            wait: seconds(marker.number("s", LONGEST_WAIT.as_secs_f64())),
            ..say("Late.")
        }],
        "maxtokens" => vec![say("I ran out of").ending(Ending::Cut)],
        "refusal" => vec![Reply::default().ending(Ending::Refused)],
        _ => return Fault::of_story(marker).map(|fault| vec![Step::Fault(fault)]),
    };
    Some(replies.into_iter().map(Step::Reply).collect())
}

fn write(marker: &Marker, scene: &Scene) -> Vec<Reply> {
    let name = marker.text("file").unwrap_or("hello.txt");
    vec![
        say(format!("I will create {name} and check it."))
            .and(file(scene.path(name), "hello from the scripted model\n")),
        call(bash(
            format!("cat {name} && wc -c {name}"),
            "Show the new file",
        )),
        say(format!(
            "Done. I created {name}; the command said: {}",
            scene.last_result
        )),
    ]
}

fn edit(scene: &Scene) -> Vec<Reply> {
    let path = scene.path("README.md");
    vec![
        say("Reading the README first.").and(Part::Call(Call::Read { path: path.clone() })),
        call(Part::Call(Call::Edit {
            path,
            old: "# scratch".into(),
            new: "# scratch (edited)".into(),
        })),
        say("README.md edited."),
    ]
}

fn sleep(marker: &Marker, scene: &Scene) -> Vec<Reply> {
    // Claude Code refuses `sleep N; …`, so this waits by another road.
    let seconds: f64 = marker.number("s", 30.0);
    let command = format!("timeout {seconds} tail -f /dev/null; echo woke");
    vec![
        say("Starting a long command.").and(bash(command, "Wait")),
        say(format!("Slept: {}", scene.last_result)),
    ]
}

fn multi(scene: &Scene) -> Vec<Reply> {
    vec![
        say("Two tools at once.")
            .and(bash("echo first", "first"))
            .and(bash("echo second", "second")),
        say("Writing two files.")
            .and(file(scene.path("a.txt"), "A\n"))
            .and(file(scene.path("b.txt"), "B\n")),
        say("All four calls finished."),
    ]
}

fn todo(scene: &Scene) -> Vec<Reply> {
    let list = |first, second| {
        let items = vec![
            ("Create hello.txt".to_owned(), first),
            ("Check it".to_owned(), second),
        ];
        Part::Call(Call::Todo { items })
    };
    vec![
        say("Planning the work.").and(list("in_progress", "pending")),
        call(file(scene.path("hello.txt"), "todo\n")),
        call(list("completed", "completed")),
        say("Both items are done."),
    ]
}

fn ask(scene: &Scene) -> Vec<Reply> {
    let options = [("Red", "A warm colour"), ("Blue", "A cool colour")];
    let question = Call::Ask {
        question: "Which colour should the button be?".into(),
        header: "Colour".into(),
        options: options.map(|(a, b)| (a.into(), b.into())).to_vec(),
    };
    vec![
        say("I need one decision.").and(Part::Call(question)),
        say(format!("You answered: {}", scene.last_result)),
    ]
}

/// An agent with a plan tool gets a call of it, after its plan file where it names one (Claude Code
/// offers the tool late and takes it all the same); Codex gets the plan as a marked block of text,
/// which ends the turn.
fn plan(scene: &Scene) -> Vec<Reply> {
    let mut replies = match (&scene.plan_file, scene.plans_in_text) {
        (_, true) => vec![say(format!("<proposed_plan>\n{PLAN}\n</proposed_plan>"))],
        (None, false) => vec![say("Here is my plan.").and(exit_plan())],
        (Some(path), false) => vec![
            say("Writing the plan file.").and(file(path.clone(), PLAN)),
            call(exit_plan()),
        ],
    };
    replies.push(call(file(scene.path("planned.txt"), "planned\n")));
    replies.push(say("The plan was carried out."));
    replies
}

fn subagent(scene: &Scene) -> Vec<Reply> {
    let work = Call::Subagent {
        description: "Write sub.txt".into(),
        prompt: "Please write sub.txt. [[fake:subwork]]".into(),
    };
    vec![
        say("I delegate this.").and(Part::Call(work)),
        say(format!("The sub-agent reported: {}", scene.last_result)),
    ]
}

fn commit(marker: &Marker, scene: &Scene) -> Vec<Reply> {
    let name = marker.text("file").unwrap_or("commit.txt");
    vec![
        say(format!("I will write {name} and commit it."))
            .and(file(scene.path(name), "committed by the scripted model\n")),
        call(git_commit(name)),
        say(format!("Committed: {}", scene.last_result)),
    ]
}

/// One tool at a time, so that every harness yields the same sequence of events.
fn tool(marker: &Marker, scene: &Scene) -> Vec<Reply> {
    let name = marker.text("file").unwrap_or("tool.txt");
    vec![
        say("Looking around first.").and(bash("pwd && git status --short", "Look around")),
        say("Now the file.").and(file(scene.path(name), "made with a tool\n")),
        say("Now the commit.").and(git_commit(name)),
        say(format!("All done: {}", scene.last_result)),
    ]
}

fn git_commit(name: &str) -> Part {
    let command =
        format!("git add {name} && git commit -q -m 'Add {name}' && git log --oneline -1");
    bash(command, "Commit the file")
}

fn long_text() -> String {
    let sentences = (1..=60).map(|n| format!("Sentence number {n} of a long streamed answer."));
    sentences.collect::<Vec<_>>().join(" ")
}

fn seconds(seconds: f64) -> Duration {
    let wait = Duration::try_from_secs_f64(seconds).unwrap_or_default();
    wait.min(LONGEST_WAIT)
}

/// A reply that is one text.
pub(crate) fn say(text: impl Into<String>) -> Reply {
    call(Part::Say(text.into()))
}

fn think(text: &str) -> Reply {
    call(Part::Think(text.into()))
}

fn call(part: Part) -> Reply {
    Reply {
        parts: vec![part],
        ..Reply::default()
    }
}

fn bash(command: impl Into<String>, description: &str) -> Part {
    Part::Call(Call::Bash {
        command: command.into(),
        description: description.into(),
    })
}

fn file(path: String, content: &str) -> Part {
    Part::Call(Call::Write {
        path,
        content: content.into(),
    })
}

fn exit_plan() -> Part {
    Part::Call(Call::ExitPlan { plan: PLAN.into() })
}

impl Reply {
    fn and(mut self, part: Part) -> Self {
        self.parts.push(part);
        self
    }

    fn paced(self, pace: Duration) -> Self {
        Self { pace, ..self }
    }

    fn ending(self, ending: Ending) -> Self {
        Self { ending, ..self }
    }
}
