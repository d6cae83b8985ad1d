//! What codecs share of starting anew with an empty context: how its request is known again, what is told of a
//! refusal, and that the name of the session before is told no more.

use paddock_domain::{Body, InputId, NoticeLevel};

use crate::Heard;
use crate::bodies::notice;

/// Before the id of the input, in the id of our request.
const CLEAR: &str = "clear:";

/// The id of the request that the input `id` makes of a program.
pub(crate) fn request_id(id: &InputId) -> String {
    format!("{CLEAR}{id}")
}

/// Whether a request with this id, in JSON or plain, asks for a session in place of one that is there.
pub(crate) fn asks(rpc_id: &str) -> bool {
    rpc_id.trim_start_matches('"').starts_with(CLEAR)
}

/// `program` did not do it.
pub(crate) fn refused(program: &str, why: &str) -> Body {
    let text = format!("{program} did not begin another conversation: {why}");
    notice(NoticeLevel::Warning, text)
}

/// Leaves the name of the session before out of what is told with the next turn.
pub(crate) fn forget_name(introduction: &mut Vec<Heard>) {
    introduction.retain(|heard| !matches!(heard, Heard::Event(Body::AgentSessionNamed { .. })));
}
