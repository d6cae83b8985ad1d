//! How Pi is started: RPC mode, a session id of ours, and a provider file that names the variable of the
//! key in place of the key.

use std::collections::BTreeMap;

use paddock_domain::PermissionMode;
use serde_json::json;

use super::EFFORTS;
use crate::launch::{OWN_MODEL_CONTEXT, OWN_MODEL_OUTPUT, known_effort, plain};
use crate::{LaunchError, LaunchPlan, LaunchRequest, PlanFile};

pub(super) const OPENAI_KEY: &str = "OPENAI_API_KEY";
pub(super) const ANTHROPIC_KEY: &str = "ANTHROPIC_API_KEY";
pub(super) const GEMINI_KEY: &str = "GEMINI_API_KEY";
pub(super) const BASE_URL: &str = "OPENAI_BASE_URL";

const KEYS: &[&str] = &[OPENAI_KEY, ANTHROPIC_KEY, GEMINI_KEY];

/// The provider of the user's own, where a base URL says where it is.
pub(super) const OWN_PROVIDER: &str = "paddock";

/// The model where nobody asks for one.
const MODEL: &str = "gpt-5.5";

pub(super) fn plan(request: &LaunchRequest<'_>) -> Result<LaunchPlan, LaunchError> {
    known_effort("pi", request.effort, EFFORTS)?;
    if request.permission_mode != PermissionMode::FullAuto {
        return Err(LaunchError::BadValue {
            harness: "pi",
            field: "permission mode",
            value: format!("{:?}", request.permission_mode),
            reason: "pi asks for nothing: choose full auto, the box is the fence",
        });
    }
    let keys = KEYS
        .iter()
        .filter_map(|name| Some((*name, request.provided(name)?)));
    let keys: BTreeMap<&str, &str> = keys.collect();
    if keys.is_empty() {
        return Err(LaunchError::MissingKey {
            harness: "pi",
            variables: KEYS,
        });
    }
    // It makes the session where there is none of this id, so that both ways need no more than this.
    let session = request.resume.unwrap_or(request.session_id);
    plain("pi", "session", session)?;
    let mut args = ["--mode", "rpc", "--session-id", session]
        .map(str::to_owned)
        .to_vec();
    let model = request.model.unwrap_or(MODEL);
    plain("pi", "model", model)?;
    let mut files = Vec::new();
    if let Some(url) = request.provided(BASE_URL) {
        args.extend(["--model".to_owned(), format!("{OWN_PROVIDER}/{model}")]);
        files.push(provider(url, model));
    } else if request.model.is_some() {
        args.extend(["--model".to_owned(), model.to_owned()]);
    }
    if let Some(effort) = request.effort {
        args.extend(["--thinking".to_owned(), effort.to_owned()]);
    }
    let quiet = [
        ("PI_OFFLINE", "1"),
        ("PI_SKIP_VERSION_CHECK", "1"),
        ("PI_TELEMETRY", "0"),
        ("HOME", request.home),
    ];
    let env = keys.into_iter().chain(quiet);
    Ok(LaunchPlan {
        args,
        env: env
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
        files,
        notices: Vec::new(),
    })
}

/// Any name among a provider's keys is looked up in the environment.
fn provider(url: &str, model: &str) -> PlanFile {
    let own = json!({
        "baseUrl": url,
        "apiKey": OPENAI_KEY,
        "api": "openai-completions",
        "models": [{
            "id": model,
            "contextWindow": OWN_MODEL_CONTEXT,
            "maxTokens": OWN_MODEL_OUTPUT,
            "reasoning": true,
            "input": ["text", "image"],
            "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0},
        }],
    });
    PlanFile {
        path: ".pi/agent/models.json".to_owned(),
        content: json!({"providers": {OWN_PROVIDER: own}}).to_string(),
        mode: 0o600,
    }
}
