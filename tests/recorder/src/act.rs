//! Stories: what the user does, and when.

use paddock_domain::PermissionMode;

/// A conversation to play.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Story {
    pub(crate) name: &'static str,
    pub(crate) mode: PermissionMode,
    pub(crate) acts: &'static [Act],
}

/// What the user does next.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Act {
    /// Says this and waits for the end of the turn; what the agent asks is answered meanwhile.
    Say(&'static str, Reaction),
    /// Says this, ends the turn at its first piece of text or its first call, and waits for its end.
    Interrupt(&'static str, At),
    /// Kills the program, and goes on with its session in another.
    KillAndResume,
}

/// How the user reacts to what the agent asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reaction {
    Allow,
    Deny,
}

/// When the user ends a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    Text,
    Call,
}

const fn story(name: &'static str, mode: PermissionMode, acts: &'static [Act]) -> Story {
    Story { name, mode, acts }
}

/// All of them. The words in brackets pick what the scripted model does.
pub(crate) fn stories() -> Vec<Story> {
    use Act::{Interrupt, KillAndResume, Say};
    use PermissionMode::{Ask, FullAuto, Plan};
    use Reaction::{Allow, Deny};
    vec![
        story(
            "hello",
            FullAuto,
            &[Say("Please greet me. [[fake:hello]]", Allow)],
        ),
        story(
            "think",
            FullAuto,
            &[Say("Please think. [[fake:think]]", Allow)],
        ),
        story(
            "write",
            FullAuto,
            &[Say("Please go. [[fake:write]]", Allow)],
        ),
        story("edit", FullAuto, &[Say("Please go. [[fake:edit]]", Allow)]),
        story(
            "multi",
            FullAuto,
            &[Say("Please go. [[fake:multi]]", Allow)],
        ),
        story(
            "bashfail",
            FullAuto,
            &[Say("Please go. [[fake:bashfail]]", Allow)],
        ),
        story(
            "badtool",
            FullAuto,
            &[Say("Please go. [[fake:badtool]]", Allow)],
        ),
        story("todo", FullAuto, &[Say("Please go. [[fake:todo]]", Allow)]),
        story("ask", FullAuto, &[Say("Please go. [[fake:ask]]", Allow)]),
        story(
            "subagent",
            FullAuto,
            &[Say("Please go. [[fake:subagent]]", Allow)],
        ),
        story("allow", Ask, &[Say("Please go. [[fake:danger]]", Allow)]),
        story("deny", Ask, &[Say("Please go. [[fake:danger]]", Deny)]),
        story("plan", Plan, &[Say("Please go. [[fake:plan]]", Allow)]),
        story(
            "interrupt-text",
            FullAuto,
            &[
                Interrupt("Please go. [[fake:slow delay=0.1]]", At::Text),
                Say("Again. [[fake:hello]]", Allow),
            ],
        ),
        story(
            "interrupt-call",
            FullAuto,
            &[
                Interrupt("Please go. [[fake:sleep s=60]]", At::Call),
                Say("Again. [[fake:hello]]", Allow),
            ],
        ),
        story(
            "resume",
            FullAuto,
            &[
                Say("Remember 42. [[fake:write]]", Allow),
                KillAndResume,
                Say("Go on. [[fake:bash]]", Allow),
            ],
        ),
        story(
            "overload",
            FullAuto,
            &[Say("Please go. [[fake:err529 times=2]]", Allow)],
        ),
        story(
            "unauthorized",
            FullAuto,
            &[Say("Please go. [[fake:err401]]", Allow)],
        ),
    ]
}
