//! How Claude Code is started.
//!
//! No first-run question, no telemetry, no update, nothing fetched beyond the model's API; its home is
//! below the run's own. Root may run it without permissions because the box is the fence
//! (`IS_SANDBOX`). It retries a failing API six times: at the program's own default of ten, a dead
//! network looks like work for more than three minutes.

use std::collections::BTreeMap;

use paddock_domain::PermissionMode;

use super::EFFORTS;
use crate::launch::{known_effort, plain};
use crate::{LaunchError, LaunchPlan, LaunchRequest};

pub(super) const API_KEY: &str = "ANTHROPIC_API_KEY";
pub(super) const AUTH_TOKEN: &str = "ANTHROPIC_AUTH_TOKEN";
pub(super) const OAUTH_TOKEN: &str = "CLAUDE_CODE_OAUTH_TOKEN";
pub(super) const BASE_URL: &str = "ANTHROPIC_BASE_URL";

/// How often a request to the API is tried again.
const API_RETRIES: &str = "6";

/// Switches that keep the program to its work.
const SWITCHES: &[(&str, &str)] = &[
    // The list of things to do is off unless it is asked for, and told whole only by the older of its two tools.
    ("CLAUDE_CODE_ENABLE_TASKS", "0"),
    ("CLAUDE_CODE_ENABLE_TODO_TOOLS", "1"),
    ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
    // Older releases do not know the option of the same meaning, and would not start.
    ("CLAUDE_CODE_FORWARD_SUBAGENT_TEXT", "1"),
    ("CLAUDE_CODE_MAX_RETRIES", API_RETRIES),
    ("DISABLE_AUTOUPDATER", "1"),
    ("DISABLE_ERROR_REPORTING", "1"),
    ("DISABLE_TELEMETRY", "1"),
    ("IS_SANDBOX", "1"),
];

/// The keys, the one that wins first: a subscription before a gateway's token before an API key, so
/// that a key forgotten in the environment never costs money unseen.
const KEYS: &[&str] = &[OAUTH_TOKEN, AUTH_TOKEN, API_KEY];

pub(super) fn plan(request: &LaunchRequest<'_>) -> Result<LaunchPlan, LaunchError> {
    known_effort("claude", request.effort, EFFORTS)?;
    let mut notices = Vec::new();
    let mut env = credentials(request, &mut notices)?;
    env.extend(SWITCHES.iter().map(|(name, value)| owned(name, value)));
    env.extend([
        owned("HOME", request.home),
        owned("CLAUDE_CONFIG_DIR", &format!("{}/.claude", request.home)),
    ]);
    Ok(LaunchPlan {
        args: arguments(request)?,
        env,
        files: Vec::new(),
        notices,
    })
}

/// The one credential that is used, and the base URL. The others are set empty, so that none that the
/// box has from elsewhere can win.
fn credentials(
    request: &LaunchRequest<'_>,
    notices: &mut Vec<String>,
) -> Result<BTreeMap<String, String>, LaunchError> {
    let given = |name: &&&str| request.provided(name).is_some();
    let Some(chosen) = KEYS.iter().find(given) else {
        return Err(LaunchError::MissingKey {
            harness: "claude",
            variables: &[API_KEY, OAUTH_TOKEN, AUTH_TOKEN],
        });
    };
    let mut env = BTreeMap::new();
    for name in KEYS {
        let value = request.provided(name).filter(|_| name == chosen);
        env.extend([owned(name, value.unwrap_or_default())]);
        if name != chosen && request.provided(name).is_some() {
            notices.push(format!("{name} is set too and is not used: {chosen} wins"));
        }
    }
    if let Some(url) = request.provided(BASE_URL) {
        env.extend([owned(BASE_URL, url)]);
    }
    Ok(env)
}

fn arguments(request: &LaunchRequest<'_>) -> Result<Vec<String>, LaunchError> {
    let mut args: Vec<String> = [
        "-p",
        "--input-format",
        "stream-json",
        "--output-format",
        "stream-json",
        "--verbose",
        "--include-partial-messages",
        "--permission-prompt-tool",
        "stdio",
        "--permission-mode",
        permission_mode(request.permission_mode),
    ]
    .map(str::to_owned)
    .to_vec();
    if request.fork {
        args.push("--fork-session".to_owned());
    }
    let session = match request.resume {
        Some(session) => ("--resume", "session", Some(session)),
        None => ("--session-id", "session id", Some(request.session_id)),
    };
    let model = ("--model", "model", request.model);
    let effort = ("--effort", "effort", request.effort);
    for (option, field, value) in [session, model, effort] {
        if let Some(value) = value {
            plain("claude", field, value)?;
            args.extend([option.to_owned(), value.to_owned()]);
        }
    }
    Ok(args)
}

/// What the program calls a permission mode.
pub(super) fn permission_mode(mode: PermissionMode) -> &'static str {
    match mode {
        PermissionMode::FullAuto => "bypassPermissions",
        PermissionMode::AcceptEdits => "acceptEdits",
        // Newer releases list it as `manual`, which older ones refuse.
        PermissionMode::Ask => "default",
        PermissionMode::Plan => "plan",
    }
}

fn owned(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}
