//! Lines of the Agent Client Protocol as far as they matter here.
//!
//! Read leniently and by hand rather than with the protocol's own schema types: an agent that is a
//! version ahead, or that takes a liberty, must not cost the user the line. Every field may be absent.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::json::{Text, lenient};

/// Any line, taken apart one level deep.
#[derive(Debug, Deserialize)]
pub(super) struct Line<'l> {
    #[serde(borrow, default)]
    pub id: Option<&'l RawValue>,
    #[serde(borrow, default)]
    pub method: Option<Text<'l>>,
    #[serde(borrow, default)]
    pub params: Option<&'l RawValue>,
    #[serde(borrow, default)]
    pub result: Option<&'l RawValue>,
    #[serde(default)]
    pub error: Option<RpcError>,
}

/// Why a request of ours failed. Codes are JSON-RPC's, the protocol's, or the provider's HTTP status.
#[derive(Debug, Deserialize)]
pub(super) struct RpcError {
    #[serde(default)]
    pub code: i64,
    #[serde(default)]
    pub message: String,
    #[serde(default)]
    pub data: Option<Value>,
}

/// The answer to `initialize`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Initialized {
    pub protocol_version: u64,
    #[serde(default)]
    pub agent_capabilities: AgentCapabilities,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct AgentCapabilities {
    pub load_session: bool,
    pub session_capabilities: SessionCapabilities,
    pub prompt_capabilities: PromptCapabilities,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct PromptCapabilities {
    pub image: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct SessionCapabilities {
    pub resume: Option<Value>,
}

/// The answer to `session/new`, `session/load` and `session/resume`; only the first names the session.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Opened {
    pub session_id: Option<String>,
    pub modes: Option<Modes>,
    pub models: Option<Models>,
    pub config_options: Option<Vec<ConfigOption>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Modes {
    pub current_mode_id: String,
    pub available_modes: Vec<Mode>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Mode {
    pub id: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Models {
    pub current_model_id: String,
    pub available_models: Vec<Model>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Model {
    pub model_id: String,
    #[serde(default)]
    pub name: Option<String>,
}

/// Something that can be chosen for the session.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConfigOption {
    pub id: String,
    #[serde(default)]
    pub category: Option<String>,
    #[serde(default)]
    pub current_value: Option<Value>,
    #[serde(default)]
    pub options: Vec<ConfigValue>,
}

impl ConfigOption {
    /// What is chosen now.
    pub(super) fn current(&self) -> Option<&str> {
        self.current_value.as_ref()?.as_str()
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct ConfigValue {
    #[serde(default)]
    pub value: Option<String>,
}

/// The answer to `session/prompt`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Prompted {
    pub stop_reason: String,
    #[serde(default)]
    pub usage: Option<Tokens>,
    #[serde(default, rename = "_meta")]
    pub meta: Option<PromptedMeta>,
}

/// Where Gemini puts what the turn used.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct PromptedMeta {
    pub quota: Option<Quota>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Quota {
    pub token_count: Option<GeminiTokens>,
    pub model_usage: Vec<ModelUsage>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct GeminiTokens {
    #[serde(deserialize_with = "lenient")]
    pub input_tokens: Option<u64>,
    #[serde(deserialize_with = "lenient")]
    pub output_tokens: Option<u64>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ModelUsage {
    pub model: String,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Tokens {
    #[serde(deserialize_with = "lenient")]
    pub input_tokens: Option<u64>,
    #[serde(deserialize_with = "lenient")]
    pub output_tokens: Option<u64>,
    #[serde(deserialize_with = "lenient")]
    pub thought_tokens: Option<u64>,
    #[serde(deserialize_with = "lenient")]
    pub cached_read_tokens: Option<u64>,
    #[serde(deserialize_with = "lenient")]
    pub cached_write_tokens: Option<u64>,
}

/// The parameters of `session/update`.
#[derive(Debug, Deserialize)]
pub(super) struct Updated<'l> {
    #[serde(borrow, default, rename = "sessionId")]
    pub session: Option<Text<'l>>,
    #[serde(borrow)]
    pub update: &'l RawValue,
}

/// Which kind of update it is.
#[derive(Debug, Deserialize)]
pub(super) struct UpdateKind<'l> {
    #[serde(borrow, rename = "sessionUpdate")]
    pub name: Text<'l>,
}

/// A piece of a message or of thinking.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Chunk<'l> {
    #[serde(borrow)]
    pub content: Content<'l>,
    #[serde(borrow, default)]
    pub message_id: Option<Text<'l>>,
    #[serde(default, rename = "_meta")]
    pub meta: Option<ChunkMeta>,
}

/// Where Qwen puts what each request used.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ChunkMeta {
    pub usage: Option<Tokens>,
    /// Where Qwen says which sub-agent speaks: the call that started it.
    #[serde(rename = "parentToolCallId")]
    pub parent: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Content<'l> {
    #[serde(borrow, rename = "type")]
    pub kind: Text<'l>,
    #[serde(borrow, default)]
    pub text: Option<Text<'l>>,
    #[serde(borrow, default)]
    pub uri: Option<Text<'l>>,
}

/// `tool_call`, `tool_call_update`, and the tool call of a permission request.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ToolCall {
    pub tool_call_id: String,
    #[serde(default)]
    pub title: Option<String>,
    #[serde(default)]
    pub kind: Option<String>,
    #[serde(default)]
    pub status: Option<String>,
    #[serde(default)]
    pub content: Option<Vec<ToolContent>>,
    #[serde(default)]
    pub locations: Option<Vec<Location>>,
    #[serde(default)]
    pub raw_input: Option<Value>,
    #[serde(default)]
    pub raw_output: Option<Value>,
    #[serde(default, rename = "_meta")]
    pub meta: Option<ToolMeta>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct ToolMeta {
    pub tool_name: Option<String>,
    /// Where Qwen says which sub-agent calls: the call that started it.
    pub parent_tool_call_id: Option<String>,
    /// Where Copilot says that a sub-agent calls, and not which call started it.
    #[serde(rename = "github.com/copilot")]
    pub copilot: Option<CopilotMeta>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct CopilotMeta {
    pub agent_id: Option<String>,
}

impl ToolCall {
    /// Whether it is a sub-agent's, of an agent that does not say which call started that.
    pub(super) fn says_a_subagent_calls(&self) -> bool {
        let copilot = self.meta.as_ref().and_then(|meta| meta.copilot.as_ref());
        copilot.is_some_and(|copilot| copilot.agent_id.is_some())
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct Location {
    pub path: String,
}

/// Something that a tool call shows.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ToolContent {
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub content: Option<Shown>,
    #[serde(default)]
    pub path: Option<String>,
    #[serde(default)]
    pub old_text: Option<String>,
    #[serde(default)]
    pub new_text: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct Shown {
    #[serde(default)]
    pub text: Option<String>,
    /// Of an image, in base64.
    #[serde(default)]
    pub data: Option<String>,
}

/// `plan`: the agent's list of things to do.
#[derive(Debug, Deserialize)]
pub(super) struct Todos {
    #[serde(default)]
    pub entries: Vec<Todo>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Todo {
    #[serde(alias = "title")]
    pub content: String,
    #[serde(default)]
    pub status: String,
}

/// `usage_update`: how full the context is and what the session has cost.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ContextUpdate {
    #[serde(deserialize_with = "lenient")]
    pub used: Option<u64>,
    #[serde(deserialize_with = "lenient")]
    pub size: Option<u64>,
    pub cost: Option<Amount>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Amount {
    pub amount: f64,
    #[serde(default)]
    pub currency: String,
}

/// The parameters of `session/request_permission`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PermissionRequest {
    #[serde(default)]
    pub session_id: Option<String>,
    pub tool_call: ToolCall,
    #[serde(default)]
    pub options: Vec<PermissionOption>,
}

/// One possible answer to it.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PermissionOption {
    pub option_id: String,
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub kind: String,
}

/// What we said, as the log has it.
#[derive(Debug, Deserialize)]
pub(super) struct Said<'l> {
    #[serde(borrow, default)]
    pub id: Option<&'l RawValue>,
    #[serde(borrow, default)]
    pub method: Option<Text<'l>>,
    #[serde(default)]
    pub result: Option<SaidResult>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct SaidResult {
    #[serde(rename = "_meta")]
    pub meta: Option<SaidMeta>,
}

/// What we hide in a refusal for ourselves: the protocol lets a refusal carry no words, so they follow
/// as a message of their own, and must survive a crash in between.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct SaidMeta {
    pub paddock_then_say: Option<String>,
}
