//! What Claude Code says, as far as we read it. Everything is borrowed from the line; fields that are
//! not here are skipped over without being kept.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::json::{Text, lenient};

/// Enough to know what a line is.
#[derive(Deserialize)]
pub(super) struct Peek<'a> {
    #[serde(borrow, rename = "type")]
    pub kind: Text<'a>,
}

/// A message of the model, or of the program in its name.
#[derive(Deserialize)]
pub(super) struct Assistant<'a> {
    #[serde(borrow)]
    pub message: Message<'a>,
    #[serde(borrow, default)]
    pub parent_tool_use_id: Option<Text<'a>>,
    /// The program speaks in the model's name: a request to the API failed.
    #[serde(default)]
    pub is_api_error_message: bool,
    #[serde(borrow, default)]
    pub error: Option<Text<'a>>,
}

#[derive(Deserialize)]
pub(super) struct Message<'a> {
    #[serde(borrow, default)]
    pub model: Option<Text<'a>>,
    /// A string or a list of [`ContentBlock`].
    #[serde(borrow)]
    pub content: &'a RawValue,
    #[serde(borrow, default)]
    pub stop_reason: Option<Text<'a>>,
    #[serde(default)]
    pub usage: Option<MessageUsage>,
}

/// Tokens of one message. Its `output_tokens` are those known when the message began.
#[derive(Clone, Copy, Default, Deserialize)]
pub(super) struct MessageUsage {
    #[serde(default, deserialize_with = "lenient")]
    input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "lenient")]
    cache_read_input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "lenient")]
    cache_creation_input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "lenient")]
    pub output_tokens: Option<u64>,
}

impl MessageUsage {
    /// Tokens that the model read for it.
    pub(super) fn read(self) -> u64 {
        [
            self.input_tokens,
            self.cache_read_input_tokens,
            self.cache_creation_input_tokens,
        ]
        .into_iter()
        .flatten()
        .fold(0, u64::saturating_add)
    }
}

/// A part of a message.
#[derive(Deserialize)]
pub(super) struct ContentBlock<'a> {
    #[serde(borrow, rename = "type")]
    pub kind: Text<'a>,
    #[serde(borrow, default)]
    pub text: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub thinking: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub id: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub name: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub input: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub tool_use_id: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub content: Option<&'a RawValue>,
    #[serde(default)]
    pub is_error: Option<bool>,
}

impl<'a> ContentBlock<'a> {
    /// A content that is text alone.
    pub(super) fn text(text: Text<'a>) -> Self {
        Self {
            kind: Text::from("text"),
            text: Some(text),
            thinking: None,
            id: None,
            name: None,
            input: None,
            tool_use_id: None,
            content: None,
            is_error: None,
        }
    }
}

/// A message to the model: tool results, and what the program or the user put in.
#[derive(Deserialize)]
pub(super) struct User<'a> {
    #[serde(borrow)]
    pub message: Message<'a>,
    #[serde(borrow, default)]
    pub parent_tool_use_id: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub tool_use_result: Option<&'a RawValue>,
}

/// What a tool did, in the program's own words; which fields there are depends on the tool.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ToolUseResult<'a> {
    #[serde(borrow, default)]
    pub file_path: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub content: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub original_file: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub structured_patch: Vec<Hunk<'a>>,
    #[serde(default)]
    pub interrupted: bool,
    #[serde(borrow, default)]
    pub return_code_interpretation: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub background_task_id: Option<Text<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Hunk<'a> {
    pub old_start: u64,
    pub old_lines: u64,
    pub new_start: u64,
    pub new_lines: u64,
    #[serde(borrow)]
    pub lines: Vec<Text<'a>>,
}

/// A piece of a message under way.
#[derive(Deserialize)]
pub(super) struct StreamEvent<'a> {
    #[serde(borrow)]
    pub event: StreamPart<'a>,
    #[serde(borrow, default)]
    pub parent_tool_use_id: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub api_message_id: Option<Text<'a>>,
}

#[derive(Deserialize)]
pub(super) struct StreamPart<'a> {
    #[serde(borrow, rename = "type")]
    pub kind: Text<'a>,
    #[serde(default, deserialize_with = "lenient")]
    pub index: Option<u32>,
    #[serde(borrow, default)]
    pub delta: Option<StreamDelta<'a>>,
    #[serde(borrow, default)]
    pub message: Option<StreamMessage<'a>>,
    #[serde(default)]
    pub usage: Option<MessageUsage>,
}

#[derive(Deserialize)]
pub(super) struct StreamDelta<'a> {
    #[serde(borrow, default)]
    pub text: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub thinking: Option<Text<'a>>,
}

#[derive(Deserialize)]
pub(super) struct StreamMessage<'a> {
    #[serde(borrow, default)]
    pub id: Option<Text<'a>>,
}

/// News of the program itself; which fields there are depends on `subtype`.
#[derive(Deserialize)]
pub(super) struct System<'a> {
    #[serde(borrow)]
    pub subtype: Text<'a>,
    #[serde(borrow, default)]
    pub session_id: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub model: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub tool_use_id: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub task_type: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub subagent_type: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub prompt: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub status: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub content: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub level: Option<Text<'a>>,
    #[serde(default, deserialize_with = "lenient")]
    pub attempt: Option<u64>,
    #[serde(default, deserialize_with = "lenient")]
    pub max_retries: Option<u64>,
    #[serde(default)]
    pub retry_delay_ms: Option<f64>,
    #[serde(default, deserialize_with = "lenient")]
    pub error_status: Option<u64>,
    #[serde(borrow, default)]
    pub error: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub compact_metadata: Option<Compaction<'a>>,
}

