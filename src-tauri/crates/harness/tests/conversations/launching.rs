//! Launch plans.

use std::collections::BTreeMap;

use paddock_domain::PermissionMode;
use paddock_harness::{LaunchError, LaunchPlan, LaunchRequest, find, registry};

type Provider = BTreeMap<String, String>;

fn provider(pairs: &[(&str, &str)]) -> Provider {
    let owned = pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    owned.collect()
}

fn request(provider: &Provider) -> LaunchRequest<'_> {
    LaunchRequest {
        model: None,
        effort: None,
        permission_mode: PermissionMode::FullAuto,
        home: "/home/agent",
        work_dir: "/work/my repo",
        resume: None,
        fork: false,
        session_id: "11111111-2222-3333-4444-555555555555",
        provider,
    }
}

fn launch(harness: &str, request: &LaunchRequest<'_>) -> Result<LaunchPlan, LaunchError> {
    find(harness).unwrap().launch(request)
}

const SECRET: &str = "sk-very-secret-000";

fn keys() -> Provider {
    provider(&[
        ("ANTHROPIC_API_KEY", SECRET),
        ("OPENAI_API_KEY", SECRET),
        ("GEMINI_API_KEY", SECRET),
        ("KIMI_MODEL_API_KEY", SECRET),
        ("COPILOT_PROVIDER_API_KEY", SECRET),
    ])
}

#[test]
fn no_secret_gets_into_arguments_or_files() {
    let keys = keys();
    for harness in registry() {
        let plan = harness.launch(&request(&keys)).unwrap();
        assert!(
            !plan.args.iter().any(|arg| arg.contains(SECRET)),
            "{}",
            harness.name()
        );
        assert!(
            !plan.files.iter().any(|file| file.content.contains(SECRET)),
            "{}",
            harness.name()
        );
        assert!(
            !plan.notices.iter().any(|notice| notice.contains(SECRET)),
            "{}",
            harness.name()
        );
    }
}

#[test]
fn a_missing_key_names_the_variables_that_would_help() {
    let none = Provider::new();
    let error = launch("claude", &request(&none)).unwrap_err().to_string();
    assert!(error.contains("ANTHROPIC_API_KEY"), "{error}");
    let blank = provider(&[("OPENAI_API_KEY", " ")]);
    let error = launch("codex", &request(&blank)).unwrap_err().to_string();
    assert!(error.contains("OPENAI_API_KEY"), "{error}");
    assert!(launch("scripted", &request(&none)).is_ok());
}

#[test]
fn a_subscription_wins_over_a_key_and_says_so() {
    let both = provider(&[
        ("ANTHROPIC_API_KEY", SECRET),
        ("CLAUDE_CODE_OAUTH_TOKEN", "token"),
    ]);
    let plan = launch("claude", &request(&both)).unwrap();
    assert_eq!(plan.env["CLAUDE_CODE_OAUTH_TOKEN"], "token");
    assert_eq!(plan.env["ANTHROPIC_API_KEY"], "");
    assert_eq!(
        plan.notices,
        ["ANTHROPIC_API_KEY is set too and is not used: CLAUDE_CODE_OAUTH_TOKEN wins"]
    );
}

#[test]
fn claude_is_launched_with_all_it_needs() {
    let keys = provider(&[
        ("ANTHROPIC_API_KEY", SECRET),
        ("ANTHROPIC_BASE_URL", "http://127.0.0.1:9"),
    ]);
    let plan = launch(
        "claude",
        &LaunchRequest {
            model: Some("opus"),
            effort: Some("high"),
            ..request(&keys)
        },
    )
    .unwrap();
    let args = "-p --input-format stream-json --output-format stream-json --verbose \
                --include-partial-messages --permission-prompt-tool stdio \
                --permission-mode bypassPermissions \
                --session-id 11111111-2222-3333-4444-555555555555 --model opus --effort high";
    assert_eq!(plan.args.join(" "), args);
    let env = provider(&[
        ("ANTHROPIC_API_KEY", SECRET),
        ("ANTHROPIC_AUTH_TOKEN", ""),
        ("ANTHROPIC_BASE_URL", "http://127.0.0.1:9"),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ("CLAUDE_CODE_ENABLE_TASKS", "0"),
        ("CLAUDE_CODE_ENABLE_TODO_TOOLS", "1"),
        ("CLAUDE_CODE_FORWARD_SUBAGENT_TEXT", "1"),
        ("CLAUDE_CODE_MAX_RETRIES", "6"),
        ("CLAUDE_CODE_OAUTH_TOKEN", ""),
        ("CLAUDE_CONFIG_DIR", "/home/agent/.claude"),
        ("DISABLE_AUTOUPDATER", "1"),
        ("DISABLE_ERROR_REPORTING", "1"),
        ("DISABLE_TELEMETRY", "1"),
        ("HOME", "/home/agent"),
        ("IS_SANDBOX", "1"),
    ]);
    assert_eq!(plan.env, env);
}

