//! How Codex is started: `codex app-server` with a configuration file of our own.
//!
//! The file names a provider that reads its key from the environment, so no key is written down. The
//! program's own sandbox is off (`danger-full-access`): the box is the fence, and a sandbox within a
//! container often cannot be set up. A dead network fails within seconds in place of retrying for ever.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::EFFORTS;
use crate::launch::{known_effort, plain};
use crate::{LaunchError, LaunchPlan, LaunchRequest, PlanFile};

pub(super) const API_KEY: &str = "OPENAI_API_KEY";
pub(super) const BASE_URL: &str = "OPENAI_BASE_URL";
pub(super) const DEFAULT_BASE_URL: &str = "https://api.openai.com/v1";

/// The name of the one provider that the program is told of.
pub(super) const PROVIDER: &str = "paddock";

/// How often a request is sent again before it counts as failed.
const REQUEST_RETRIES: u32 = 4;
/// How often a stream that broke off is begun again.
const STREAM_RETRIES: u32 = 5;

pub(super) fn plan(request: &LaunchRequest<'_>) -> Result<LaunchPlan, LaunchError> {
    known_effort("codex", request.effort, EFFORTS)?;
    if let Some(model) = request.model {
        plain("codex", "model", model)?;
    }
    let Some(key) = request.provided(API_KEY) else {
        return Err(LaunchError::MissingKey {
            harness: "codex",
            variables: &[API_KEY],
        });
    };
    let codex_home = format!("{}/.codex", request.home);
    let env = [
        ("HOME", request.home),
        ("CODEX_HOME", &codex_home),
        (API_KEY, key),
    ];
    let env: BTreeMap<String, String> = env
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
    Ok(LaunchPlan {
        args: vec!["app-server".to_owned()],
        env,
        files: vec![PlanFile {
            path: ".codex/config.toml".to_owned(),
            content: configuration(request),
            mode: 0o600,
        }],
        notices: Vec::new(),
    })
}

fn configuration(request: &LaunchRequest<'_>) -> String {
    let mut text = String::new();
    let options = [
        ("model", request.model),
        ("model_reasoning_effort", request.effort),
    ];
    for (name, value) in options {
        if let Some(value) = value {
            let _ = writeln!(text, "{name} = {}", quoted(value));
        }
    }
    let base_url = quoted(request.provided(BASE_URL).unwrap_or(DEFAULT_BASE_URL));
    let work_dir = quoted(request.work_dir);
    let _ = write!(
        text,
        r#"model_provider = "{PROVIDER}"
check_for_update_on_startup = false

[analytics]
enabled = false

[features]
plugins = false
unbounded_connection_retries = false

[projects.{work_dir}]
trust_level = "trusted"

[model_providers.{PROVIDER}]
name = "Paddock"
base_url = {base_url}
env_key = "{API_KEY}"
wire_api = "responses"
request_max_retries = {REQUEST_RETRIES}
stream_max_retries = {STREAM_RETRIES}
"#
    );
    text
}

/// A TOML string: JSON's escapes are among TOML's, but for DEL, which TOML wants escaped.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text)
        .to_string()
        .replace('\u{7f}', "\\u007F")
}
