//! One turn: carries out the steps of a prompt, and stops where it is told to.
//!
//! Start at [`Turn::run`].

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use signal_hook::consts::signal::{SIGHUP, SIGINT, SIGTERM};

use super::{Agent, News};
use crate::message::{CONTEXT_WINDOW, Outcome, Said, TodoItem, TodoStatus};
use crate::offspring;
use crate::script::{self, Bulk, Step};

/// Characters in one piece of a streamed text.
const PIECE: usize = 8;
/// Longest wait that a prompt can ask for.
const LONGEST_WAIT: Duration = Duration::from_secs(365 * 24 * 3600);
/// Characters of a prompt that are echoed.
const ECHO: usize = 200;

/// Why a turn stops before its last step.
#[derive(Debug)]
pub(super) enum Stop {
    Interrupted,
    Failed(String),
    /// The rest is not wanted.
    Enough,
    /// Nobody reads any more.
    Unheard(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Unheard(error)
    }
}

/// A turn in progress.
#[derive(Debug)]
pub(super) struct Turn<'a> {
    pub(super) agent: &'a mut Agent,
    number: u64,
    last_id: u32,
    said: usize,
}

impl Turn<'_> {
    /// Carries out the prompt `text` that came with input `id`.
    ///
    /// # Errors
    /// When nobody reads stdout any more.
    pub(super) fn run(agent: &mut Agent, id: String, text: &str, images: usize) -> io::Result<()> {
        agent.session.turns += 1;
        agent.session.note("user", text);
        agent.session.keep();
        let number = agent.session.turns;
        let prompt = id.clone();
        agent.mouth.say(&Said::TurnStarted {
            turn: number,
            prompt,
        })?;
        let mut turn = Turn {
            agent: &mut *agent,
            number,
            last_id: 0,
            said: 0,
        };
        let (outcome, message) = match turn.play(text, images) {
            Ok(()) | Err(Stop::Enough) => (Outcome::Completed, None),
            Err(Stop::Interrupted) => (Outcome::Interrupted, None),
            Err(Stop::Failed(message)) => (Outcome::Failed, Some(message)),
            Err(Stop::Unheard(error)) => return Err(error),
        };
        let tokens = |bytes: usize| (bytes as u64).div_ceil(4);
        let (input, output) = (tokens(text.len()), tokens(turn.said));
        turn.agent.mouth.say(&usage(input, output, 0))?;
        agent.session.keep();
        let turn = number;
        agent.mouth.say(&Said::TurnFinished {
            turn,
            prompt: id,
            outcome,
            message,
        })
    }

    fn play(&mut self, text: &str, images: usize) -> Result<(), Stop> {
        let steps = script::read(text);
        if steps.is_empty() {
            let echo: String = text.chars().take(ECHO).collect();
            let seen = match images {
                0 => String::new(),
                count => format!(" ({count} images)"),
            };
            return self.text(format!("You said: {echo}{seen}"));
        }
        for step in steps {
            self.look_around()?;
            self.step(step)?;
        }
        Ok(())
    }

    fn step(&mut self, step: Step) -> Result<(), Stop> {
        match step {
            Step::Say(text) => self.text(text),
            Step::SayMany(bulk) => self.say_many(bulk),
            Step::Delta(text) => self.stream(&text),
            Step::DeltaMany(bulk) => self.stream_many(bulk),
            Step::Think(text) => self.say(&Said::Thinking { text }),
            Step::Tool(input) => self.tool(&input),
            Step::Ask(questions) => self.ask(questions),
            Step::Approve { command } => self.approve(command),
            Step::Plan(text) => self.plan(text),
            Step::Todo(items) => self.todo(&items),
            Step::Subagent(text) => self.subagent(&text),
            Step::Usage {
                input,
                output,
                cached,
            } => self.say(&usage(input, output, cached)),
            Step::Offers(words) => {
                let is_command = |word: &String| word.starts_with('/');
                let (commands, models) = words.into_iter().partition(is_command);
                self.say(&Said::Offers { commands, models })
            }
            Step::RateLimit { ms } => self.say(&Said::RateLimited {
                retry_after_ms: ms,
                resets_at: None,
                message: "the script says so".into(),
            }),
            Step::LimitUntil(at) => self.say(&Said::RateLimited {
                retry_after_ms: 0,
                resets_at: Some(at),
                message: "the script says so".into(),
            }),
            Step::Remember(text) => {
                self.agent.session.remember(text);
                Ok(())
            }
            Step::Recall => self.text(format!("Remembered: {}", self.agent.session.recall())),
            Step::Env(name) => self.text(match std::env::var(&name) {
                Ok(value) => format!("{name}={value}"),
                Err(_) => format!("{name} is not set"),
            }),
            Step::Sleep(length) => self.wait_until(after(Instant::now(), length)),
            Step::Stderr(text) => {
                eprintln!("{text}");
                Ok(())
            }
            Step::Fail(message) => {
                self.agent.complain(message.clone())?;
                Err(Stop::Failed(message))
            }
            Step::Crash(code) => {
                eprintln!("scripted: crashing with code {code}, as the prompt says");
                std::process::exit(code)
            }
            Step::Hang => self.hang(),
            Step::IgnoreSigterm => ignore_signals(),
            Step::CloseStdout => close_stdout(),
            Step::SpawnOrphan { seconds, holding } => {
                let pid = offspring::orphan(&seconds, holding)?;
                self.text(format!("orphan {pid}"))
            }
            Step::Garbage(kinds) => {
                for kind in kinds {
                    let message = self.new_id('t');
                    for line in kind.lines(&message) {
                        self.agent.mouth.say_raw(&line)?;
                    }
                }
                Ok(())
            }
        }
    }

    pub(super) fn say(&mut self, said: &Said) -> Result<(), Stop> {
        Ok(self.agent.mouth.say(said)?)
    }

    pub(super) fn text(&mut self, text: String) -> Result<(), Stop> {
        let message = self.new_id('t');
        self.said += text.len();
        self.agent.session.note("agent", &text);
        self.say(&Said::Text { message, text })
    }

    /// An id that the session has not used yet.
    pub(super) fn new_id(&mut self, letter: char) -> String {
        self.last_id += 1;
        format!("{letter}{}.{}", self.number, self.last_id)
    }

    fn say_many(&mut self, bulk: Bulk) -> Result<(), Stop> {
        let start = Instant::now();
        for number in 0..bulk.count {
            self.wait_until(moment(start, number, bulk.rate))?;
            self.text(line(number, bulk.bytes))?;
        }
        Ok(())
    }

    fn stream(&mut self, text: &str) -> Result<(), Stop> {
        let message = self.new_id('t');
        let characters: Vec<char> = text.chars().collect();
        for piece in characters.chunks(PIECE) {
            self.look_around()?;
            let (message, text) = (message.clone(), piece.iter().collect());
            self.say(&Said::Delta { message, text })?;
        }
        self.said += text.len();
        let text = text.to_owned();
        self.say(&Said::Text { message, text })
    }

    fn stream_many(&mut self, bulk: Bulk) -> Result<(), Stop> {
        let (start, message) = (Instant::now(), self.new_id('t'));
        let mut whole = String::new();
        for number in 0..bulk.count {
            self.wait_until(moment(start, number, bulk.rate))?;
            let text = line(number, bulk.bytes);
            whole.push_str(&text);
            let message = message.clone();
            self.say(&Said::Delta { message, text })?;
        }
        self.said += whole.len();
        self.say(&Said::Text {
            message,
            text: whole,
        })
    }

    fn todo(&mut self, texts: &[String]) -> Result<(), Stop> {
        for done in 0..=texts.len() {
            let items = texts.iter().enumerate().map(|(index, text)| TodoItem {
                text: text.clone(),
                status: match index {
                    index if index < done => TodoStatus::Completed,
                    index if index == done => TodoStatus::InProgress,
                    _ => TodoStatus::Pending,
                },
            });
            let items = items.collect();
            self.say(&Said::Todo { items })?;
        }
        Ok(())
    }

    fn subagent(&mut self, description: &str) -> Result<(), Stop> {
        let subagent = self.new_id('s');
        let started = Said::SubagentStarted {
            subagent: subagent.clone(),
            description: description.to_owned(),
        };
        self.say(&started)?;
        self.say(&Said::SubagentFinished {
            subagent,
            ok: true,
            text: format!("Done: {description}"),
        })
    }

    fn hang(&mut self) -> ! {
        self.agent.deaf.store(true, Ordering::Relaxed);
        loop {
            std::thread::park();
        }
    }

    /// Deals with what has arrived, without waiting.
    fn look_around(&mut self) -> Result<(), Stop> {
        while let Some(news) = self.agent.glance()? {
            self.heed(news)?;
        }
        Ok(())
    }

    /// Waits until `moment` and deals with what arrives.
    fn wait_until(&mut self, moment: Instant) -> Result<(), Stop> {
        self.look_around()?;
        while Instant::now() < moment {
            if self.agent.ended {
                // Nothing more can arrive, and the queue is not to be asked again and again.
                std::thread::sleep(moment.saturating_duration_since(Instant::now()));
                return Ok(());
            }
            if let Some(news) = self.agent.listen_until(moment)? {
                self.heed(news)?;
            }
        }
        Ok(())
    }

    fn heed(&mut self, news: News) -> Result<(), Stop> {
        match news {
            News::Interrupt => Err(Stop::Interrupted),
            News::Reply(input) => Ok(self.agent.refuse(&input)?),
            News::Nothing | News::Finished(_) => Ok(()),
        }
    }
}