#[derive(Deserialize)]
pub(super) struct Compaction<'a> {
    #[serde(borrow, default)]
    pub trigger: Option<Text<'a>>,
    #[serde(default, deserialize_with = "lenient")]
    pub pre_tokens: Option<u64>,
    #[serde(default, deserialize_with = "lenient")]
    pub post_tokens: Option<u64>,
}

/// The end of a turn.
#[derive(Deserialize)]
pub(super) struct TurnResult<'a> {
    #[serde(borrow, default)]
    pub subtype: Option<Text<'a>>,
    #[serde(default)]
    pub is_error: bool,
    #[serde(default, deserialize_with = "lenient")]
    pub duration_ms: Option<u64>,
    #[serde(borrow, default)]
    pub result: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub errors: Vec<Text<'a>>,
    #[serde(borrow, default)]
    pub stop_reason: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub terminal_reason: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub api_error: Option<Text<'a>>,
    #[serde(default, deserialize_with = "lenient")]
    pub api_error_status: Option<u64>,
    #[serde(borrow, default, rename = "modelUsage")]
    pub model_usage: UsageByModel<'a>,
    /// What came since the result before this one; older versions do not tell it.
    #[serde(borrow, default)]
    pub model_usage_since_last_result: Option<UsageByModel<'a>>,
}

/// What one model used: in `modelUsage` since the process began, or since the conversation was cleared,
/// or since the conversation began where it was resumed after an orderly end.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ModelUsage {
    #[serde(default, deserialize_with = "lenient")]
    pub input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "lenient")]
    pub output_tokens: Option<u64>,
    #[serde(default, deserialize_with = "lenient")]
    pub cache_read_input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "lenient")]
    pub cache_creation_input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "lenient")]
    pub thinking_tokens: Option<u64>,
    #[serde(default, deserialize_with = "lenient")]
    pub context_window: Option<u64>,
    #[serde(default, rename = "costUSD")]
    pub cost_usd: Option<f64>,
}

/// What each model used.
pub(super) type UsageByModel<'a> = BTreeMap<Text<'a>, ModelUsage>;

/// The program wants something of us.
#[derive(Deserialize)]
pub(super) struct ControlRequest<'a> {
    #[serde(borrow)]
    pub request_id: Text<'a>,
    #[serde(borrow)]
    pub request: Request<'a>,
}

#[derive(Deserialize)]
pub(super) struct Request<'a> {
    #[serde(borrow)]
    pub subtype: Text<'a>,
    #[serde(borrow, default)]
    pub tool_name: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub tool_use_id: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub input: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub description: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub decision_reason: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub permission_suggestions: Option<&'a RawValue>,
}

/// The program takes a request back.
#[derive(Deserialize)]
pub(super) struct ControlCancel<'a> {
    #[serde(borrow)]
    pub request_id: Text<'a>,
}

/// The program's answer to a request of ours.
#[derive(Deserialize)]
pub(super) struct ControlResponse<'a> {
    #[serde(borrow)]
    pub response: Response<'a>,
}

#[derive(Deserialize)]
pub(super) struct Response<'a> {
    #[serde(borrow)]
    pub subtype: Text<'a>,
    #[serde(borrow)]
    pub request_id: Text<'a>,
    #[serde(borrow, default)]
    pub error: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub response: Option<&'a RawValue>,
}

#[derive(Deserialize)]
pub(super) struct SetModelResponse<'a> {
    #[serde(borrow, default)]
    pub model: Option<Text<'a>>,
}

/// How the subscription's limits stand.
#[derive(Deserialize)]
pub(super) struct RateLimitEvent<'a> {
    #[serde(borrow)]
    pub rate_limit_info: RateLimitInfo<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RateLimitInfo<'a> {
    #[serde(borrow)]
    pub status: Text<'a>,
    #[serde(default)]
    pub resets_at: Option<f64>,
    #[serde(borrow, default)]
    pub rate_limit_type: Option<Text<'a>>,
    #[serde(default)]
    pub utilization: Option<f64>,
}

/// What we said, as far as a replay has to understand it.
#[derive(Deserialize)]
pub(super) struct Said<'a> {
    #[serde(borrow, rename = "type")]
    pub kind: Text<'a>,
    #[serde(borrow, default)]
    pub response: Option<SaidResponse<'a>>,
}

#[derive(Deserialize)]
pub(super) struct SaidResponse<'a> {
    #[serde(borrow, default)]
    pub request_id: Option<Text<'a>>,
}

/// Input of `AskUserQuestion`.
#[derive(Deserialize)]
pub(super) struct Questions<'a> {
    #[serde(borrow)]
    pub questions: Vec<AskedQuestion<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AskedQuestion<'a> {
    #[serde(borrow)]
    pub question: Text<'a>,
    #[serde(borrow, default)]
    pub header: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub options: Vec<AskedOption<'a>>,
    #[serde(default)]
    pub multi_select: bool,
}

#[derive(Deserialize)]
pub(super) struct AskedOption<'a> {
    #[serde(borrow)]
    pub label: Text<'a>,
    #[serde(borrow, default)]
    pub description: Option<Text<'a>>,
}
