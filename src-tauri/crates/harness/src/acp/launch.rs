//! How an ACP agent is started: its arguments, its keys by its own variables, and the few files it needs.

use std::collections::BTreeMap;

use paddock_domain::PermissionMode;
use serde_json::json;

use super::profile::Profile;
use crate::launch::{OWN_MODEL_CONTEXT, OWN_MODEL_OUTPUT, plain};
use crate::{LaunchError, LaunchPlan, LaunchRequest, PlanFile};

/// The model of a provider of the user's own, which Copilot wants to be named.
const COPILOT_MODEL: &str = "gpt-5.5";

pub(super) fn plan(
    profile: &'static Profile,
    request: &LaunchRequest<'_>,
) -> Result<LaunchPlan, LaunchError> {
    if let Some(model) = request.model {
        plain(profile.name, "model", model)?;
    }
    let mut plan = LaunchPlan {
        args: profile.args.iter().copied().map(str::to_owned).collect(),
        env: profile.env.iter().copied().map(owned).collect(),
        ..LaunchPlan::default()
    };
    plan.env.extend([owned(("HOME", request.home))]);
    plan.env.extend(keys(profile, request)?);
    let model = request.model.or(profile.default_model);
    if let (Some(variable), Some(model)) = (profile.model_variable, model) {
        plan.env.extend([owned((variable, model))]);
    }
    if let (Some(argument), Some(model)) = (profile.model_argument, request.model) {
        plan.args.extend([argument.to_owned(), model.to_owned()]);
    }
    if let Some(configure) = profile.configure {
        configure(request, &mut plan);
    }
    Ok(plan)
}

/// The keys that are set, and where the provider is.
fn keys(
    profile: &'static Profile,
    request: &LaunchRequest<'_>,
) -> Result<BTreeMap<String, String>, LaunchError> {
    let given = |name: &&'static str| Some(owned((name, request.provided(name)?)));
    let keys: BTreeMap<String, String> = profile.keys.iter().filter_map(given).collect();
    if keys.is_empty() && !profile.keys.is_empty() {
        return Err(LaunchError::MissingKey {
            harness: profile.name,
            variables: profile.keys,
        });
    }
    let base_url = profile.base_url.and_then(|variable| {
        let url = request.provided(variable).or(profile.default_base_url)?;
        Some(owned((variable, url)))
    });
    Ok(keys.into_iter().chain(base_url).collect())
}

/// Its configuration goes in by a variable. The key stays in its own: the configuration names it.
pub(super) fn opencode(request: &LaunchRequest<'_>, plan: &mut LaunchPlan) {
    let mut config = json!({"autoupdate": false, "share": "disabled"});
    let asks = request.permission_mode != PermissionMode::FullAuto;
    if asks {
        config["permission"] = json!({"edit": "ask", "bash": "ask", "webfetch": "ask"});
        // What its sub-agents ask reaches nobody, and they wait for ever.
        config["tools"] = json!({"task": false});
        let text =
            "opencode does not pass on what its sub-agents ask, so it has none while it asks";
        plan.notices.push(text.to_owned());
    }
    match (request.provided("OPENAI_BASE_URL"), request.model) {
        (Some(url), model) => {
            let name = model
                .unwrap_or("gpt-5.5")
                .rsplit('/')
                .next()
                .unwrap_or_default();
            let limit = json!({"context": OWN_MODEL_CONTEXT, "output": OWN_MODEL_OUTPUT});
            // Of a model that does not say so it keeps the pictures back.
            let sees = json!({"input": ["text", "image"], "output": ["text"]});
            config["provider"] = json!({"paddock": {
                "npm": "@ai-sdk/openai-compatible",
                "name": "OpenAI-compatible",
                "options": {"baseURL": url, "apiKey": "{env:OPENAI_API_KEY}"},
                "models": {name: {"name": name, "limit": limit, "attachment": true, "modalities": sees}},
            }});
            config["model"] = json!(format!("paddock/{name}"));
            config["small_model"] = config["model"].clone();
        }
        (None, Some(model)) => config["model"] = json!(model),
        (None, None) => {}
    }
    let variable = "OPENCODE_CONFIG_CONTENT".to_owned();
    plan.env.insert(variable, config.to_string());
}

/// Without it the agent asks how to log in, which nobody sees.
pub(super) fn gemini(_: &LaunchRequest<'_>, plan: &mut LaunchPlan) {
    let settings = json!({
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "general": {"disableAutoUpdate": true, "enableAutoUpdate": false},
        "privacy": {"usageStatisticsEnabled": false},
    });
    plan.files.push(PlanFile {
        path: ".gemini/settings.json".to_owned(),
        content: settings.to_string(),
        mode: 0o600,
    });
}

/// With a provider of the user's own it needs no login, and must not look for one.
pub(super) fn copilot(request: &LaunchRequest<'_>, plan: &mut LaunchPlan) {
    if request.provided("COPILOT_PROVIDER_API_KEY").is_none() {
        return;
    }
    let model = request.model.unwrap_or(COPILOT_MODEL);
    let (context, output) = (OWN_MODEL_CONTEXT.to_string(), OWN_MODEL_OUTPUT.to_string());
    plan.env.extend(
        [
            ("COPILOT_OFFLINE", "true"),
            ("COPILOT_MODEL", model),
            ("COPILOT_PROVIDER_MAX_PROMPT_TOKENS", &context),
            ("COPILOT_PROVIDER_MAX_OUTPUT_TOKENS", &output),
        ]
        .map(owned),
    );
}

fn owned((name, value): (&str, &str)) -> (String, String) {
    (name.to_owned(), value.to_owned())
}
