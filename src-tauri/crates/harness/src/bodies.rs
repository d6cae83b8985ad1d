//! Events that every codec makes, in one line each.

use paddock_domain::{
    Block, BlockKind, Body, CondensePolicy, ErrorClass, NoticeLevel, ToolCallFinished,
};

/// Something worth knowing.
pub(crate) fn notice(level: NoticeLevel, text: String) -> Body {
    Body::Notice {
        level,
        phase: None,
        text,
    }
}

/// The context was shortened, and nobody says by how much.
pub(crate) fn condensed(policy: CondensePolicy) -> Body {
    Body::ContextCondensed {
        policy,
        tokens_before: None,
        tokens_after: None,
        summary_text: None,
    }
}

/// A message of the agent.
pub(crate) fn message(kind: BlockKind, content: String, parent: Option<String>) -> Body {
    Body::AssistantMessage {
        blocks: vec![Block { kind, content }],
        parent_tool_call_id: parent,
    }
}

/// Something that went wrong.
pub(crate) fn error(class: ErrorClass, message: String) -> Body {
    Body::Error {
        class,
        message,
        raw: None,
        raw_ref: None,
    }
}

/// The program does not know the session that it was to go on with.
pub(crate) fn session_lost(harness: &str, session: &str, why: &str) -> Body {
    let why: String = why.chars().take(400).collect();
    let message = format!(
        "{harness} does not know its session {session} any more ({why}): a new one begins with a summary of what happened"
    );
    error(ErrorClass::SessionLost, message)
}

/// The end of a call that its turn took with it.
pub(crate) fn broken_off(tool_call_id: String, parent: Option<String>) -> Body {
    Body::ToolCallFinished(ToolCallFinished {
        tool_call_id,
        is_error: true,
        parent_tool_call_id: parent,
        ..ToolCallFinished::default()
    })
}
