//! The agents of the Agent Client Protocol, and in what they differ: data, no code.
//!
//! What each entry says was seen with the real program of the pinned version; `docs/AGENTS.md` says how.

use paddock_domain::{PermissionMode, ToolKind};

use super::launch;
use crate::{LaunchPlan, LaunchRequest, NODE};

/// One agent.
#[derive(Debug)]
pub(crate) struct Profile {
    /// The harness's name.
    pub(super) name: &'static str,
    /// Versions that were tried, newest last.
    pub(super) versions: &'static [&'static str],
    /// Its npm package; none for a file on this machine.
    pub(super) package: Option<&'static str>,
    /// The program below `node_modules`, most likely first.
    pub(super) candidates: &'static [&'static str],
    /// The Node runtime that it needs.
    pub(super) node: Option<&'static str>,
    /// Arguments that make it speak the protocol.
    pub(super) args: &'static [&'static str],
    /// Variables that keep it quiet and whole: no update, no telemetry, no second process.
    pub(super) env: &'static [(&'static str, &'static str)],
    /// Variables of which one must hold a key or login.
    pub(super) keys: &'static [&'static str],
    /// Those, and the one that says where its provider is.
    pub(super) variables: &'static [&'static str],
    /// The variable that says where its provider is.
    pub(super) base_url: Option<&'static str>,
    /// Where its provider is when that variable is not set.
    pub(super) default_base_url: Option<&'static str>,
    /// How it is told its model: a variable, or nothing where the session or a file says it.
    pub(super) model_variable: Option<&'static str>,
    /// The argument that names its model.
    pub(super) model_argument: Option<&'static str>,
    /// The model where none is asked for and it has no choice of its own.
    pub(super) default_model: Option<&'static str>,
    /// Models to suggest.
    pub(super) models: &'static [&'static str],
    /// Its modes that come closest to full auto, accepting edits, asking, and planning.
    pub(super) modes: [&'static str; 4],
    /// It begins another session beside the one that it has.
    pub(super) clears: bool,
    /// What it needs beyond that to be launched.
    pub(super) configure: Option<fn(&LaunchRequest<'_>, &mut LaunchPlan)>,
    /// Its list of things to do is only found in the calls that write it.
    pub(super) todos_in_calls: bool,
    /// It goes on telling the past of a session after it said that the session is loaded.
    pub(super) tells_the_past_late: bool,
    /// Its failures come as messages.
    pub(super) says_its_errors: bool,
    /// How its message begins that says that it makes a failed request again; nothing where it does not tell.
    pub(super) retries_say: Option<&'static str>,
    /// It asks questions of its own.
    pub(super) questions: bool,
    /// Its mode can be changed while it runs; where its configuration says what it asks for, it cannot.
    pub(super) switches_mode: bool,
    /// How it shortens its context on request.
    pub(super) compact: Option<Compaction>,
}

/// A command in a message of its own, and how the agent's message begins that says that it is done.
#[derive(Debug)]
pub(super) struct Compaction {
    pub(super) command: &'static str,
    pub(super) done: &'static str,
}

impl Profile {
    /// The agent's mode for ours.
    pub(super) fn mode(&self, mode: PermissionMode) -> &'static str {
        let [auto, edits, ask, plan] = self.modes;
        match mode {
            PermissionMode::FullAuto => auto,
            PermissionMode::AcceptEdits => edits,
            PermissionMode::Ask => ask,
            PermissionMode::Plan => plan,
        }
    }
}

/// Whether the user permitted such calls beforehand. Not every agent has a mode for each of ours, and what
/// it still asks is answered for the user.
pub(super) fn permits(mode: PermissionMode, tool: ToolKind) -> bool {
    match mode {
        PermissionMode::FullAuto => true,
        PermissionMode::AcceptEdits => matches!(
            tool,
            ToolKind::Read | ToolKind::Write | ToolKind::Edit | ToolKind::Glob | ToolKind::Grep
        ),
        PermissionMode::Ask | PermissionMode::Plan => false,
    }
}

pub(crate) static OPENCODE: Profile = Profile {
    name: "opencode",
    versions: &["1.18.33"],
    package: Some("opencode-ai"),
    candidates: &["opencode-linux-{arch}/bin/opencode"],
    node: None,
    args: &["acp"],
    env: &[
        ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
        ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
        ("OPENCODE_DISABLE_LSP_DOWNLOAD", "1"),
        ("OPENCODE_DISABLE_DEFAULT_PLUGINS", "1"),
    ],
    keys: &["OPENAI_API_KEY", "ANTHROPIC_API_KEY"],
    variables: &["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_BASE_URL"],
    base_url: Some("OPENAI_BASE_URL"),
    default_base_url: Some("https://api.openai.com/v1"),
    model_variable: None,
    model_argument: None,
    default_model: None,
    models: &["openai/gpt-5.5", "anthropic/claude-sonnet-5"],
    modes: ["build", "build", "build", "plan"],
    clears: true,
    configure: Some(launch::opencode),
    todos_in_calls: true,
    tells_the_past_late: false,
    says_its_errors: false,
    retries_say: None,
    questions: false,
    switches_mode: false,
    compact: None,
};

