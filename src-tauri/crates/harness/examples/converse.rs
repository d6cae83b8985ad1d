//! Talks to a real agent program: launches it as its plan says, gives it prompts one after another and
//! prints what its codec hears as JSON lines.
//!
//! `cargo run -p paddock-harness --example converse -- HARNESS PROGRAM HOME WORK_DIR MODE PROMPT…`
//! where MODE is `full_auto`, `accept_edits`, `ask` or `plan`. Keys and base URLs come from the
//! environment. Permissions are granted once, questions answered with their first choice, plans
//! approved.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use paddock_domain::{
    Answer, ApprovalScope, Body, Decision, InputId, PermissionMode, PlanDecision,
};
use paddock_harness::{Codec, CodecSetup, Heard, LaunchRequest, Outgoing, find};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [name, program, home, work_dir, mode, prompts @ ..] = args.as_slice() else {
        return Err("HARNESS PROGRAM HOME WORK_DIR MODE PROMPT…".into());
    };
    let harness = find(name).ok_or("no such harness")?;
    let permission_mode: PermissionMode = serde_json::from_value(mode.as_str().into())?;
    let given = harness.provider_variables().iter();
    let provider: BTreeMap<String, String> = given
        .filter_map(|name| Some(((*name).to_owned(), std::env::var(name).ok()?)))
        .collect();
    let session = format!("00000000-0000-4000-8000-{:012}", std::process::id());
    let plan = harness.launch(&LaunchRequest {
        model: None,
        effort: None,
        permission_mode,
        home,
        work_dir,
        resume: None,
        fork: false,
        session_id: &session,
        provider: &provider,
    })?;
    for file in &plan.files {
        let path = Path::new(home).join(&file.path);
        std::fs::create_dir_all(path.parent().unwrap_or(&path))?;
        std::fs::write(path, &file.content)?;
    }
    let mut child = Command::new(program)
        .args(&plan.args)
        .env_clear()
        .env("PATH", std::env::var("PATH")?)
        .envs(&plan.env)
        .current_dir(work_dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut stdin = child.stdin.take().ok_or("no stdin")?;
    let stdout = BufReader::new(child.stdout.take().ok_or("no stdout")?);
    let mut talk = Talk {
        codec: harness.codec(CodecSetup {
            permission_mode,
            work_dir: work_dir.clone(),
            ..CodecSetup::default()
        }),
        inputs: 0,
        prompts: prompts.to_vec(),
        waits: false,
    };
    let greeting = talk.codec.greet();
    talk.send(&greeting, &mut stdin)?;
    let first = talk.next_prompt()?;
    talk.send(&first, &mut stdin)?;
    let mut heard = Vec::new();
    for line in stdout.split(b'\n') {
        talk.codec.hear(&line?, &mut heard);
        for heard in heard.drain(..) {
            talk.react(heard, &mut stdin)?;
        }
        if !talk.waits {
            break;
        }
    }
    drop(stdin);
    println!("{}", child.wait()?);
    Ok(())
}

struct Talk {
    codec: Box<dyn Codec>,
    inputs: u32,
    prompts: Vec<String>,
    waits: bool,
}

impl Talk {
    fn id(&mut self) -> Result<InputId, Box<dyn Error>> {
        self.inputs += 1;
        Ok(InputId::parse(&format!("in-{}", self.inputs))?)
    }

    fn next_prompt(&mut self) -> Result<Vec<Outgoing>, Box<dyn Error>> {
        self.waits = !self.prompts.is_empty();
        if !self.waits {
            return Ok(Vec::new());
        }
        let text = self.prompts.remove(0);
        let id = self.id()?;
        Ok(self.codec.prompt(&id, &text))
    }

    fn send(&mut self, outgoing: &[Outgoing], to: &mut impl Write) -> Result<(), Box<dyn Error>> {
        for outgoing in outgoing {
            print!("> {}", String::from_utf8_lossy(&outgoing.bytes));
            to.write_all(&outgoing.bytes)?;
            to.flush()?;
            self.codec.said(&outgoing.id, &outgoing.bytes);
        }
        Ok(())
    }

    fn react(&mut self, heard: Heard, to: &mut impl Write) -> Result<(), Box<dyn Error>> {
        let body = match heard {
            Heard::Event(body) => body,
            Heard::Send(outgoing) => return self.send(&[outgoing], to),
            Heard::Delta(_) => return Ok(()),
            Heard::TurnBegan => {
                println!("< a turn began by itself");
                return Ok(());
            }
        };
        println!("< {}", serde_json::to_string(&body)?);
        let answer = self.answer(&body)?;
        self.send(&answer, to)
    }

    fn answer(&mut self, body: &Body) -> Result<Vec<Outgoing>, Box<dyn Error>> {
        let id = self.id()?;
        if let Body::ApprovalRequested(asked) = body {
            let scope = ApprovalScope::Once;
            let allow = Decision::Allow { scope, input: None };
            return Ok(self.codec.decide(&id, &asked.approval_id, &allow)?);
        }
        if let Body::QuestionAsked(asked) = body {
            let first = asked.choices.first().map(|choice| choice.label.clone());
            let choices = first.into_iter().collect();
            let answer = Answer {
                choices,
                text: None,
            };
            return Ok(self.codec.answer(&id, &asked.question_id, &answer)?);
        }
        if let Body::PlanProposed(plan) = body {
            self.waits = true;
            let approve = PlanDecision::Approve { text: None };
            return Ok(self.codec.decide_plan(
                &id,
                &plan.plan_id,
                &approve,
                PermissionMode::AcceptEdits,
            )?);
        }
        if let Body::TurnFinished { .. } = body {
            return self.next_prompt();
        }
        Ok(Vec::new())
    }
}
