//! What a user types when an agent asks.

use paddock_domain::{Answer, ApprovalScope, Decision, Question};

/// Numbers name choices; everything else is the user's own words.
pub(super) fn read_answer(question: &Question, typed: &str) -> Answer {
    let words = || Answer {
        choices: Vec::new(),
        text: Some(typed.to_owned()),
    };
    let parts: Vec<&str> = typed
        .split([',', ' '])
        .filter(|part| !part.is_empty())
        .collect();
    let choice = |part: &&str| {
        let number: usize = part.parse().ok()?;
        question
            .choices
            .get(number.checked_sub(1)?)
            .map(|choice| choice.label.clone())
    };
    let named: Option<Vec<String>> = parts.iter().map(choice).collect();
    match named {
        Some(choices) if !choices.is_empty() && (question.multiple || choices.len() == 1) => {
            Answer {
                choices,
                text: None,
            }
        }
        _ => match question
            .choices
            .iter()
            .find(|choice| choice.label.eq_ignore_ascii_case(typed))
        {
            Some(choice) => Answer {
                choices: vec![choice.label.clone()],
                text: None,
            },
            None => words(),
        },
    }
}

pub(super) fn read_decision(typed: &str) -> Decision {
    match typed.to_ascii_lowercase().as_str() {
        "a" | "always" => Decision::Allow {
            scope: ApprovalScope::Task,
            input: None,
        },
        _ if is_yes(typed) => Decision::Allow {
            scope: ApprovalScope::Once,
            input: None,
        },
        "" | "n" | "no" => Decision::Deny {
            message: None,
            interrupt: false,
        },
        _ => Decision::Deny {
            message: Some(typed.to_owned()),
            interrupt: false,
        },
    }
}

pub(super) fn is_yes(typed: &str) -> bool {
    matches!(typed.to_ascii_lowercase().as_str(), "y" | "yes")
}
