//! Tool calls, put together from what agents tell of them piece by piece.
//!
//! Agents agree on little here. Some announce a call before its input is known and send that later, some
//! announce it only with the request for a permission, some never; what they print replaces what they
//! printed before. A call is told once its input is known, or at the latest when it ends.

use paddock_domain::{ToolCallFinished, ToolCallStarted, ToolKind};
use serde_json::Value;

use super::wire::{ToolCall, ToolContent};
use crate::given;
use crate::patch::Patch;

/// Largest texts that are compared for a patch, in bytes.
const COMPARED: usize = 256 << 10;

/// What agents call the tool that starts a sub-agent, where its input names no type of agent.
const AGENTS: &[&str] = &["agent", "Agent", "task", "Task"];

/// A call as far as it is known.
#[derive(Debug, Default)]
pub(super) struct Call {
    name: Option<String>,
    title: Option<String>,
    kind: Option<String>,
    input: Option<Value>,
    path: Option<String>,
    change: Option<Change>,
    shown: String,
    images: Vec<Vec<u8>>,
    output: Option<Value>,
    /// The call of the sub-agent that makes it.
    pub parent: Option<String>,
    /// It has been told.
    pub started: bool,
    /// What it may hold, in bytes: the longest line that told of it.
    pub weight: usize,
}

/// What it does to a file.
#[derive(Debug)]
struct Change {
    path: String,
    old: String,
    new: String,
}

/// How far a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Announced.
    Pending,
    /// At work, or the agent does not say.
    Under,
    /// Done.
    Completed,
    /// Failed.
    Failed,
}

impl Stage {
    pub(super) fn of(status: Option<&str>) -> Self {
        match status {
            Some("pending") => Self::Pending,
            Some("completed") => Self::Completed,
            Some("failed") => Self::Failed,
            Some(_) | None => Self::Under,
        }
    }

    pub(super) fn is_over(self) -> bool {
        matches!(self, Self::Completed | Self::Failed)
    }
}

impl Call {
    /// Takes in what a line says of it; gives what it printed anew.
    pub(super) fn learn(&mut self, told: ToolCall) -> String {
        let meta = told.meta.unwrap_or_default();
        let said_name = meta.tool_name;
        self.parent = self.parent.take().or(meta.parent_tool_call_id);
        let from_id = told.tool_call_id.split_once("__");
        let from_id = from_id
            .map(|(name, _)| name.to_owned())
            .filter(|name| is_name(name));
        // Later titles are sentences; the first is often the tool's name.
        let first_title = told.title.clone().filter(|_| self.title.is_none());
        let single_word = first_title.filter(|title| is_name(title));
        if let Some(name) = said_name.or(from_id).or(single_word) {
            self.name.get_or_insert(name);
        }
        self.title = told.title.or(self.title.take());
        self.kind = told.kind.or(self.kind.take());
        self.input = told.raw_input.filter(has_fields).or(self.input.take());
        self.output = told.raw_output.or(self.output.take());
        let place = told.locations.and_then(|places| places.into_iter().next());
        self.path = place.map(|place| place.path).or(self.path.take());
        match told.content {
            Some(content) => self.show(content),
            None => String::new(),
        }
    }

    /// What is shown replaces what was shown; what was added to it is given.
    fn show(&mut self, content: Vec<ToolContent>) -> String {
        let mut text = String::new();
        let mut images = Vec::new();
        for part in content {
            match (part.kind.as_str(), part.new_text) {
                ("diff", Some(new)) => {
                    let path = part.path.unwrap_or_default();
                    let old = part.old_text.unwrap_or_default();
                    self.change = Some(Change { path, old, new });
                }
                _ => {
                    let shown = part.content.unwrap_or_default();
                    text += &shown.text.unwrap_or_default();
                    if let Some(data) = &shown.data {
                        given::take(data, &mut images);
                    }
                }
            }
        }
        if !images.is_empty() {
            self.images = images;
        }
        let added = text.strip_prefix(self.shown.as_str()).map(str::to_owned);
        if !text.is_empty() {
            self.shown = text;
        }
        added.unwrap_or_default()
    }

    /// Whether its input is known well enough to tell it.
    pub(super) fn is_known(&self, stage: Stage) -> bool {
        match stage {
            // Agents that never say more than this announce it with what it is to do.
            Stage::Pending => self.says_what_it_does(),
            Stage::Under => self.input.is_some() || !self.writes_its_input(),
            Stage::Completed | Stage::Failed => true,
        }
    }

    /// Where it is to work says nothing yet.
    fn says_what_it_does(&self) -> bool {
        let fields = self.input.as_ref().and_then(Value::as_object);
        fields.is_some_and(|fields| fields.keys().any(|key| key != "cwd"))
    }

    /// Some agents show the input while the model writes it.
    pub(super) fn writes_its_input(&self) -> bool {
        self.shown.trim_start().starts_with('{')
    }

    /// Input that was only ever shown.
    pub(super) fn take_shown_input(&mut self) {
        if self.input.is_none() && self.writes_its_input() {
            self.input = serde_json::from_str(&self.shown).ok();
        }
    }

    /// Forgets what was shown: what follows is output.
    pub(super) fn begin_output(&mut self) {
        self.shown.clear();
    }

