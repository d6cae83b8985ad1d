//! What a runner waits for while a task lives: the agent, its work tree, its box.

use futures_util::FutureExt;
use paddock_boxes::LiveBox;
use paddock_domain::{Body, Delta, DiffStat, ErrorClass, FileStat, InputId, Source};
use paddock_harness::Heard;
use paddock_relay_client::protocol::{DiffUpdate, RepoDiff};
use paddock_relay_client::{DiffStream, RelayError};
use paddock_store::StoreError;

use super::inbox::Fate;
use super::run::{Batch, LiveRun};
use super::{Runner, ids, job};
use crate::plan::{BoxSeen, Effect, RunSeen, plan};
use crate::whose_key;
use crate::work::bring_out;

/// Resolves with the next diff statistics; never without a stream. A stream that ends is dropped.
pub(super) async fn next_stat(diffs: &mut Option<DiffStream>) -> Option<DiffUpdate> {
    let next = match diffs {
        Some(stream) => stream.next().await,
        None => std::future::pending().await,
    };
    if !matches!(next, Ok(Some(_))) {
        *diffs = None;
    }
    next.ok().flatten()
}

/// Resolves when the connection to the box's relay is lost; never without a box.
pub(super) async fn lost(place: Option<&LiveBox>) {
    match place {
        Some(place) => place.relay.closed().await,
        None => std::future::pending().await,
    }
}

/// Whether the connection to the box's relay is lost by now.
pub(super) fn is_lost(place: Option<&LiveBox>) -> bool {
    place.is_some() && lost(place).now_or_never().is_some()
}

impl Runner {
    /// Writes what the agent said, and passes on what only streams.
    pub(super) async fn ingest(&mut self, heard: Result<Batch, RelayError>) {
        let batch = match heard {
            Ok(batch) if batch.closed && batch.over.is_none() => return self.lose_box(),
            Ok(batch) => batch,
            Err(error) => {
                tracing::info!(task.id = %self.task().task_id, %error, "the run's log broke off; following it again");
                return self.lose_box();
            }
        };
        let batch = self.without_known(batch);
        let only_streams = !batch.heard.is_empty()
            && batch
                .heard
                .iter()
                .all(|(_, heard)| matches!(heard, Heard::Delta(_)));
        match only_streams {
            true => self.stir().await,
            false => self.silence.heard(),
        }
        let ends_turn = batch
            .heard
            .iter()
            .any(|(_, heard)| matches!(heard, Heard::Event(Body::TurnFinished { .. })));
        let at_work_from = self.opens(&batch);
        if let Err(error) = self.write_in_turn(batch.heard, at_work_from).await {
            self.cannot_write(&error);
            // What could not be written is read again: nothing of it is lost.
            return self.lose_box();
        }
        if ends_turn {
            if let Some(run) = &mut self.run {
                run.turn_ended();
            }
            self.bring_out();
        }
        if let Some(exit) = batch.over {
            self.seen.run = RunSeen::Over(exit);
            return;
        }
        self.catch_up().await;
    }

    /// Writes what was heard; where some of it shows the agent at work, that its task works comes before it.
    async fn write_in_turn(
        &mut self,
        mut heard: Vec<(Option<Source>, Heard)>,
        at_work_from: Option<usize>,
    ) -> Result<(), StoreError> {
        if let Some(at) = at_work_from {
            let words = heard.split_off(at.min(heard.len()));
            self.write_down(heard).await?;
            self.open().await;
            heard = words;
        }
        self.write_down(heard).await
    }

    /// Writes what was heard, in its order, and passes on the pieces of what is still to come.
    async fn write_down(&mut self, all: Vec<(Option<Source>, Heard)>) -> Result<(), StoreError> {
        let mut drafts = Vec::new();
        // Pieces of what is whole within the batch, and pieces of what is still to come.
        let (mut before, mut after): (Vec<Delta>, Vec<Delta>) = Default::default();
        for (source, heard) in all {
            match heard {
                Heard::Event(body) => {
                    before.append(&mut after);
                    drafts.push(self.draft(body, source));
                }
                Heard::Delta(delta) => after.push(delta),
                Heard::TurnBegan => self.begin_turn(),
                // Kept back or put in line by the run itself.
                Heard::Send(_) => {}
            }
        }
        for delta in before {
            self.feed.delta(self.turn.as_ref(), delta);
        }
        whose_key::tell(&self.rooms, self.journal.task(), &mut drafts).await;
        self.append(drafts).await?;
        for delta in after {
            self.feed.delta(self.turn.as_ref(), delta);
        }
        Ok(())
    }

