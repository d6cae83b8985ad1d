//! What Codex says, as far as we read it. Everything is borrowed from the line; fields that are not
//! here are skipped over without being kept.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::json::{Text, lenient};

/// Enough to know what a line is.
#[derive(Deserialize)]
pub(super) struct Envelope<'a> {
    #[serde(borrow, default)]
    pub method: Option<Text<'a>>,
}

/// A notification, or a request of the program's when it has an id.
#[derive(Deserialize)]
#[serde(bound(deserialize = "P: Deserialize<'de>"))]
pub(super) struct Call<'a, P> {
    #[serde(borrow, default)]
    pub id: Option<&'a RawValue>,
    pub params: P,
}

/// Whether a message wants an answer.
#[derive(Default, Deserialize)]
pub(super) struct Asking<'a> {
    #[serde(borrow, default)]
    pub id: Option<&'a RawValue>,
}

/// The answer to a request of ours.
#[derive(Deserialize)]
pub(super) struct Response<'a> {
    #[serde(borrow)]
    pub id: &'a RawValue,
    #[serde(borrow, default)]
    pub result: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub error: Option<RpcError<'a>>,
}

#[derive(Deserialize)]
pub(super) struct RpcError<'a> {
    #[serde(borrow, default)]
    pub message: Option<Text<'a>>,
}

/// The result of `thread/start` and `thread/resume`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ThreadOpened<'a> {
    #[serde(borrow)]
    pub thread: Thread<'a>,
    #[serde(borrow, default)]
    pub model: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub reasoning_effort: Option<Text<'a>>,
}

#[derive(Deserialize)]
pub(super) struct Thread<'a> {
    #[serde(borrow)]
    pub id: Text<'a>,
}

/// A piece of an item that is under way.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DeltaParams<'a> {
    #[serde(borrow, default)]
    pub thread_id: Option<Text<'a>>,
    #[serde(borrow)]
    pub item_id: Text<'a>,
    #[serde(borrow)]
    pub delta: Text<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ItemParams<'a> {
    #[serde(borrow, default)]
    pub thread_id: Option<Text<'a>>,
    #[serde(borrow)]
    pub item: Item<'a>,
}

/// Anything that a turn is made of; which fields there are depends on `type`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Item<'a> {
    #[serde(borrow, rename = "type")]
    pub kind: Text<'a>,
    #[serde(borrow)]
    pub id: Text<'a>,
    #[serde(borrow, default)]
    pub text: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub summary: Option<Vec<Text<'a>>>,
    #[serde(borrow, default)]
    pub content: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub status: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub command: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub cwd: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub aggregated_output: Option<Text<'a>>,
    #[serde(default)]
    pub exit_code: Option<i32>,
    #[serde(default, deserialize_with = "lenient")]
    pub duration_ms: Option<u64>,
    #[serde(borrow, default)]
    pub changes: Option<Vec<Change<'a>>>,
    #[serde(borrow, default)]
    pub server: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub tool: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub arguments: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub result: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub error: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub content_items: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub query: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub path: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub prompt: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub receiver_thread_ids: Option<Vec<Text<'a>>>,
    /// What a sub-agent did, in `subAgentActivity`.
    #[serde(borrow, default, rename = "kind")]
    pub activity: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub agent_thread_id: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub agent_path: Option<Text<'a>>,
}

/// A change to one file: its whole content when the file is new or gone, else hunks.
#[derive(Deserialize)]
pub(super) struct Change<'a> {
    #[serde(borrow)]
    pub path: Text<'a>,
    #[serde(borrow)]
    pub kind: ChangeKind<'a>,
    #[serde(borrow)]
    pub diff: Text<'a>,
}

#[derive(Deserialize)]
pub(super) struct ChangeKind<'a> {
    #[serde(borrow, rename = "type")]
    pub kind: Text<'a>,
    #[serde(borrow, default)]
    pub move_path: Option<Text<'a>>,
}

/// `turn/started` and `turn/completed`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TurnParams<'a> {
    #[serde(borrow, default)]
    pub thread_id: Option<Text<'a>>,
    #[serde(borrow)]
    pub turn: Turn<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Turn<'a> {
    #[serde(borrow)]
    pub id: Text<'a>,
    #[serde(borrow, default)]
    pub status: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub error: Option<TurnError<'a>>,
    #[serde(default, deserialize_with = "lenient")]
    pub duration_ms: Option<u64>,
}

/// The result of `turn/start`.
#[derive(Deserialize)]
pub(super) struct TurnOpened<'a> {
    #[serde(borrow)]
    pub turn: Turn<'a>,
}

