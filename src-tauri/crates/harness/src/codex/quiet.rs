//! Messages that are understood and give no event, each with the reason.

/// The method, or the beginning of it where it ends with `/`, and why nothing comes of it.
pub(super) const QUIET: &[(&str, &str)] = &[
    (
        "account/",
        "Paddock passes the key; there is no login to follow",
    ),
    ("app/", "apps are not used"),
    (
        "command/exec/",
        "only Paddock could have started it, and does not",
    ),
    (
        "deprecationNotice",
        "it is meant for the authors of clients",
    ),
    ("externalAgentConfig/", "nothing is imported"),
    ("fs/", "the file interface is not used"),
    ("fuzzyFileSearch/", "the search interface is not used"),
    ("hook/", "hooks are the user's own"),
    (
        "item/autoApprovalReview/",
        "the item's end says how it was decided",
    ),
    (
        "item/commandExecution/terminalInteraction",
        "the command's output shows it",
    ),
    ("item/fileChange/", "the item's end has the whole change"),
    ("item/mcpToolCall/", "the item's end has the result"),
    ("item/plan/delta", "a plan is shown when it is whole"),
    (
        "item/reasoning/summaryPartAdded",
        "the deltas that follow are enough",
    ),
    (
        "mcpServer/",
        "servers are the user's own; their calls are items",
    ),
    (
        "model/safetyBuffering/",
        "the turn goes on or fails, and says so",
    ),
    (
        "model/verification",
        "the turn goes on or fails, and says so",
    ),
    ("modelProvider/", "the turn goes on or fails, and says so"),
    ("process/", "the process interface is not used"),
    ("project/", "projects are not used"),
    ("rawResponse/", "not asked for"),
    ("rawResponseItem/", "not asked for"),
    ("remoteControl/", "remote control is not used"),
    ("skills/", "skills are the program's own"),
    ("thread/archived", "threads are listed by Paddock"),
    ("thread/attachment/", "attachments are not used"),
    ("thread/closed", "the run's end says it"),
    ("thread/compacted", "the item `contextCompaction` says it"),
    ("thread/deleted", "threads are listed by Paddock"),
    ("thread/environment/", "there is one environment, the box"),
    ("thread/goal/", "goals are not used"),
    ("thread/name/", "Paddock names its tasks"),
    ("thread/prediction/", "predictions are not used"),
    ("thread/project/", "projects are not used"),
    ("thread/queue/", "the program's own queue is not used"),
    ("thread/readState/", "read marks are not used"),
    ("thread/realtime/", "voice is not used"),
    ("thread/reverted", "nothing is reverted through the program"),
    ("thread/section/", "sections are not used"),
    ("thread/started", "the response to our request says it"),
    ("thread/status/", "turns and requests say it"),
    ("thread/unarchived", "threads are listed by Paddock"),
    (
        "turn/diff/",
        "the box tells what changed, whoever changed it",
    ),
    ("turn/moderationMetadata", "it is meant for the provider"),
    ("windows", "boxes run Linux"),
];

/// Items that are understood and give no event, each with the reason.
pub(super) const QUIET_ITEMS: &[(&str, &str)] = &[
    ("enteredReviewMode", "reviews are not asked for"),
    ("exitedReviewMode", "reviews are not asked for"),
    ("functionCallOutput", "the call is an item of its own"),
    ("hookPrompt", "hooks are the user's own"),
    ("sleep", "waiting is no work"),
    (
        "userMessage",
        "what the user said is journalled when it is said",
    ),
];

/// Whether a message of this method gives no event.
pub(super) fn is_quiet(method: &str) -> bool {
    QUIET.iter().any(|(name, _)| {
        let is_group = name.ends_with('/') || *name == "windows";
        *name == method || (is_group && method.starts_with(name))
    })
}

/// Whether an item of this kind gives no event.
pub(super) fn is_quiet_item(kind: &str) -> bool {
    QUIET_ITEMS.iter().any(|(name, _)| *name == kind)
}