    /// How many of the batch's words come before the one that shows the agent at work, where that one is in
    /// it. A run that is over, and one whose session is lost, did not begin to work by it.
    fn opens(&self, batch: &Batch) -> Option<usize> {
        let lost = |(_, heard): &(_, Heard)| {
            matches!(
                heard,
                Heard::Event(Body::Error {
                    class: ErrorClass::SessionLost,
                    ..
                })
            )
        };
        let joins = self.seen.run == RunSeen::Joining && !self.task().session_lost;
        let is_free = self.doing.is_none() && batch.over.is_none();
        let is_lost = || batch.heard.iter().any(lost);
        batch
            .at_work_from
            .filter(|_| joins && is_free && !is_lost())
    }

    /// The agent works: its state says so before its words do, for who hears a word may answer it. So it is with
    /// a message that was said to a task at rest while its run was joined again.
    async fn open(&mut self) {
        self.at_work();
        if let Some(Effect::Record(transition)) = plan(self.task(), &self.seen) {
            self.record(transition).await;
        }
    }

    fn at_work(&mut self) {
        self.seen.run = RunSeen::Live;
        self.linked();
    }

    /// What the journal has already is not taken again: it would end turns that ended long ago.
    pub(super) fn without_known(&self, mut batch: Batch) -> Batch {
        let run = self.run.as_ref().map(|run| &run.run_id);
        if let Some(last) = run.and_then(|run| self.journal.last_source(run)) {
            batch
                .heard
                .retain(|(source, _)| source.as_ref().is_none_or(|source| source > last));
        }
        batch
    }

    /// The agent began a turn. What began it may be heard twice, before and after a break: a turn that is open
    /// stays the same one.
    pub(super) fn begin_turn(&mut self) {
        self.turn.get_or_insert_with(ids::new_turn);
    }

    /// Brings the commits of a turn out of the box, beside everything else. While that is under way,
    /// another turn may end: then it is done once more.
    pub(super) fn bring_out(&mut self) {
        if self.task().repositories.is_empty() || self.place.is_none() {
            return;
        }
        if self.seen.bringing_out {
            self.bring_out_again = true;
            return;
        }
        self.seen.bringing_out = true;
        self.jobs.push(job(bring_out::after_turn(self.work_now())));
    }

    pub(super) fn brought_out(&mut self) {
        self.seen.bringing_out = false;
        if std::mem::take(&mut self.bring_out_again) {
            self.bring_out();
        }
    }

    /// Once the replay is over, says what is still to be said; once that is heard, the run is live.
    pub(super) async fn catch_up(&mut self) {
        if self.seen.run != RunSeen::Joining || self.task().session_lost {
            return;
        }
        let Some(run) = self.run.as_mut().filter(|run| !run.is_replaying()) else {
            return;
        };
        if run.has_caught_up() {
            if run.was_heard() {
                self.at_work();
            }
            return;
        }
        let Some(task_run) = self
            .journal
            .task()
            .run
            .as_ref()
            .map(|run| run.run_id.clone())
        else {
            return;
        };
        let reader = self.rooms.store.reader(&self.journal.task().task_id);
        let since = self.journal.task().run_since_seq;
        let mut pending = match super::pending::pending(reader, since, &task_run).await {
            Ok(pending) => pending,
            Err(error) => return self.cannot_write(&error),
        };
        let delivered = run.delivered_all();
        for word in &mut pending.words {
            if let Ok(harness) = self.harness() {
                if let Some(wish) = word.wish() {
                    *wish = self.as_told(wish, harness);
                }
                if let Some(then) = word.mode_after_planning() {
                    *then = self.told_after_planning(harness);
                }
            }
            if delivered.contains(&word.id) {
                continue;
            }
            if let Some((words, files)) = word.with_files() {
                let text = std::mem::take(&mut words.text);
                // Without it, the run is joined again.
                let Some(spoken) = self.spoken(text, files).await else {
                    return;
                };
                *words = spoken;
            }
        }
        let Some(run) = self.run.as_mut() else { return };
        let owes = run.owes_message(&pending.words);
        let failed = run.caught_up(&pending.words);
        run.brief = pending.brief;
        if run.was_heard() {
            self.at_work();
        }
        if owes && self.turn.is_none() {
            self.turn = Some(ids::new_turn());
        }
        for word in pending.words.iter().filter(|word| word.is_message()) {
            self.inbox.remember(&word.id, Fate::Said);
        }
        self.tell_failed(failed).await;
    }

