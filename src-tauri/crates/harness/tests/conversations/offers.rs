//! What programs offer: told whole, once, and only what can be read. The lines are those of the real programs.

use paddock_domain::{Body, InputId, Offers};
use paddock_harness::{Codec, CodecSetup, Heard, find};
use serde_json::{Value, json};

use crate::story::Story;

fn codec(harness: &str) -> Box<dyn Codec> {
    let mut codec = find(harness).unwrap().codec(CodecSetup {
        work_dir: "/box/repo".to_owned(),
        ..CodecSetup::default()
    });
    codec.greet();
    codec
}

fn hear(codec: &mut dyn Codec, lines: &[Value]) -> Vec<Heard> {
    let mut out = Vec::new();
    for line in lines {
        codec.hear(line.to_string().as_bytes(), &mut out);
    }
    out
}

fn told(heard: &[Heard]) -> Vec<&Offers> {
    let offers = heard.iter().filter_map(|heard| match heard {
        Heard::Event(Body::AgentOffers(offers)) => Some(offers),
        _ => None,
    });
    offers.collect()
}

fn names(offers: &Offers) -> Vec<&str> {
    let commands = offers.commands.iter();
    commands.map(|command| command.name.as_str()).collect()
}

fn ids(offers: &Offers) -> Vec<&str> {
    offers
        .models
        .iter()
        .map(|model| model.id.as_str())
        .collect()
}

fn greeted(commands: &Value, models: &Value) -> Value {
    json!({"type": "control_response", "response": {"subtype": "success", "request_id": "greet-0",
        "response": {"commands": commands, "models": models, "output_style": "default"}}})
}

#[test]
fn claude_lists_commands_and_models_in_its_answer_to_our_greeting() {
    let commands = json!([
        {"name": "code-review", "description": "Review a diff", "argumentHint": "[<pr#>|<path>]", "builtin": true},
        {"name": "init", "description": "Set up CLAUDE.md", "argumentHint": ""},
        {"name": "__remote-workflow", "description": "internal", "argumentHint": ""},
    ]);
    let models = json!([
        {"value": "default", "resolvedModel": "claude-opus-5-5", "displayName": "Default (recommended)",
         "description": "Opus 5.5", "supportsEffort": true, "supportedEffortLevels": ["low", "high"]},
        {"value": "haiku", "resolvedModel": "claude-haiku-5-5", "displayName": "Haiku"},
    ]);
    let mut codec = codec("claude");
    let heard = hear(&mut *codec, &[greeted(&commands, &models)]);
    let [offers] = told(&heard)[..] else {
        panic!("{heard:?}")
    };
    assert_eq!(names(offers), ["code-review", "init"]);
    assert_eq!(offers.commands[0].hint.as_deref(), Some("[<pr#>|<path>]"));
    assert_eq!(offers.commands[1].hint, None);
    assert_eq!(ids(offers), ["default", "haiku"]);
    assert_eq!(offers.models[0].efforts, ["low", "high"]);
    let of_alias = offers.model_named("claude-haiku-5-5");
    assert_eq!(of_alias.map(|model| model.id.as_str()), Some("haiku"));
}

#[test]
fn an_entry_that_cannot_be_read_costs_no_other_and_a_list_that_is_none_costs_nothing() {
    let commands =
        json!([{"name": 7}, "text", null, {"name": "init"}, {"description": "nameless"}]);
    for models in [json!("none"), json!(null), json!({"a": 1}), json!([[]])] {
        let heard = hear(&mut *codec("claude"), &[greeted(&commands, &models)]);
        let [offers] = told(&heard)[..] else {
            panic!("{heard:?}")
        };
        assert_eq!((names(offers), ids(offers)), (vec!["init"], vec![]));
        assert!(
            !heard
                .iter()
                .any(|heard| matches!(heard, Heard::Event(Body::Error { .. })))
        );
    }
    let heard = hear(&mut *codec("claude"), &[greeted(&json!({}), &json!(1))]);
    assert_eq!(told(&heard), Vec::<&Offers>::new());
}

#[test]
fn codex_is_asked_for_its_models_and_tells_them_with_its_conversation() {
    let effort = |name: &str| json!({"reasoningEffort": name, "description": "…"});
    let listed = json!({"id": "models", "result": {"data": [
        {"id": "gpt-6.1-sol", "model": "gpt-6.1-sol", "displayName": "GPT-6.1-Sol", "hidden": false,
         "description": "Latest workhorse", "supportedReasoningEfforts": [effort("low"), effort("high")],
         "defaultReasoningEffort": "low", "isDefault": true},
        {"id": "old", "model": "old", "displayName": "Old", "hidden": true, "supportedReasoningEfforts": []},
    ], "nextCursor": null}});
    let opened =
        json!({"id": "thread-1", "result": {"thread": {"id": "T"}, "model": "gpt-6.1-sol"}});
    for order in [[&opened, &listed], [&listed, &opened]] {
        let mut codec = codec("codex");
        let greeting = hear(&mut *codec, &[json!({"id": "initialize", "result": {}})]);
        let asks = greeting.iter().any(
            |heard| matches!(heard, Heard::Send(outgoing) if outgoing.id.as_str() == "models"),
        );
        assert!(asks, "{greeting:?}");
        let heard = hear(&mut *codec, &order.map(Clone::clone));
        let [offers] = told(&heard)[..] else {
            panic!("{heard:?}")
        };
        assert_eq!(ids(offers), ["gpt-6.1-sol"]);
        assert_eq!(offers.models[0].efforts, ["low", "high"]);
        assert_eq!(offers.models[0].name.as_deref(), Some("GPT-6.1-Sol"));
    }
    // One that does not know the request has nothing to choose from, and that is no news.
    let mut codec = codec("codex");
    let refused = json!({"id": "models", "error": {"code": -32600, "message": "unknown variant"}});
    assert_eq!(hear(&mut *codec, &[refused]), []);
}

