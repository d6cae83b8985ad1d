//! Images go to each program in its own way, beside the words, and come from its tools beside what they say.

use std::sync::Arc;

use paddock_domain::{Body, InputId};
use paddock_harness::{Codec, CodecSetup, Heard, Image, UserInput, find, registry};
use serde_json::{Value, json};

use crate::story::{Story, play};

fn picture() -> Image {
    Image {
        media_type: "image/png".to_owned(),
        path: "/box/repo/a.png".to_owned(),
        data: Arc::from(*b"\x89PNG"),
    }
}

/// What is said for words and a picture, by a codec that has heard all of `story`.
fn said(story: &str) -> Value {
    let story = Story::named(story);
    let mut codec = story.codec();
    let mut heard = Vec::new();
    for record in &story.log {
        play(&mut *codec, record, &mut heard);
    }
    say(&mut *codec)
}

fn say(codec: &mut dyn Codec) -> Value {
    let images = [picture()];
    let (text, images) = ("look", images.as_slice());
    let id = InputId::parse("u9").unwrap();
    let said = codec.prompt_with(&id, &UserInput { text, images });
    assert_eq!(said.len(), 1);
    serde_json::from_slice(&said[0].bytes).unwrap()
}

#[test]
fn claude_gets_a_block_with_the_bytes() {
    let source = json!({"type": "base64", "media_type": "image/png", "data": "iVBORw=="});
    assert_eq!(
        said("claude-2.1.330/hello")["message"]["content"],
        json!([{"type": "text", "text": "look"}, {"type": "image", "source": source}])
    );
}

#[test]
fn codex_gets_the_path_in_the_box() {
    assert_eq!(
        said("codex-0.169.0/write")["params"]["input"],
        json!([{"type": "text", "text": "look"}, {"type": "localImage", "path": "/box/repo/a.png"}])
    );
}

#[test]
fn pi_gets_them_beside_the_message() {
    let line = said("pi-0.87.1/hello");
    assert_eq!(line["message"], "look");
    let image = json!({"type": "image", "data": "iVBORw==", "mimeType": "image/png"});
    assert_eq!(line["images"], json!([image]));
}

#[test]
fn acp_agents_that_look_at_images_get_them_as_parts_of_the_prompt() {
    let image = json!({"type": "image", "mimeType": "image/png", "data": "iVBORw=="});
    let words = json!({"type": "text", "text": "look"});
    for name in ["opencode-1.18.33", "gemini-0.61.0", "kimi-2.1.0"] {
        let line = said(&format!("{name}/hello"));
        assert_eq!(line["params"]["prompt"], json!([words, image]), "{name}");
    }
}

#[test]
fn an_acp_agent_that_does_not_say_so_gets_the_words_alone() {
    let opencode = registry()
        .iter()
        .find(|harness| harness.name().as_str() == "opencode");
    let mut codec = opencode.unwrap().codec(Default::default());
    let mut heard = Vec::new();
    for line in [
        r#"{"jsonrpc":"2.0","id":"initialize","result":{"protocolVersion":1}}"#,
        r#"{"jsonrpc":"2.0","id":"session-1","result":{"sessionId":"s"}}"#,
    ] {
        codec.hear(line.as_bytes(), &mut heard);
    }
    let line = say(&mut *codec);
    assert_eq!(
        line["params"]["prompt"],
        json!([{"type": "text", "text": "look"}])
    );
}

#[test]
fn an_image_that_waits_for_the_session_is_said_with_its_words() {
    let claude = registry()
        .iter()
        .find(|harness| harness.name().as_str() == "claude");
    let mut codec = claude.unwrap().codec(Default::default());
    let images = [picture()];
    let (text, images) = ("look", images.as_slice());
    let id = InputId::parse("u9").unwrap();
    assert_eq!(codec.prompt_with(&id, &UserInput { text, images }), []);
    let mut heard = Vec::new();
    let ready = br#"{"type":"control_response","response":{"subtype":"success","request_id":"greet-0","response":{}}}"#;
    codec.hear(ready, &mut heard);
    let [Heard::Send(outgoing)] = heard.as_slice() else {
        panic!("{heard:?}")
    };
    let line: Value = serde_json::from_slice(&outgoing.bytes).unwrap();
    assert_eq!(
        line["message"]["content"][1]["source"]["media_type"],
        "image/png"
    );
}

/// What the call of the last line gave.
fn given(name: &str, lines: &[Value]) -> (String, Vec<Vec<u8>>) {
    let mut codec = find(name).unwrap().codec(CodecSetup::default());
    let mut heard = Vec::new();
    for line in lines {
        codec.hear(line.to_string().as_bytes(), &mut heard);
    }
    let finished = heard.into_iter().find_map(|heard| match heard {
        Heard::Event(Body::ToolCallFinished(call)) => Some(call),
        _ => None,
    });
    let call = finished.unwrap_or_else(|| panic!("{name} finished no call"));
    (call.output.unwrap_or_default(), call.unkept)
}

#[test]
fn what_a_tool_shows_is_told_apart_from_what_it_says() {
    let gif = vec![b"GIF89a".to_vec()];
    let claude = json!({"type": "user", "message": {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "c1", "content": [
            {"type": "text", "text": "seen"},
            {"type": "image", "source": {"type": "base64", "media_type": "image/gif", "data": "R0lGODlh"}}]}]}});
    let said = "seen\n[image]".to_owned();
    assert_eq!(given("claude", &[claude]), (said.clone(), gif.clone()));

    let codex = json!({"method": "item/completed", "params": {"threadId": "t", "turnId": "u", "item": {
        "type": "mcpToolCall", "id": "c1", "server": "s", "tool": "shot", "status": "completed", "arguments": {},
        "result": {"content": [
            {"type": "text", "text": "seen"},
            {"type": "image", "data": "R0lGODlh", "mimeType": "image/gif"}]}}}});
    assert_eq!(given("codex", &[codex]), (said, gif.clone()));

    let pi = [
        json!({"type": "tool_execution_start", "toolCallId": "c1", "toolName": "read", "args": {"path": "a.gif"}}),
        json!({"type": "tool_execution_end", "toolCallId": "c1", "toolName": "read", "isError": false, "result":
            {"content": [{"type": "text", "text": "seen"}, {"type": "image", "data": "R0lGODlh", "mimeType": "image/gif"}]}}),
    ];
    assert_eq!(given("pi", &pi), ("seen".to_owned(), gif.clone()));

    let acp = json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": {
        "sessionUpdate": "tool_call", "toolCallId": "c1", "title": "shot", "status": "completed", "content": [
            {"type": "content", "content": {"type": "text", "text": "seen"}},
            {"type": "content", "content": {"type": "image", "data": "R0lGODlh", "mimeType": "image/gif"}}]}}});
    assert_eq!(given("qwen", &[acp]), ("seen".to_owned(), gif.clone()));

    let scripted = json!({"type": "tool_finished", "call": "c1", "kind": "read", "ok": true, "output": "[image]",
        "images": ["R0lGODlh", "no base64!"]});
    assert_eq!(given("scripted", &[scripted]), ("[image]".to_owned(), gif));
}
