//! A task as people see it.

use paddock_domain::{Body, Event, EventId, TaskId, TaskSpec};

use super::*;

fn task() -> Task {
    let spec: TaskSpec = serde_json::from_str(
        r#"{"prompt":"Fix the authentication bug","harness":"claude","repositories":[{"path":"/home/u/api server"}]}"#,
    )
    .unwrap();
    let bodies = [
        serde_json::json!({"type":"session_started","task_description":spec.title(),"coding_provider":"claude","spec":spec}),
        serde_json::json!({"type":"state_changed","from":"pending","to":"branching","on":"scheduled"}),
        serde_json::json!({"type":"branch_claimed","repository":"/home/u/api server","branch":"paddock-7","base":"main","base_commit":"abc","adopted":false}),
        serde_json::json!({"type":"state_changed","from":"branching","to":"provisioning","on":"branched"}),
        serde_json::json!({"type":"box_created","kind":"container","name":"paddock-t1"}),
        serde_json::json!({"type":"state_changed","from":"provisioning","to":"starting","on":"box_ready"}),
        serde_json::json!({"type":"run_started","harness":"claude","version":"2.1.330","resumed":false}),
        serde_json::json!({"type":"state_changed","from":"starting","to":"running","on":"prompted"}),
        serde_json::json!({"type":"diff_stat","repository":"/home/u/api server","stat":{"files":[{"path":"src/login.rs","added":12,"removed":3},{"path":"logo.png","binary":true}],"added":12,"removed":3,"commits":1,"uncommitted":1}}),
        serde_json::json!({"type":"todo_updated","items":[{"text":"find it","status":"completed"},{"text":"fix it","status":"in_progress"}]}),
        serde_json::json!({"type":"question_asked","question_id":"q1","text":"Which token format?","choices":[{"label":"JWT"}]}),
        serde_json::json!({"type":"state_changed","from":"running","to":"asking","on":{"rested":"answers"}}),
    ];
    let mut events = (1..).zip(bodies).map(|(seq, body)| Event {
        event_id: EventId::new(seq, 0),
        ts: Timestamp::from_unix_ms(i64::try_from(seq * 1000).unwrap()),
        seq,
        task_id: TaskId::parse("01kah0000000000000007f3k").unwrap(),
        run_id: paddock_domain::RunId::parse("r1").ok(),
        turn_id: None,
        source: None,
        body: serde_json::from_value::<Body>(body).unwrap(),
    });
    let mut task = Task::begin(&events.next().unwrap()).unwrap();
    events.for_each(|event| task.record(&event));
    task
}

#[test]
fn a_task_is_described_whole() {
    let text = describe(&task(), Paint::never(), Timestamp::from_unix_ms(140_000));
    insta::assert_snapshot!(text);
}

#[test]
fn a_list_shows_a_row_a_task() {
    let row = summary_row(
        &TaskSummary::from(&task()),
        Timestamp::from_unix_ms(140_000),
    );
    let text = crate::render::table(
        &[
            "TASK", "STATE", "SINCE", "HARNESS", "CHANGES", "BRANCH", "TITLE",
        ],
        vec![row],
        Some(80),
    );
    insta::assert_snapshot!(text);
}

#[test]
fn how_an_agent_stands_is_told_with_times_to_come() {
    let mut task = task();
    let now = Timestamp::from_unix_ms(140_000);
    task.usage.context_used = Some(50_000);
    task.usage.context_limit = Some(200_000);
    task.usage.reasoning_tokens = 7;
    task.rate_limit = Some(paddock_domain::RateLimit {
        name: "weekly".to_owned(),
        used: Some(0.96),
        resets_at: Some(now.plus_ms(7_200_000)),
        blocked: false,
    });
    task.silent_since = Some(now.plus_ms(-61_000));
    let text = describe(&task, Paint::never(), now);
    for part in [
        "50000 of 200000 tokens (25 %)",
        "(7 of them thinking)",
        "weekly 96 % used, lifted in 2 h",
        "nothing said or done for 1 min",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let later = now.plus_ms(7_200_001);
    let text = describe(&task, Paint::never(), later);
    assert!(!text.contains("weekly"), "it was lifted: {text}");

    task.limit = Some(paddock_domain::UsageLimit {
        name: Some("5 h".to_owned()),
        reached_at: now,
        resets_at: Some(now.plus_ms(60_000)),
        resume_at: Some(now.plus_ms(65_000)),
        cancelled: false,
    });
    let text = describe(&task, Paint::never(), now);
    let told = "5 h reached, lifted in 1 min, goes on by itself in 1 min";
    assert!(text.contains(told), "{text}");
}

#[test]
fn ids_are_told_where_an_answer_has_to_name_one() {
    let mut task = task();
    let one = describe(&task, Paint::never(), Timestamp::from_unix_ms(140_000));
    assert!(!one.contains("--id"), "{one}");
    let mut second = task.questions[0].clone();
    second.question_id = paddock_domain::QuestionId::parse("q2").unwrap();
    second.header = Some("Tokens".to_owned());
    second.multiple = true;
    task.questions.push(second);
    let two = describe(&task, Paint::never(), Timestamp::from_unix_ms(140_000));
    for part in [
        "--id q1",
        "question Tokens: Which token format? --id q2",
        "several may be chosen",
    ] {
        assert!(two.contains(part), "{part}: {two}");
    }
}
