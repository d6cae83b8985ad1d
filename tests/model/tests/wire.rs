//! The scripted model over real sockets, as an agent program meets it.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use paddock_scripted_model::ScriptedModel;
use serde_json::{Value, json};

#[test]
fn anthropic_streams_every_event_of_a_tool_turn() {
    let model = start();
    let reply = post(&model, "/v1/messages", &claude("go [[fake:write]]", true));
    let names: Vec<&str> = field(&reply.body, "event: ");
    let mut kinds = names.clone();
    kinds.dedup();
    let block = [
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
    ];
    let expected = [
        &["message_start", "ping"][..],
        &block,
        &block,
        &["message_delta", "message_stop"],
    ];
    assert_eq!((reply.status, kinds), (200, expected.concat()));
    let input: String = events(&reply.body)
        .iter()
        .filter_map(|event| event["delta"]["partial_json"].as_str())
        .collect();
    let input: Value = serde_json::from_str(&input).unwrap();
    assert_eq!(input["file_path"], "/work/repo/hello.txt");
}

#[test]
fn anthropic_answers_whole_when_no_stream_is_asked_for() {
    let model = start();
    let reply = post(&model, "/v1/messages", &claude("go [[fake:bash]]", false));
    let message: Value = serde_json::from_str(&reply.body).unwrap();
    assert_eq!(message["stop_reason"], "tool_use");
    assert_eq!(message["content"][1]["name"], "Bash");
}

#[test]
fn responses_number_their_events_and_end_completed() {
    let model = start();
    let shell = json!({"type": "function", "name": "exec_command", "parameters": {
        "type": "object", "properties": {"cmd": {"type": "string"}}, "required": ["cmd"]}});
    let body = json!({"model": "m", "stream": true, "tools": [shell], "instructions": "<cwd>/r</cwd>",
        "input": [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "[[fake:bash]]"}]}]});
    let events = events(&post(&model, "/v1/responses", &body).body);
    let numbers: Vec<u64> = events
        .iter()
        .filter_map(|e| e["sequence_number"].as_u64())
        .collect();
    assert_eq!(numbers, (0..events.len() as u64).collect::<Vec<_>>());
    let last = events.last().unwrap();
    assert_eq!(last["type"], "response.completed");
    assert_eq!(last["response"]["output"][1]["name"], "exec_command");
}

#[test]
fn chat_and_gemini_carry_the_same_story() {
    let model = start();
    let schema = json!({"type": "object", "properties": {"command": {"type": "string"}}});
    let tool = json!({"type": "function", "function": {"name": "bash", "parameters": schema}});
    let chat = json!({"model": "m", "tools": [tool], "messages": [{"role": "user", "content": "[[fake:bashfail]]"}]});
    let chat: Value = read(&post(&model, "/v1/chat/completions", &chat));
    let call = &chat["choices"][0]["message"]["tool_calls"][0]["function"];
    assert_eq!(
        call["arguments"],
        r#"{"command":"echo to-stderr >&2; exit 3"}"#
    );

    let tool = json!({"functionDeclarations": [{"name": "bash", "parameters": schema}]});
    let body = json!({"tools": [tool], "contents": [{"role": "user", "parts": [{"text": "[[fake:bashfail]]"}]}]});
    let gemini = read(&post(&model, "/v1beta/models/g:generateContent", &body));
    let call = &gemini["candidates"][0]["content"]["parts"][0]["functionCall"];
    assert_eq!(call["args"]["command"], "echo to-stderr >&2; exit 3");
    let streamed = post(
        &model,
        "/v1beta/models/g:streamGenerateContent?alt=sse",
        &body,
    );
    assert_eq!(
        events(&streamed.body).last().unwrap()["candidates"][0]["finishReason"],
        "STOP"
    );
}

#[test]
fn a_fault_is_played_as_often_as_asked_and_then_the_answer_comes() {
    let model = start();
    let body = claude("go [[fake:err529 times=2]]", true);
    let statuses = [0; 4].map(|_| post(&model, "/v1/messages", &body).status);
    assert_eq!(statuses, [529, 529, 200, 529]);
}

#[test]
fn a_rate_limit_says_when_to_come_back() {
    let model = start();
    let reply = post(
        &model,
        "/v1/messages",
        &claude("go [[fake:err429 after=7]]", true),
    );
    assert_eq!(reply.status, 429);
    assert!(
        reply.head.contains("\r\nretry-after: 7\r\n"),
        "{}",
        reply.head
    );
    assert_eq!(read(&reply)["error"]["type"], "rate_limit_error");
}

#[test]
fn a_dropped_answer_breaks_off_without_its_last_event() {
    let model = start();
    let reply = post(&model, "/v1/messages", &claude("go [[fake:drop]]", true));
    assert!(reply.body.contains("This answer is cut"));
    assert!(!reply.body.contains("message_stop"));
    assert!(
        !reply.body.ends_with("0\r\n\r\n"),
        "the body must not end as if it were whole"
    );
}

#[test]
fn a_base_url_can_name_the_story() {
    let model = start();
    let path = format!(
        "{}/v1/messages",
        model.url_of("think").trim_start_matches(&model.url())
    );
    let reply = post(&model, &path, &claude("no marker", false));
    assert_eq!(read(&reply)["content"][0]["type"], "thinking");
}

