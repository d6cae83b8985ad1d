//! What becomes of a line that a codec does not understand: an error event that keeps it.

use paddock_domain::{ArtifactRef, Body, ErrorClass};

use crate::Heard;

/// The event of a line that is not understood, and why it is not.
pub(crate) fn unknown(line: &[u8], why: &str) -> Heard {
    Heard::Event(Body::Error {
        class: ErrorClass::UnknownLine,
        message: format!("the agent said something that Paddock does not understand: {why}"),
        raw: Some(kept(line)),
        raw_ref: None,
    })
}

/// The line as text, cut where an artifact would be.
fn kept(line: &[u8]) -> String {
    let cut = line.get(..ArtifactRef::MAX);
    let mut text = String::from_utf8_lossy(cut.unwrap_or(line)).into_owned();
    if cut.is_some() {
        text.push_str(ArtifactRef::CUT_MARK);
    }
    text
}
