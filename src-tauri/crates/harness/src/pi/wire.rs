//! Lines of Pi's RPC mode as far as they matter here. Read leniently: every field may be absent.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::given;
use crate::json::{Text, lenient};

#[derive(Debug, Deserialize)]
pub(super) struct Kind<'l> {
    #[serde(borrow, rename = "type")]
    pub name: Text<'l>,
}

/// The answer to something that we said.
#[derive(Debug, Deserialize)]
pub(super) struct Response<'l> {
    #[serde(borrow)]
    pub command: Text<'l>,
    #[serde(default)]
    pub success: bool,
    #[serde(default)]
    pub error: Option<String>,
    #[serde(borrow, default)]
    pub data: Option<&'l RawValue>,
}

/// What `get_state` gives.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct State {
    pub session_id: String,
    #[serde(default)]
    pub model: Option<Model>,
    #[serde(default)]
    pub thinking_level: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    pub message_count: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Model {
    pub id: String,
    #[serde(default)]
    pub provider: String,
    #[serde(default, deserialize_with = "lenient")]
    pub context_window: Option<u64>,
}

/// A piece of a message.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MessageUpdate<'l> {
    #[serde(borrow)]
    pub assistant_message_event: Piece<'l>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Piece<'l> {
    #[serde(borrow, rename = "type")]
    pub kind: Text<'l>,
    #[serde(default)]
    pub content_index: u64,
    #[serde(borrow, default)]
    pub delta: Option<Text<'l>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct MessageEnd {
    pub message: Message,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Message {
    pub role: String,
    #[serde(default)]
    pub content: Value,
    #[serde(default)]
    pub model: Option<String>,
    #[serde(default)]
    pub usage: Option<Tokens>,
    #[serde(default)]
    pub stop_reason: Option<String>,
    #[serde(default)]
    pub error_message: Option<String>,
}

/// What one request used; its cost is in dollars.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Tokens {
    #[serde(deserialize_with = "lenient")]
    pub input: Option<u64>,
    #[serde(deserialize_with = "lenient")]
    pub output: Option<u64>,
    #[serde(deserialize_with = "lenient")]
    pub cache_read: Option<u64>,
    #[serde(deserialize_with = "lenient")]
    pub cache_write: Option<u64>,
    #[serde(deserialize_with = "lenient")]
    pub reasoning: Option<u64>,
    #[serde(deserialize_with = "lenient")]
    pub total_tokens: Option<u64>,
    pub cost: Option<Price>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Price {
    pub total: f64,
}

/// `tool_execution_start`, `_update` and `_end`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Tool {
    pub tool_call_id: String,
    #[serde(default)]
    pub tool_name: String,
    #[serde(default)]
    pub args: Option<Value>,
    #[serde(default)]
    pub partial_result: Option<ToolResult>,
    #[serde(default)]
    pub result: Option<ToolResult>,
    #[serde(default)]
    pub is_error: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ToolResult {
    pub content: Vec<Shown>,
    pub details: Option<Details>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Shown {
    #[serde(default)]
    pub text: Option<String>,
    /// Of an image, in base64.
    #[serde(default)]
    pub data: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Details {
    pub patch: Option<String>,
}

impl ToolResult {
    pub(super) fn text(&self) -> String {
        let texts = self
            .content
            .iter()
            .filter_map(|shown| shown.text.as_deref());
        texts.collect()
    }

    pub(super) fn images(&self) -> Vec<Vec<u8>> {
        let mut images = Vec::new();
        for data in self
            .content
            .iter()
            .filter_map(|shown| shown.data.as_deref())
        {
            given::take(data, &mut images);
        }
        images
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Retry {
    #[serde(default)]
    pub attempt: u64,
    #[serde(default)]
    pub max_attempts: u64,
    #[serde(default)]
    pub delay_ms: u64,
    #[serde(default)]
    pub error_message: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct CompactionEnd {
    #[serde(default)]
    pub reason: String,
    #[serde(default)]
    pub result: Option<Compaction>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Compaction {
    #[serde(default)]
    pub summary: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    pub tokens_before: Option<u64>,
    #[serde(default, deserialize_with = "lenient")]
    pub estimated_tokens_after: Option<u64>,
}

/// A dialog that an extension of the user's wants to show.
#[derive(Debug, Deserialize)]
pub(super) struct UiRequest {
    pub id: String,
    #[serde(default)]
    pub method: String,
}

/// What we said, as the log has it.
#[derive(Debug, Deserialize)]
pub(super) struct Said<'l> {
    #[serde(borrow, rename = "type")]
    pub kind: Text<'l>,
}
