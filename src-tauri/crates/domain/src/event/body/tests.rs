//! Events on the wire, and what moves out of them.

use super::*;
use crate::{Event, EventId, TaskId, Timestamp};

#[test]
fn an_event_is_one_flat_object_and_is_read_back() {
    let event = Event {
        event_id: EventId::parse("e1").unwrap(),
        ts: Timestamp::from_unix_ms(0),
        seq: 7,
        task_id: TaskId::parse("t1").unwrap(),
        run_id: None,
        turn_id: None,
        source: None,
        body: Body::TurnFinished {
            outcome: TurnOutcome::Completed,
            duration_ms: Some(12),
        },
    };
    let line = serde_json::to_string(&event).unwrap();
    assert_eq!(
        line,
        r#"{"event_id":"e1","ts":"1970-01-01T00:00:00.000Z","seq":7,"task_id":"t1","type":"turn_finished","outcome":"completed","duration_ms":12}"#
    );
    assert_eq!(serde_json::from_str::<Event>(&line).unwrap(), event);
}

#[test]
fn the_type_on_the_wire_is_the_type_by_name() {
    let bodies = [
        Body::ToolCallFinished(ToolCallFinished::default()),
        Body::UsageUpdated(Usage::default()),
        Body::StateChanged {
            from: StateName::Pending,
            to: StateName::Branching,
            on: Transition::Scheduled,
            cause: None,
        },
    ];
    for body in bodies {
        let json = serde_json::to_value(&body).unwrap();
        assert_eq!(json["type"], body.type_name());
    }
}

#[test]
fn long_outputs_move_out_and_short_ones_stay() {
    let reference = ArtifactRef {
        path: "p".into(),
        sha256: "s".into(),
        size: 1,
    };
    let mut short = Body::ToolCallFinished(ToolCallFinished {
        output: Some("x".repeat(ArtifactRef::OVER)),
        ..ToolCallFinished::default()
    });
    let before = short.clone();
    short.offload(|_| Some(reference.clone()));
    assert_eq!(short, before);
    let mut long = Body::ToolCallFinished(ToolCallFinished {
        output: Some("x".repeat(ArtifactRef::OVER + 1)),
        ..ToolCallFinished::default()
    });
    long.offload(|_| Some(reference.clone()));
    let Body::ToolCallFinished(call) = long else {
        panic!("another body")
    };
    assert_eq!((call.output, call.stdout_ref), (None, Some(reference)));
}

#[test]
fn the_images_of_a_tool_are_kept_apart_and_the_event_names_them() {
    let png = b"\x89PNG\r\n\x1a\n1".to_vec();
    let mut body = Body::ToolCallFinished(ToolCallFinished {
        unkept: vec![png.clone(), b"<svg/>".to_vec(), b"GIF89a".to_vec()],
        ..ToolCallFinished::default()
    });
    let mut kept = Vec::new();
    body.keep_images(|content| {
        kept.push(content.to_vec());
        Some("a".repeat(64))
    });
    assert_eq!(kept, [png, b"GIF89a".to_vec()]);
    let names: Vec<&str> = body
        .attachments()
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(names, ["image-1.png", "image-2.gif"]);
    let json = serde_json::to_value(&body).unwrap();
    assert_eq!(json["images"][0]["media_type"], "image/png");
    assert!(json.get("unkept").is_none());
    assert_eq!(serde_json::from_value::<Body>(json).unwrap(), body);
}

#[test]
fn a_tool_that_floods_with_images_keeps_the_first_ones() {
    let mut body = Body::ToolCallFinished(ToolCallFinished {
        unkept: vec![b"GIF89a".to_vec(); ToolCallFinished::IMAGES_MAX + 1],
        ..ToolCallFinished::default()
    });
    body.keep_images(|_| Some("a".repeat(64)));
    assert_eq!(body.attachments().len(), ToolCallFinished::IMAGES_MAX);
    let Body::ToolCallFinished(call) = body else {
        panic!("another body")
    };
    assert!(call.unkept.is_empty());
}