#[test]
fn tokens_models_and_unknown_paths_are_answered() {
    let model = start();
    let count = read(&post(
        &model,
        "/v1/messages/count_tokens?beta=true",
        &json!({"a": "b"}),
    ));
    assert_eq!(count["input_tokens"], 10);
    assert!(
        ask(&model, "GET", "/v1/models", "", "")
            .body
            .contains("claude-")
    );
    assert_eq!(ask(&model, "HEAD", "/", "", "").status, 200);
    assert_eq!(post(&model, "/v2/else", &json!({})).status, 404);
}

#[test]
fn what_is_no_json_is_refused_and_the_server_goes_on() {
    let model = start();
    for body in ["", "[]", "{\"broken", "\u{0}\u{1}"] {
        let reply = ask(&model, "POST", "/v1/messages", "", body);
        assert_eq!(reply.status, 400, "{body:?}");
    }
    let packed = ask(
        &model,
        "POST",
        "/v1/messages",
        "content-encoding: zstd\r\n",
        "x",
    );
    assert_eq!(packed.status, 415);
    let odd = json!({"messages": [7, {"content": [null, {"type": "tool_result"}]}], "tools": ["x", {}], "stream": 3});
    assert_eq!(post(&model, "/v1/messages", &odd).status, 200);
    assert_eq!(
        post(&model, "/v1/responses", &json!({"input": [1, {}]})).status,
        200
    );
}

#[test]
fn the_record_keeps_names_of_headers_and_never_their_values() {
    let model = start();
    let headers = "x-api-key: sk-planted-secret\r\n";
    ask(
        &model,
        "POST",
        "/v1/messages",
        headers,
        &claude("hi [[fake:hello]]", false).to_string(),
    );
    ask(&model, "GET", "/v1/models?key=sk-planted-secret", "", "");
    let seen = model.requests();
    let labels: Vec<_> = seen
        .iter()
        .map(|s| (s.number, s.played.as_str(), s.status, s.has_key))
        .collect();
    assert_eq!(
        labels,
        [(1, "hello/0", 200, true), (2, "(models)", 200, true)]
    );
    assert!(seen[0].headers.contains(&"x-api-key".to_owned()));
    assert_eq!(seen[0].body["model"], "m");
    assert!(!format!("{seen:?}").contains("planted"));
}

#[test]
fn only_loopback_is_served() {
    let error = ScriptedModel::start("0.0.0.0:0".parse().unwrap()).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
}

#[test]
fn stopping_frees_the_port_even_while_an_answer_hangs() {
    let model = start();
    let address = address(&model);
    let body = claude("go [[fake:hang]]", true).to_string();
    let mut stream = send(&model, "POST", "/v1/messages", "", &body);
    let mut first = [0];
    stream.read_exact(&mut first).unwrap();
    let asked = Instant::now();
    model.stop();
    assert!(asked.elapsed() < Duration::from_secs(5));
    ScriptedModel::start(address).expect("the port is free again");
}

struct Reply {
    status: u16,
    head: String,
    body: String,
}

fn start() -> ScriptedModel {
    ScriptedModel::start("127.0.0.1:0".parse().unwrap()).unwrap()
}

fn address(model: &ScriptedModel) -> SocketAddr {
    model.url().trim_start_matches("http://").parse().unwrap()
}

/// A request as Claude Code makes it, with two of its tools.
fn claude(text: &str, stream: bool) -> Value {
    let tool = |name: &str, first: &str, second: &str| {
        let properties = json!({first: {"type": "string"}, second: {"type": "string"}});
        json!({"name": name, "input_schema": {"type": "object", "properties": properties, "required": [first]}})
    };
    json!({
        "model": "m", "stream": stream, "system": "Primary working directory: /work/repo\n",
        "tools": [tool("Bash", "command", "description"), tool("Write", "file_path", "content")],
        "messages": [{"role": "user", "content": [{"type": "text", "text": text}]}],
    })
}

fn post(model: &ScriptedModel, path: &str, body: &Value) -> Reply {
    ask(model, "POST", path, "", &body.to_string())
}

fn ask(model: &ScriptedModel, method: &str, path: &str, headers: &str, body: &str) -> Reply {
    let mut stream = send(model, method, path, headers, body);
    let mut bytes = Vec::new();
    // A dropped answer ends in an error; what came before it counts.
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    Reply {
        status: head[9..12].parse().unwrap(),
        head: format!("{head}\r\n"),
        body: body.to_owned(),
    }
}

fn send(model: &ScriptedModel, method: &str, path: &str, headers: &str, body: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address(model)).unwrap();
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{headers}content-length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body.as_bytes()).unwrap();
    stream
}

fn read(reply: &Reply) -> Value {
    serde_json::from_str(&reply.body).unwrap()
}

/// What follows `name` on the lines of a stream, chunk sizes passed over.
fn field<'a>(body: &'a str, name: &str) -> Vec<&'a str> {
    body.lines()
        .filter_map(|line| line.strip_prefix(name))
        .collect()
}

fn events(body: &str) -> Vec<Value> {
    let data = field(body, "data: ").into_iter();
    data.filter_map(|data| serde_json::from_str(data).ok())
        .collect()
}