#[test]
fn pi_is_asked_for_both_and_names_models_as_it_is_told_them() {
    let reply = |command: &str, data: Value| json!({"type": "response", "command": command, "success": true, "data": data});
    let model = |provider: &str, id: &str, reasons: bool| json!({"id": id, "name": id, "provider": provider, "reasoning": reasons});
    let state = |provider: &str| {
        reply(
            "get_state",
            json!({"sessionId": "s", "messageCount": 0, "model": {"id": "gpt-5.5", "provider": provider}}),
        )
    };
    let models = json!({"models": [model("openai", "gpt-5.5", true), model("anthropic", "claude-x", false), model("paddock", "gpt-5.5", true)]});
    let commands = json!({"commands": [{"name": "llama", "description": "Manage models", "source": "extension"}]});
    let lines = |provider: &str| {
        [
            state(provider),
            reply("get_available_models", models.clone()),
            reply("get_commands", commands.clone()),
        ]
    };
    let mut pi = codec("pi");
    let heard = hear(&mut *pi, &lines("openai"));
    let [offers] = told(&heard)[..] else {
        panic!("{heard:?}")
    };
    assert_eq!(names(offers), ["llama"]);
    assert_eq!(
        ids(offers),
        ["openai/gpt-5.5", "anthropic/claude-x", "gpt-5.5"]
    );
    assert_eq!(offers.model.as_deref(), Some("openai/gpt-5.5"));
    assert_eq!(offers.models[1].efforts, ["off"]);
    let id = InputId::parse("a").unwrap();
    let said = pi.set_model(&id, "anthropic/claude-x").unwrap();
    let said: Value = serde_json::from_slice(&said[0].bytes).unwrap();
    assert_eq!(
        (&said["provider"], &said["modelId"]),
        (&json!("anthropic"), &json!("claude-x"))
    );
    // With a provider of the user's own there is no other.
    let mut pi = codec("pi");
    let heard = hear(&mut *pi, &lines("paddock"));
    assert_eq!(ids(told(&heard)[0]), ["gpt-5.5"]);
    let said = pi.set_model(&id, "vendor/some-model").unwrap();
    let said: Value = serde_json::from_slice(&said[0].bytes).unwrap();
    assert_eq!(
        (&said["provider"], &said["modelId"]),
        (&json!("paddock"), &json!("vendor/some-model"))
    );
}

#[test]
fn acp_agents_tell_models_with_the_session_and_commands_when_they_like_and_both_are_one() {
    let initialized = json!({"jsonrpc": "2.0", "id": "initialize", "result": {"protocolVersion": 1, "agentCapabilities": {}}});
    let opened = json!({"jsonrpc": "2.0", "id": "session-1", "result": {"sessionId": "S", "configOptions": [
        {"id": "model", "category": "model", "currentValue": "a/one", "options": [
            {"value": "a/one", "name": "One"}, {"value": "a/two", "name": "Two", "description": "smaller"}]},
        {"id": "effort", "category": "thought_level", "currentValue": "low", "options": [{"value": "low"}, {"value": "high"}]},
    ]}});
    let commands = |names: &[&str]| {
        let all: Vec<_> = names
            .iter()
            .map(|name| json!({"name": name, "description": "d", "input": {"hint": "h"}}))
            .collect();
        json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "S",
            "update": {"sessionUpdate": "available_commands_update", "availableCommands": all}}})
    };
    let mut codec = codec("opencode");
    // Some tell their commands before the session is there: that waits.
    let early = hear(&mut *codec, &[initialized, commands(&["init"])]);
    assert_eq!(told(&early), Vec::<&Offers>::new());
    let heard = hear(
        &mut *codec,
        &[
            opened,
            commands(&["init", "review"]),
            commands(&["init", "review"]),
        ],
    );
    let [offers] = told(&heard)[..] else {
        panic!("{heard:?}")
    };
    assert_eq!(
        (names(offers), ids(offers)),
        (vec!["init", "review"], vec!["a/one", "a/two"])
    );
    assert_eq!(offers.model.as_deref(), Some("a/one"));
    assert_eq!(
        (
            offers.models[0].efforts.len(),
            offers.models[1].efforts.len()
        ),
        (2, 0)
    );
}

#[test]
fn what_the_recorded_programs_offer_is_told_at_most_twice_in_a_conversation() {
    for name in [
        "opencode-1.18.33/multi",
        "gemini-0.61.0/multi",
        "kimi-2.1.0/multi",
        "copilot-1.0.102/multi",
        "qwen-0.24.4/multi",
    ] {
        let heard = Story::named(name).hear();
        let told = told(&heard);
        assert!((1..=2).contains(&told.len()), "{name}: {told:?}");
    }
}
