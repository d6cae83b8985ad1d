//! The agent: takes inputs one by one, carries out turns, and says what happens.
//!
//! Invariant: every `turn_started` is followed by one `turn_finished`, unless the process dies.
//! Start at [`Agent::serve`]; the steps of a turn are in `agent/turn.rs`.

mod dialogue;
mod tools;
mod turn;

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TryRecvError};
use std::time::Instant;

use crate::ears::{self, Heard};
use crate::message::{Input, PROTOCOL, Said};
use crate::mouth::Mouth;
use crate::record::Record;
use crate::session::Session;
use turn::Turn;

/// Inputs heard and not yet looked at.
const MOST_HEARD: usize = 64;
/// Prompts that wait for the running turn.
const MOST_WAITING: usize = 64;

/// Work that waits for its turn.
#[derive(Debug)]
enum Work {
    Prompt {
        id: String,
        text: String,
        images: usize,
    },
    Compact,
    Clear,
}

/// What the agent makes of something it heard.
#[derive(Debug)]
enum News {
    /// Taken care of.
    Nothing,
    /// The running turn is to end.
    Interrupt,
    /// An answer, for whoever waits for it.
    Reply(Input),
    Finished(crate::command::Finished),
}

/// The whole agent.
#[derive(Debug)]
pub(crate) struct Agent {
    mouth: Mouth,
    session: Session,
    heard: Receiver<Heard>,
    /// Where commands announce their end; the reader of stdin has another.
    queue: SyncSender<Heard>,
    deaf: Arc<AtomicBool>,
    waiting: VecDeque<Work>,
    /// Stdin has ended.
    ended: bool,
}

impl Agent {
    /// An agent that listens from now on.
    pub(crate) fn new(mouth: Mouth, record: Arc<Record>, session: Session) -> Self {
        let (queue, heard) = mpsc::sync_channel(MOST_HEARD);
        let deaf = Arc::new(AtomicBool::new(false));
        let (into, is_deaf) = (queue.clone(), Arc::clone(&deaf));
        // Ends with stdin, or with the process.
        std::thread::spawn(move || ears::listen(&into, &record, &is_deaf));
        Self {
            mouth,
            session,
            heard,
            queue,
            deaf,
            waiting: VecDeque::new(),
            ended: false,
        }
    }

    /// Serves the session until stdin ends and all prompts are carried out.
    ///
    /// # Errors
    /// When nobody reads stdout any more.
    pub(crate) fn serve(mut self) -> io::Result<()> {
        self.mouth.say(&Said::Session {
            protocol: PROTOCOL,
            id: self.session.id.clone(),
            resumed: self.session.resumed,
            model: self.session.model.clone(),
            turns: self.session.turns,
        })?;
        loop {
            match self.waiting.pop_front() {
                Some(Work::Prompt { id, text, images }) => {
                    Turn::run(&mut self, id, &text, images)?;
                }
                Some(Work::Compact) => {
                    let before_tokens = 1000 * self.session.turns;
                    let after_tokens = before_tokens / 10;
                    self.mouth.say(&Said::Compacted {
                        before_tokens,
                        after_tokens,
                    })?;
                }
                Some(Work::Clear) => {
                    self.session.begin_anew();
                    let id = self.session.id.clone();
                    self.mouth.say(&Said::Cleared { id })?;
                }
                None if self.ended => return Ok(()),
                None => {
                    // Idle: an interrupt has nothing to end, an answer nobody who asked.
                    if let News::Reply(input) = self.listen()? {
                        self.refuse(&input)?;
                    }
                }
            }
        }
    }

    /// Waits for the next thing and deals with what needs no turn.
    fn listen(&mut self) -> io::Result<News> {
        let heard = self.heard.recv().unwrap_or(Heard::End);
        self.take(heard)
    }

    /// The next thing, if there is one until `deadline`.
    fn listen_until(&mut self, deadline: Instant) -> io::Result<Option<News>> {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.heard.recv_timeout(left) {
            Ok(heard) => self.take(heard).map(Some),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => self.take(Heard::End).map(Some),
        }
    }

    /// The next thing, if there is one already.
    fn glance(&mut self) -> io::Result<Option<News>> {
        match self.heard.try_recv() {
            Ok(heard) => self.take(heard).map(Some),
            Err(TryRecvError::Empty | TryRecvError::Disconnected) => Ok(None),
        }
    }

    fn take(&mut self, heard: Heard) -> io::Result<News> {
        let (id, input) = match heard {
            Heard::Input { id, input } => (id, input),
            Heard::Finished(finished) => return Ok(News::Finished(finished)),
            Heard::Useless(message) => {
                self.complain(message)?;
                return Ok(News::Nothing);
            }
            Heard::End => {
                self.ended = true;
                return Ok(News::Nothing);
            }
        };
        match input {
            Input::Prompt { text, images } => {
                let images = images.len();
                self.enqueue(Work::Prompt { id, text, images })?;
            }
            Input::Compact => self.enqueue(Work::Compact)?,
            Input::Clear => self.enqueue(Work::Clear)?,
            Input::SetModel { model } => {
                self.session.model = model.clone();
                self.session.keep();
                self.mouth.say(&Said::Model { model })?;
            }
            Input::Interrupt => return Ok(News::Interrupt),
            reply @ (Input::Answer { .. } | Input::Approval { .. } | Input::Plan { .. }) => {
                return Ok(News::Reply(reply));
            }
        }
        Ok(News::Nothing)
    }

    fn enqueue(&mut self, work: Work) -> io::Result<()> {
        if self.waiting.len() >= MOST_WAITING {
            return self.complain(format!("{MOST_WAITING} prompts wait already"));
        }
        self.waiting.push_back(work);
        Ok(())
    }

    /// Says that nothing waits for `reply`.
    fn refuse(&mut self, reply: &Input) -> io::Result<()> {
        self.complain(format!("nothing waits for this: {reply:?}"))
    }

    fn complain(&mut self, message: String) -> io::Result<()> {
        self.mouth.say(&Said::Error {
            message,
            fatal: false,
        })
    }
}
