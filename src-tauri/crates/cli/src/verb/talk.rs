//! Talking to an agent: `send` and `answer`.

use anyhow::Result;
use paddock_api::{AnswerRequest, ApprovalRequest, PlanRequest};
use paddock_client::Client;
use paddock_domain::{
    Answer, Approval, ApprovalId, ApprovalScope, Decision, InputId, KeepRule, Message,
    PlanDecision, Question, QuestionId, RuleSubject, Task, TaskId,
};

use super::follow::Following;
use super::hand::upload;
use super::run::text_or_stdin;
use crate::args::{AnswerArgs, Global, PlanVerdict, SendArgs};
use crate::exit::{Exit, told};
use crate::reach;
use crate::render::{json, line};
use crate::resolve;

/// Says something to the agent.
pub(crate) async fn send(global: &Global, args: SendArgs) -> Result<Exit> {
    let client = reach::client(global).await?;
    let task_id = resolve::task(&client, &args.task).await?;
    let input_id = args.input_id.as_deref().map(InputId::parse).transpose();
    let input_id = input_id.map_err(|error| told(Exit::Usage, error.to_string()))?;
    let attachments = upload(&client, &args.files).await?;
    let message = Message {
        input_id,
        text: text_or_stdin(args.text)?,
        attachments,
    };
    let before = client.task(&task_id).await?.last_seq;
    let sent = if args.after {
        client.say_after_turn(&task_id, &message).await?
    } else {
        client.say(&task_id, &message).await?
    };
    if args.follow {
        let following = Following::new(&client, task_id, global.json, Some(sent.input_id));
        return following.until_rest(before).await;
    }
    if global.json {
        json(&sent)?
    } else {
        line(if sent.queued { "queued" } else { "sent" })
    }
    Ok(Exit::Well)
}

/// Answers what the agent asks.
pub(crate) async fn answer(global: &Global, args: AnswerArgs) -> Result<Exit> {
    let client = reach::client(global).await?;
    let task_id = resolve::task(&client, &args.task).await?;
    let task = client.task(&task_id).await?;
    let accepted = give(&client, &task_id, &task, args).await?;
    if global.json {
        json(&accepted)?
    } else {
        line("answered")
    }
    Ok(Exit::Well)
}

async fn give(
    client: &Client,
    task_id: &TaskId,
    task: &Task,
    args: AnswerArgs,
) -> Result<paddock_api::Accepted> {
    if let Some(verdict) = args.plan {
        let plan = task.plan.as_ref().ok_or_else(|| nothing("plan"))?;
        let decision = match verdict {
            PlanVerdict::Approve => PlanDecision::Approve {
                text: args.plan_text,
            },
            PlanVerdict::Reject if args.plan_text.is_some() => {
                return Err(told(
                    Exit::Usage,
                    "a plan in place of the agent's is one to approve: `--plan approve`",
                ));
            }
            PlanVerdict::Reject => PlanDecision::Reject {
                comment: args.because,
            },
        };
        let request = PlanRequest {
            plan_id: plan.plan_id.clone(),
            decision,
        };
        return Ok(client.decide_plan(task_id, &request).await?);
    }
    if args.approve || args.deny {
        let approval_id = pick_approval(&task.approvals, args.id.as_deref())?;
        let keep = keep(&args);
        let decision = if args.approve {
            Decision::Allow {
                scope: args.scope.into(),
                input: args.input,
            }
        } else {
            Decision::Deny {
                message: args.because,
                interrupt: args.interrupt,
            }
        };
        return Ok(client
            .decide(
                task_id,
                &ApprovalRequest {
                    approval_id,
                    decision,
                    keep,
                },
            )
            .await?);
    }
    if args.text.is_none() && args.choose.is_empty() {
        return Err(told(
            Exit::Usage,
            "say what to answer: words, --choose, --approve, --deny or --plan",
        ));
    }
    let question_id = pick_question(&task.questions, args.id.as_deref())?;
    let answer = Answer {
        choices: args.choose,
        text: args.text,
    };
    Ok(client
        .answer(
            task_id,
            &AnswerRequest {
                question_id,
                answer,
            },
        )
        .await?)
}

/// The rules that a decision makes beyond what its scope says.
fn keep(args: &AnswerArgs) -> Option<KeepRule> {
    let scope: ApprovalScope = args.scope.into();
    let command = |command: &String| RuleSubject::Command {
        command: command.clone(),
    };
    let kept = scope != ApprovalScope::Once && (args.deny || !args.rule.is_empty());
    kept.then(|| KeepRule {
        scope,
        subjects: args.rule.iter().map(command).collect(),
    })
}

fn pick_question(open: &[Question], id: Option<&str>) -> Result<QuestionId> {
    match (open, id) {
        (_, Some(id)) => {
            QuestionId::parse(id).map_err(|error| told(Exit::Usage, error.to_string()))
        }
        ([], None) => Err(nothing("question")),
        ([one], None) => Ok(one.question_id.clone()),
        (several, None) => Err(which(
            several
                .iter()
                .map(|q| (q.question_id.as_str(), q.text.as_str())),
        )),
    }
}

fn pick_approval(open: &[Approval], id: Option<&str>) -> Result<ApprovalId> {
    match (open, id) {
        (_, Some(id)) => {
            ApprovalId::parse(id).map_err(|error| told(Exit::Usage, error.to_string()))
        }
        ([], None) => Err(nothing("request for a permission")),
        ([one], None) => Ok(one.approval_id.clone()),
        (several, None) => Err(which(
            several
                .iter()
                .map(|a| (a.approval_id.as_str(), a.summary.as_str())),
        )),
    }
}

fn nothing(what: &str) -> anyhow::Error {
    told(
        Exit::Refused,
        format!("no {what} of this task waits for an answer"),
    )
}

fn which<'a>(open: impl Iterator<Item = (&'a str, &'a str)>) -> anyhow::Error {
    let named: String = open
        .map(|(id, text)| format!("\n  {id}  {}", crate::render::clean(text)))
        .collect();
    told(
        Exit::Usage,
        format!("several wait for an answer: name one with --id{named}"),
    )
}