pub(crate) static GEMINI: Profile = Profile {
    name: "gemini",
    versions: &["0.61.0"],
    package: Some("@google/gemini-cli"),
    candidates: &["@google/gemini-cli/bundle/gemini.js"],
    node: Some(NODE),
    args: &["--acp"],
    env: &[
        ("GEMINI_CLI_NO_RELAUNCH", "true"),
        ("GEMINI_CLI_TRUST_WORKSPACE", "true"),
        ("GEMINI_TELEMETRY_ENABLED", "false"),
    ],
    keys: &["GEMINI_API_KEY"],
    variables: &["GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"],
    base_url: Some("GOOGLE_GEMINI_BASE_URL"),
    default_base_url: Some("https://generativelanguage.googleapis.com"),
    model_variable: None,
    model_argument: Some("--model"),
    default_model: None,
    models: &["gemini-3.1-pro-preview", "gemini-3.8-flash"],
    modes: ["yolo", "autoEdit", "default", "plan"],
    clears: true,
    configure: Some(launch::gemini),
    todos_in_calls: false,
    tells_the_past_late: true,
    says_its_errors: false,
    retries_say: None,
    questions: false,
    switches_mode: true,
    compact: None,
};

pub(crate) static QWEN: Profile = Profile {
    name: "qwen",
    versions: &["0.24.4"],
    package: Some("@qwen-code/qwen-code"),
    candidates: &[
        "@qwen-code/qwen-code/cli-entry.js",
        "@qwen-code/qwen-code/cli.js",
    ],
    node: Some(NODE),
    args: &["--acp", "--approval-mode", "default"],
    env: &[("QWEN_CODE_NO_RELAUNCH", "true")],
    keys: &["OPENAI_API_KEY"],
    variables: &["OPENAI_API_KEY", "OPENAI_BASE_URL"],
    base_url: Some("OPENAI_BASE_URL"),
    default_base_url: Some("https://dashscope.aliyuncs.com/compatible-mode/v1"),
    model_variable: Some("OPENAI_MODEL"),
    model_argument: None,
    default_model: Some("qwen3-coder-plus"),
    models: &["qwen3-coder-plus", "qwen3.7-plus"],
    modes: ["yolo", "auto-edit", "default", "plan"],
    clears: true,
    configure: None,
    todos_in_calls: false,
    tells_the_past_late: false,
    says_its_errors: false,
    retries_say: None,
    questions: false,
    switches_mode: true,
    compact: None,
};

pub(crate) static KIMI: Profile = Profile {
    name: "kimi",
    versions: &["2.1.0"],
    package: Some("@moonshot-ai/kimi-code"),
    candidates: &["@moonshot-ai/kimi-code/dist/main.mjs"],
    node: Some(NODE),
    args: &["acp"],
    env: &[
        ("KIMI_CODE_NO_AUTO_UPDATE", "1"),
        ("KIMI_MODEL_PROVIDER_TYPE", "openai"),
    ],
    keys: &["KIMI_MODEL_API_KEY"],
    variables: &["KIMI_MODEL_API_KEY", "KIMI_MODEL_BASE_URL"],
    base_url: Some("KIMI_MODEL_BASE_URL"),
    default_base_url: Some("https://api.moonshot.ai/v1"),
    model_variable: Some("KIMI_MODEL_NAME"),
    model_argument: None,
    default_model: Some("kimi-k2.5"),
    models: &["kimi-k2.5"],
    modes: ["yolo", "default", "default", "plan"],
    clears: true,
    configure: None,
    todos_in_calls: false,
    tells_the_past_late: false,
    says_its_errors: false,
    retries_say: None,
    questions: true,
    switches_mode: true,
    compact: Some(Compaction {
        command: "/compact",
        done: "Compaction completed.",
    }),
};

pub(crate) static COPILOT: Profile = Profile {
    name: "copilot",
    versions: &["1.0.102"],
    package: Some("@github/copilot"),
    // The loader beside it leaves the real program behind when it is ended.
    candidates: &["@github/copilot-linux-{arch}/copilot"],
    node: None,
    args: &["--acp"],
    env: &[("COPILOT_AUTO_UPDATE", "false")],
    keys: &["COPILOT_PROVIDER_API_KEY", "COPILOT_GITHUB_TOKEN"],
    variables: &[
        "COPILOT_PROVIDER_API_KEY",
        "COPILOT_GITHUB_TOKEN",
        "COPILOT_PROVIDER_BASE_URL",
    ],
    base_url: Some("COPILOT_PROVIDER_BASE_URL"),
    default_base_url: None,
    model_variable: Some("COPILOT_MODEL"),
    model_argument: None,
    default_model: None,
    models: &["gpt-5.5", "claude-sonnet-5"],
    modes: [
        "https://agentclientprotocol.com/protocol/session-modes#agent",
        "https://agentclientprotocol.com/protocol/session-modes#agent",
        "https://agentclientprotocol.com/protocol/session-modes#agent",
        "https://agentclientprotocol.com/protocol/session-modes#plan",
    ],
    clears: true,
    configure: Some(launch::copilot),
    todos_in_calls: false,
    tells_the_past_late: false,
    says_its_errors: true,
    retries_say: Some("Info: Request failed due to a transient API error. Retrying"),
    questions: false,
    switches_mode: true,
    compact: Some(Compaction {
        command: "/compact",
        done: "Compacted conversation history",
    }),
};
