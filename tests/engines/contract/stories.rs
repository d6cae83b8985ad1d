//! The stories, and who cannot tell which.

use paddock_api::Abilities;
use paddock_domain::PermissionMode;

/// One story of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Story {
    Answer,
    ToolTurn,
    SameKinds,
    FailingCommand,
    Image,
    Subagent,
    InterruptWhileStreaming,
    InterruptInACommand,
    Overload,
    Compaction,
    Clear,
    Offers,
    Resume,
    WrongKey,
    ApprovalDenied,
    ApprovalEdited,
    ApprovalAllowed,
    Question,
    PlanApproved,
    PlanRejected,
}

impl Story {
    /// All, in the order of the table.
    pub(crate) const ALL: [Self; 20] = [
        Self::Answer,
        Self::ToolTurn,
        Self::SameKinds,
        Self::FailingCommand,
        Self::Question,
        Self::ApprovalAllowed,
        Self::ApprovalDenied,
        Self::ApprovalEdited,
        Self::PlanApproved,
        Self::PlanRejected,
        Self::InterruptWhileStreaming,
        Self::InterruptInACommand,
        Self::Resume,
        Self::Image,
        Self::Overload,
        Self::WrongKey,
        Self::Compaction,
        Self::Clear,
        Self::Offers,
        Self::Subagent,
    ];

    /// Its name in the table.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Answer => "answers",
            Self::ToolTurn => "command, file, commit",
            Self::SameKinds => "the same kinds of events in the same order",
            Self::FailingCommand => "a failing command",
            Self::Image => "an image",
            Self::Subagent => "a sub-agent",
            Self::InterruptWhileStreaming => "interrupted while it speaks",
            Self::InterruptInACommand => "interrupted in a command",
            Self::Overload => "overload, then success",
            Self::Compaction => "condenses on request",
            Self::Clear => "starts anew on request",
            Self::Offers => "says what it offers",
            Self::Resume => "stopped and gone on with",
            Self::WrongKey => "a wrong key",
            Self::ApprovalDenied => "approval denied",
            Self::ApprovalEdited => "approval with edited input",
            Self::ApprovalAllowed => "approval allowed",
            Self::Question => "a question",
            Self::PlanApproved => "plan approved",
            Self::PlanRejected => "plan rejected",
        }
    }

    /// Why a harness with these abilities does not offer it; nothing when it does.
    pub(crate) fn unoffered(self, abilities: &Abilities) -> Option<&'static str> {
        let offered = match self {
            Self::Answer
            | Self::ToolTurn
            | Self::SameKinds
            | Self::FailingCommand
            | Self::Subagent
            | Self::Overload
            | Self::Offers
            | Self::WrongKey => true,
            Self::Image => abilities.images,
            Self::InterruptWhileStreaming | Self::InterruptInACommand => abilities.interrupt,
            Self::Compaction => abilities.compact,
            Self::Clear => abilities.clear,
            Self::Resume => abilities.resume,
            Self::ApprovalDenied | Self::ApprovalAllowed => !abilities.approvals.is_empty(),
            Self::ApprovalEdited => abilities.edited_input,
            Self::Question => abilities.questions,
            Self::PlanApproved | Self::PlanRejected => {
                abilities.permission_modes.contains(&PermissionMode::Plan)
            }
        };
        (!offered).then_some("its abilities say that it does not offer it")
    }
}

/// What an agent's program does not do although its harness could say it, and why.
pub(crate) const UNTOLD: &[(&str, Story, &str)] = &[
    ("pi", Story::Subagent, "the program has no sub-agents"),
    (
        "gemini",
        Story::FailingCommand,
        "the program tells neither output nor exit code of a command",
    ),
    (
        "copilot",
        Story::SameKinds,
        "the program speaks between a call and its result",
    ),
    (
        "gemini",
        Story::Subagent,
        "the program tells of one call without what it is to do",
    ),
    (
        "opencode",
        Story::PlanApproved,
        "the program has no tool that ends planning",
    ),
    (
        "opencode",
        Story::PlanRejected,
        "the program has no tool that ends planning",
    ),
    (
        "copilot",
        Story::PlanApproved,
        "the program ends planning without asking",
    ),
    (
        "copilot",
        Story::PlanRejected,
        "the program ends planning without asking",
    ),
    (
        "gemini",
        Story::PlanApproved,
        "the program ends planning without asking",
    ),
    (
        "gemini",
        Story::PlanRejected,
        "the program ends planning without asking",
    ),
    (
        "kimi",
        Story::PlanApproved,
        "the program ends planning without asking",
    ),
    (
        "kimi",
        Story::PlanRejected,
        "the program ends planning without asking",
    ),
];

/// The kinds that a turn of a command, a file and a commit has in every harness, a sentence before each.
pub(crate) const SAME: &[&str] = &[
    "assistant_message",
    "tool_call_started",
    "tool_call_finished",
    "assistant_message",
    "tool_call_started",
    "tool_call_finished",
    "assistant_message",
    "tool_call_started",
    "tool_call_finished",
    "assistant_message",
    "usage_updated",
    "turn_finished",
];

/// What is compared: all that an agent's turn is made of. Left out are names of sessions and models,
/// which come once, and what comes when it comes (progress, figures, limits).
pub(crate) const COMPARED: &[&str] = &[
    "assistant_message",
    "thinking",
    "tool_call_started",
    "tool_call_finished",
    "approval_requested",
    "question_asked",
    "plan_proposed",
    "todo_updated",
    "subagent_started",
    "subagent_finished",
    "error",
    "usage_updated",
    "turn_finished",
];