    pub(super) fn tool(&self) -> ToolKind {
        let typed = self.text("subagent_type").or(self.text("agent_type"));
        let named = self
            .name
            .as_deref()
            .is_some_and(|name| AGENTS.contains(&name));
        if typed.is_some() || (named && self.text("prompt").is_some()) {
            return ToolKind::Subagent;
        }
        if self.todos().is_some() {
            return ToolKind::Todo;
        }
        match self.kind.as_deref() {
            Some("read") => ToolKind::Read,
            Some("edit") if self.makes_a_file() => ToolKind::Write,
            Some("edit" | "delete" | "move") => ToolKind::Edit,
            Some("search") => ToolKind::Grep,
            Some("execute") => ToolKind::Bash,
            Some("fetch") => ToolKind::Web,
            Some(_) | None => ToolKind::Other,
        }
    }

    /// The list of things to do that it writes.
    pub(super) fn todos(&self) -> Option<&Value> {
        let todos = self.input.as_ref()?.get("todos")?;
        todos.is_array().then_some(todos)
    }

    /// What a sub-agent is told, where it starts one: its name and its prompt.
    pub(super) fn subagent(&self) -> Option<(String, String)> {
        (self.tool() == ToolKind::Subagent).then(|| {
            let name = self.text("subagent_type").or(self.text("agent_type"));
            let prompt = self.text("prompt").unwrap_or_default();
            (name.unwrap_or("agent").to_owned(), prompt.to_owned())
        })
    }

    /// One line that says what it does.
    pub(super) fn summary(&self) -> String {
        let what = self.command().or(self.input_path());
        let title = self.title.as_deref().unwrap_or_default();
        match what {
            Some(what) if !title.contains(what) => format!("{}: {what}", self.tool_name()),
            Some(_) | None => title.to_owned(),
        }
    }

    pub(super) fn tool_name(&self) -> String {
        let name = self.name.as_deref().or(self.kind.as_deref());
        name.unwrap_or("tool").to_owned()
    }

    pub(super) fn input(&self) -> Option<&Value> {
        self.input.as_ref()
    }

    /// What it shows: the plan of a call that ends planning, the reason of one that asks.
    pub(super) fn shown(&self) -> &str {
        &self.shown
    }

    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.input.as_ref()?.get(key)?.as_str()
    }

    pub(super) fn started(&self, id: &str) -> ToolCallStarted {
        let command = self.command().map(str::to_owned);
        ToolCallStarted {
            tool_call_id: id.to_owned(),
            tool: self.tool(),
            tool_name: self.tool_name(),
            command,
            path: self.input_path().map(str::to_owned),
            cwd: self.text("cwd").map(str::to_owned),
            server: None,
            timeout_s: None,
            args: self.input.clone(),
            args_ref: None,
            parent_tool_call_id: self.parent.clone(),
        }
    }

    pub(super) fn finished(&self, id: &str, stage: Stage, work_dir: &str) -> ToolCallFinished {
        ToolCallFinished {
            tool_call_id: id.to_owned(),
            is_error: stage == Stage::Failed,
            exit_code: self.exit_code(),
            output: self.printed(),
            unkept: self.images.clone(),
            patch: self.change.as_ref().and_then(|c| c.patch(work_dir)),
            parent_tool_call_id: self.parent.clone(),
            ..ToolCallFinished::default()
        }
    }

    /// Agents without a structured input put the command into the title.
    fn command(&self) -> Option<&str> {
        let from_title = self.title.as_deref();
        let from_title = from_title.filter(|title| {
            let is_command = self.input.is_none() && self.kind.as_deref() == Some("execute");
            is_command && self.name.as_deref() != Some(title)
        });
        self.text("command").or(from_title)
    }

    fn input_path(&self) -> Option<&str> {
        let keys = ["path", "file_path", "filePath", "absolute_path", "fileName"];
        let given = keys.iter().find_map(|key| self.text(key));
        let place = self.path.as_deref();
        given.or(place.filter(|_| self.kind.as_deref() != Some("execute")))
    }

    fn makes_a_file(&self) -> bool {
        match &self.change {
            Some(change) => change.old.is_empty(),
            None => ["content", "file_text"]
                .iter()
                .any(|key| self.text(key).is_some()),
        }
    }

    fn printed(&self) -> Option<String> {
        if !self.shown.is_empty() {
            return Some(self.shown.clone());
        }
        let output = self.output.as_ref()?;
        let fields = ["output", "content", "message"];
        let field = fields.iter().find_map(|key| output.get(key)?.as_str());
        Some(output.as_str().or(field)?.to_owned())
    }

    /// Where each agent puts it.
    fn exit_code(&self) -> Option<i32> {
        let output = self.output.as_ref()?;
        let places = ["/metadata/exit", "/contents/0/exitCode", "/exitCode"];
        let code = places
            .iter()
            .find_map(|place| output.pointer(place)?.as_i64());
        i32::try_from(code?).ok()
    }
}

impl Change {
    fn patch(&self, work_dir: &str) -> Option<String> {
        if self.old.is_empty() {
            return Some(Patch::whole(&self.path, work_dir, &self.new, false).into_text());
        }
        if self.old.len() + self.new.len() > COMPARED {
            return None;
        }
        let diff = similar::TextDiff::from_lines(&self.old, &self.new);
        let hunks = diff.unified_diff().context_radius(3).to_string();
        let patch = Patch::change(&self.path, &self.path, work_dir);
        Some(patch.hunks(&hunks).into_text())
    }
}

/// A tool's name is one word; anything else is a sentence for people.
fn is_name(title: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    !title.is_empty() && title.chars().all(word)
}

/// `{}` says as little as nothing.
fn has_fields(value: &Value) -> bool {
    value.as_object().is_none_or(|fields| !fields.is_empty())
}
