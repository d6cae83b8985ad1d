//! A change of the permission mode while the run lives, written into the id of the request that asks for it,
//! so that a codec knows from the log alone which mode holds.

use paddock_domain::{InputId, PermissionMode};

const PREFIX: &str = "mode:";

/// The id of the request that `id` asked for.
pub(crate) fn request_id(mode: PermissionMode, id: &InputId) -> String {
    format!("{PREFIX}{}:{id}", name(mode))
}

/// The mode that the request of this id asked for.
pub(crate) fn asked_for(request_id: &str) -> Option<PermissionMode> {
    let (mode, _) = request_id.strip_prefix(PREFIX)?.split_once(':')?;
    let all = [
        PermissionMode::FullAuto,
        PermissionMode::AcceptEdits,
        PermissionMode::Ask,
        PermissionMode::Plan,
    ];
    all.into_iter().find(|known| name(*known) == mode)
}

fn name(mode: PermissionMode) -> &'static str {
    match mode {
        PermissionMode::FullAuto => "full_auto",
        PermissionMode::AcceptEdits => "accept_edits",
        PermissionMode::Ask => "ask",
        PermissionMode::Plan => "plan",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mode_is_read_from_the_id_that_it_was_written_into() {
        let id = InputId::parse("u1").unwrap();
        let asked = asked_for(&request_id(PermissionMode::AcceptEdits, &id));
        assert_eq!(asked, Some(PermissionMode::AcceptEdits));
        assert_eq!(asked_for("mode:none:u1"), None);
        assert_eq!(asked_for("model:u1"), None);
    }
}
