//! Lines that are understood and give no event, each with the reason.

/// What the line is (`type/subtype` where it has a subtype), and why nothing comes of it.
pub(super) const QUIET: &[(&str, &str)] = &[
    (
        "command_lifecycle",
        "its turn and its messages say the same",
    ),
    ("keep_alive", "it carries nothing"),
    ("tool_progress", "a tool call's start and end are enough"),
    (
        "system/status",
        "what it announces comes as a line of its own",
    ),
    ("system/thinking_tokens", "usage comes with the result"),
    (
        "system/task_progress",
        "the sub-agent's tool calls come by themselves",
    ),
    ("system/task_updated", "`task_notification` says the same"),
    (
        "system/background_tasks_changed",
        "it lists what other lines told",
    ),
    ("system/permission_denied", "the tool call's result says it"),
    ("system/model_refusal_no_fallback", "the result says it"),
    ("system/hook_started", "hooks are the user's own"),
    ("system/hook_progress", "hooks are the user's own"),
    ("system/hook_response", "hooks are the user's own"),
];

/// Whether a line of this kind gives no event.
pub(super) fn is_quiet(kind: &str, subtype: Option<&str>) -> bool {
    QUIET.iter().any(|(name, _)| match subtype {
        Some(subtype) => name
            .strip_prefix(kind)
            .and_then(|rest| rest.strip_prefix('/'))
            .is_some_and(|rest| rest == subtype),
        None => *name == kind,
    })
}