fn usage(input_tokens: u64, output_tokens: u64, cached_tokens: u64) -> Said {
    Said::Usage {
        input_tokens,
        output_tokens,
        cached_tokens,
        context_window: CONTEXT_WINDOW,
    }
}

/// When line `number` of a flood is due.
fn moment(start: Instant, number: u64, rate: f64) -> Instant {
    let seconds = if rate > 0.0 {
        number as f64 / rate
    } else {
        0.0
    };
    let length = Duration::try_from_secs_f64(seconds);
    after(start, length.unwrap_or(LONGEST_WAIT))
}

fn after(start: Instant, length: Duration) -> Instant {
    start + length.min(LONGEST_WAIT)
}

/// A line of exactly `bytes` bytes that begins with its number.
fn line(number: u64, bytes: usize) -> String {
    let filler = "abcdefghijklmnopqrstuvwxyz".chars().cycle();
    let head = format!("line {number:08} ");
    head.chars().chain(filler).take(bytes).collect()
}

fn ignore_signals() -> Result<(), Stop> {
    for signal in [SIGTERM, SIGINT, SIGHUP] {
        // A handler that only sets a flag, which nobody reads.
        signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false)))?;
    }
    Ok(())
}

fn close_stdout() -> Result<(), Stop> {
    let nowhere = std::fs::File::options().write(true).open("/dev/null")?;
    Ok(rustix::stdio::dup2_stdout(nowhere).map_err(io::Error::from)?)
}