/// The notification `error`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ErrorParams<'a> {
    #[serde(borrow, default)]
    pub thread_id: Option<Text<'a>>,
    #[serde(borrow)]
    pub error: TurnError<'a>,
    #[serde(default)]
    pub will_retry: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TurnError<'a> {
    #[serde(borrow, default)]
    pub message: Option<Text<'a>>,
    /// A name, or an object of one name with an `httpStatusCode`.
    #[serde(borrow, default)]
    pub codex_error_info: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub additional_details: Option<Text<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct HttpFailure {
    #[serde(default, deserialize_with = "lenient")]
    pub http_status_code: Option<u64>,
}

/// `warning`, `guardianWarning` and `configWarning`.
#[derive(Deserialize)]
pub(super) struct WarningParams<'a> {
    #[serde(borrow, default)]
    pub message: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub summary: Option<Text<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct UsageParams<'a> {
    #[serde(borrow, default)]
    pub thread_id: Option<Text<'a>>,
    pub token_usage: TokenUsage,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TokenUsage {
    /// Of the thread since it began, earlier runs included.
    pub total: Tokens,
    /// Of the last request.
    pub last: Tokens,
    #[serde(default, deserialize_with = "lenient")]
    pub model_context_window: Option<u64>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Tokens {
    #[serde(deserialize_with = "lenient")]
    pub total_tokens: Option<u64>,
    /// Cached ones included.
    #[serde(deserialize_with = "lenient")]
    pub input_tokens: Option<u64>,
    #[serde(deserialize_with = "lenient")]
    pub cached_input_tokens: Option<u64>,
    #[serde(deserialize_with = "lenient")]
    pub cache_write_input_tokens: Option<u64>,
    /// Those of thinking included.
    #[serde(deserialize_with = "lenient")]
    pub output_tokens: Option<u64>,
    #[serde(deserialize_with = "lenient")]
    pub reasoning_output_tokens: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RateLimitParams<'a> {
    #[serde(borrow)]
    pub rate_limits: RateLimits<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RateLimits<'a> {
    #[serde(borrow, default)]
    pub limit_id: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub limit_name: Option<Text<'a>>,
    #[serde(default)]
    pub primary: Option<Window>,
    #[serde(default)]
    pub secondary: Option<Window>,
    #[serde(borrow, default)]
    pub rate_limit_reached_type: Option<Text<'a>>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Window {
    pub used_percent: f64,
    #[serde(default, deserialize_with = "lenient")]
    pub window_duration_mins: Option<u64>,
    #[serde(default)]
    pub resets_at: Option<f64>,
}

/// `thread/settings/updated`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SettingsParams<'a> {
    #[serde(borrow, default)]
    pub thread_id: Option<Text<'a>>,
    #[serde(borrow)]
    pub thread_settings: Settings<'a>,
}

#[derive(Deserialize)]
pub(super) struct Settings<'a> {
    #[serde(borrow, default)]
    pub model: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub effort: Option<Text<'a>>,
}

/// `model/rerouted`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReroutedParams<'a> {
    #[serde(borrow, default)]
    pub thread_id: Option<Text<'a>>,
    #[serde(borrow)]
    pub to_model: Text<'a>,
}

/// `turn/plan/updated`: the list of things to do.
#[derive(Deserialize)]
pub(super) struct TodoParams<'a> {
    #[serde(borrow)]
    pub plan: Vec<Step<'a>>,
}

#[derive(Deserialize)]
pub(super) struct Step<'a> {
    #[serde(borrow)]
    pub step: Text<'a>,
    #[serde(borrow)]
    pub status: Text<'a>,
}

/// `serverRequest/resolved`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ResolvedParams<'a> {
    #[serde(borrow)]
    pub request_id: &'a RawValue,
}

/// What the program asks of us; which fields there are depends on the method.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AskParams<'a> {
    #[serde(borrow, default)]
    pub item_id: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub reason: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub command: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub cwd: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub questions: Vec<AskedQuestion<'a>>,
}

#[derive(Deserialize)]
pub(super) struct AskedQuestion<'a> {
    #[serde(borrow)]
    pub id: Text<'a>,
    #[serde(borrow, default)]
    pub header: Option<Text<'a>>,
    #[serde(borrow)]
    pub question: Text<'a>,
    #[serde(borrow, default)]
    pub options: Option<Vec<AskedOption<'a>>>,
}

#[derive(Deserialize)]
pub(super) struct AskedOption<'a> {
    #[serde(borrow)]
    pub label: Text<'a>,
    #[serde(borrow, default)]
    pub description: Option<Text<'a>>,
}

/// What we said, as far as a replay has to understand it.
#[derive(Deserialize)]
pub(super) struct Said<'a> {
    #[serde(borrow, default)]
    pub method: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub params: Option<SaidParams<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SaidParams<'a> {
    #[serde(borrow, default)]
    pub collaboration_mode: Option<SaidMode<'a>>,
}

#[derive(Deserialize)]
pub(super) struct SaidMode<'a> {
    #[serde(borrow)]
    pub mode: Text<'a>,
}

/// An object of unknown names.
pub(super) type Named<'a> = BTreeMap<Text<'a>, HttpFailure>;
