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
    let limit = |name: &str, used, in_ms| paddock_domain::RateLimit {
        name: name.to_owned(),
        used: Some(used),
        resets_at: Some(now.plus_ms(in_ms)),
        blocked: false,
    };
    task.rate_limits = vec![
        limit("weekly", 0.96, 7_200_000),
        limit("five hours", 0.5, 90_000_000),
    ];
    task.silent_since = Some(now.plus_ms(-61_000));
    let text = describe(&task, Paint::never(), now);
    for part in [
        "50000 of 200000 tokens (25 %)",
        "(7 of them thinking)",
        "weekly 96 % used, lifted in 2 h",
        "five hours 50 % used, lifted in 1 d",
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

#[test]
fn a_retry_is_told_with_its_number_and_when_the_next_comes() {
    let mut task = task();
    let now = Timestamp::from_unix_ms(140_000);
    task.retry = Some(paddock_domain::RetryUnderWay {
        retry: paddock_domain::Retry {
            attempt: Some(2),
            attempts_max: Some(10),
            class: Some(paddock_domain::ErrorClass::Overload),
            reason: "overloaded (529)".to_owned(),
            delay_ms: Some(30_000),
        },
        since_at: now,
        next_at: Some(now.plus_ms(30_000)),
    });
    let text = describe(&task, Paint::never(), now);
    let told =
        "the provider is overloaded, tries again in 30 s (attempt 2 of 10): overloaded (529)";
    assert!(text.contains(told), "{text}");
}

#[test]
fn what_was_asked_for_is_told_beside_what_is_used_where_they_differ() {
    let mut task = task();
    let spec = std::sync::Arc::make_mut(&mut task.spec);
    spec.model = Some("openai/gpt-5.5".to_owned());
    spec.effort = Some("high".to_owned());
    task.model = Some("GPT-5.5".to_owned());
    task.effort = Some("low".to_owned());
    let now = Timestamp::from_unix_ms(140_000);
    let text = describe(&task, Paint::never(), now);
    assert!(text.contains("effort low (asked for high)"), "{text}");
    assert!(!text.contains("asked for openai"), "{text}");
    task.model = Some("gpt-5-mini".to_owned());
    let text = describe(&task, Paint::never(), now);
    assert!(
        text.contains("gpt-5-mini (asked for openai/gpt-5.5)"),
        "{text}"
    );
}

#[test]
fn an_estimated_cost_says_that_it_is_one_and_what_it_leaves_out() {
    let mut task = task();
    let mut say = |partial| {
        task.usage.cost = Some(paddock_domain::Cost {
            usd: 1.25,
            source: paddock_domain::CostSource::Estimated,
            partial,
        });
        describe(&task, Paint::never(), Timestamp::from_unix_ms(140_000))
    };
    let text = say(false);
    assert!(text.contains("≈ $1.25 estimated by list price"), "{text}");
    let text = say(true);
    let expected = "≈ at least $1.25 estimated by list price (some tokens have no price)";
    assert!(text.contains(expected), "{text}");
}