    /// One message was delivered, or could not be.
    pub(super) fn sent(&mut self, sent: Result<(), RelayError>) {
        let Some(run) = &mut self.run else { return };
        match sent {
            Ok(()) => run.delivered(),
            Err(RelayError::Refused(refusal)) => {
                // The run is over or its stdin closed: its end tells what was not delivered.
                tracing::info!(task.id = %self.journal.task().task_id, %refusal, "a message was refused");
                self.retry.failed();
            }
            Err(error) => {
                tracing::info!(task.id = %self.journal.task().task_id, %error, "a message is to be repeated");
                self.retry.failed();
            }
        }
    }

    /// Writes what changed in the work trees.
    pub(super) async fn take_stat(&mut self, update: Option<DiffUpdate>) {
        let Some(update) = update else { return };
        let known = &self.task().repositories;
        let news: Vec<Body> = update
            .repos
            .iter()
            .filter(|diff| diff.error.is_none())
            .filter_map(|diff| {
                let view = known.iter().find(|view| view.path == diff.name)?;
                let stat = stat_of(diff, &view.diff);
                (stat != view.diff).then(|| Body::DiffStat {
                    repository: diff.name.clone(),
                    stat,
                })
            })
            .collect();
        if let Err(error) = self.write(news).await {
            self.cannot_write(&error);
        }
    }

    /// The box has ended; `why` goes to the user.
    pub(super) fn box_over(&mut self, out_of_memory: bool, why: &str) {
        self.lose_box();
        self.retry.worked();
        self.seen.place = BoxSeen::Ended { out_of_memory };
        self.seen.silent = false;
        self.connection.ended(why);
    }
}

/// The relay counts lines; commits are counted when they are brought out.
fn stat_of(diff: &RepoDiff, before: &DiffStat) -> DiffStat {
    let files = diff.files.iter().map(|file| FileStat {
        path: file.path.clone(),
        renamed_from: None,
        added: file.added.unwrap_or(0),
        removed: file.deleted.unwrap_or(0),
        binary: file.added.is_none() && file.deleted.is_none(),
    });
    let files: Vec<_> = files.collect();
    DiffStat {
        more_files: diff.files_changed.saturating_sub(files.len() as u64),
        files,
        added: diff.added,
        removed: diff.deleted,
        commits: before.commits,
        uncommitted: before.uncommitted,
    }
}

impl LiveRun {
    /// Whether what users said before was put in line.
    fn has_caught_up(&self) -> bool {
        self.awaited.is_some()
    }

    /// Puts in line what the codec wants to say, then what users said and the log does not show. Gives the wishes
    /// among it that cannot be said any more.
    pub(super) fn caught_up(
        &mut self,
        pending: &[super::pending::Pending],
    ) -> Vec<(InputId, &'static str)> {
        self.release();
        let (mut awaited, mut failed) = (Vec::new(), Vec::new());
        for word in pending {
            if self.was_delivered(&word.id) {
                continue;
            }
            match word.say(self.codec()) {
                Ok(messages) => self.say_all(messages),
                Err(why) => {
                    failed.push((word.id.clone(), why));
                    continue;
                }
            }
            self.owes(&word.id);
            if word.is_message() {
                awaited.push(word.id.clone());
            }
        }
        self.awaited = Some(awaited);
        failed
    }

    fn owes_message(&self, pending: &[super::pending::Pending]) -> bool {
        pending
            .iter()
            .any(|word| word.is_message() && !self.was_delivered(&word.id))
    }

    /// Whether the agent works: it speaks, and every message that waited has reached it. Never before the
    /// run has caught up, so that nothing heard with it is in the journal already.
    pub(super) fn was_heard(&self) -> bool {
        let delivered = |ids: &Vec<_>| ids.iter().all(|id| self.was_delivered(id));
        self.has_spoken && self.awaited.as_ref().is_some_and(delivered)
    }
}