#[test]
fn codex_is_launched_with_all_it_needs() {
    let keys = provider(&[
        ("OPENAI_API_KEY", SECRET),
        ("OPENAI_BASE_URL", "http://127.0.0.1:9/v1"),
    ]);
    let plan = launch(
        "codex",
        &LaunchRequest {
            model: Some("gpt-5.5"),
            effort: Some("high"),
            ..request(&keys)
        },
    )
    .unwrap();
    assert_eq!(plan.args, ["app-server"]);
    let env = provider(&[
        ("CODEX_HOME", "/home/agent/.codex"),
        ("HOME", "/home/agent"),
        ("OPENAI_API_KEY", SECRET),
    ]);
    assert_eq!(plan.env, env);

    let [file] = plan.files.as_slice() else {
        panic!()
    };
    assert_eq!(
        (file.path.as_str(), file.mode),
        (".codex/config.toml", 0o600)
    );
    let expected = r#"model = "gpt-5.5"
model_reasoning_effort = "high"
model_provider = "paddock"
check_for_update_on_startup = false

[analytics]
enabled = false

[features]
plugins = false
unbounded_connection_retries = false

[projects."/work/my repo"]
trust_level = "trusted"

[model_providers.paddock]
name = "Paddock"
base_url = "http://127.0.0.1:9/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
request_max_retries = 4
stream_max_retries = 5
"#;
    assert_eq!(file.content, expected);
}

#[test]
fn a_session_is_resumed_by_its_id() {
    let keys = keys();
    let request = LaunchRequest {
        resume: Some("abc"),
        ..request(&keys)
    };
    let plan = launch("claude", &request).unwrap();
    assert!(plan.args.windows(2).any(|pair| pair == ["--resume", "abc"]));
    assert!(!plan.args.contains(&"--session-id".to_owned()));
    let plan = launch("scripted", &request).unwrap();
    assert_eq!(plan.args, ["--resume", "abc"]);
}

#[test]
fn permission_modes_are_the_programs_own() {
    let keys = keys();
    let modes = [
        (PermissionMode::FullAuto, "bypassPermissions"),
        (PermissionMode::AcceptEdits, "acceptEdits"),
        (PermissionMode::Ask, "default"),
        (PermissionMode::Plan, "plan"),
    ];
    for (permission_mode, word) in modes {
        let plan = launch(
            "claude",
            &LaunchRequest {
                permission_mode,
                ..request(&keys)
            },
        )
        .unwrap();
        assert!(
            plan.args
                .windows(2)
                .any(|pair| pair == ["--permission-mode", word])
        );
    }
}

#[test]
fn values_that_could_be_options_and_unknown_efforts_are_refused() {
    let keys = keys();
    for harness in ["claude", "codex"] {
        let sly = LaunchRequest {
            model: Some("--yolo"),
            ..request(&keys)
        };
        assert!(
            matches!(launch(harness, &sly), Err(LaunchError::BadValue { .. })),
            "{harness}"
        );
        let odd = LaunchRequest {
            effort: Some("heroic"),
            ..request(&keys)
        };
        assert!(
            matches!(
                launch(harness, &odd),
                Err(LaunchError::UnknownEffort { .. })
            ),
            "{harness}"
        );
    }
    let sly = LaunchRequest {
        resume: Some("-x"),
        ..request(&keys)
    };
    assert!(launch("claude", &sly).is_err());
}

#[test]
fn a_path_with_quotes_stays_a_string_in_the_configuration() {
    let keys = keys();
    let plan = launch(
        "codex",
        &LaunchRequest {
            work_dir: "/w/\"]\nmodel = \"x",
            ..request(&keys)
        },
    )
    .unwrap();
    assert!(
        !plan.files[0]
            .content
            .lines()
            .any(|line| line.starts_with("model ="))
    );
}
