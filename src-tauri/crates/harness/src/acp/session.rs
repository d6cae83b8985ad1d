//! The session and its turns: how they begin, fail and end.

use paddock_domain::{Body, ErrorClass, NoticeLevel, TurnOutcome};
use serde_json::value::RawValue;

use super::codec::{AcpCodec, ModeWay, ModelWay};
use super::decode::{Out, Read, event};
use super::errors;
use super::say::{self, Opening, Way};
use super::wire::{ConfigOption, Initialized, Opened, Prompted, RpcError};
use crate::bodies::{self, notice};
use crate::failure;
use crate::{Heard, Outgoing, anew, registry};

/// Categories of options that mean the same with every agent.
const MODE: &str = "mode";
const MODEL: &str = "model";
const EFFORT: &str = "thought_level";

/// What a setting chooses, as its name begins.
pub(super) const CHOOSES_MODE: &str = "mode";
pub(super) const CHOOSES_MODEL: &str = "model";
pub(super) const CHOOSES_EFFORT: &str = "effort";

/// How often an agent is asked whether it has told all of the past. A round brings hundreds of messages.
const ROUNDS: u32 = 1_000;

/// How an agent that speaks of its own errors begins to.
const ERROR: &str = "Error: ";

impl AcpCodec {
    /// Asks for a session.
    pub(super) fn open_session(&mut self, how: Opening) -> Option<Outgoing> {
        self.attempts += 1;
        self.session_failed = false;
        self.telling_the_past = how == Opening::Load;
        let earlier = self.setup.resume.as_deref();
        say::open(how, earlier, &self.setup.work_dir, self.attempts)
    }

    pub(super) fn response(
        &mut self,
        id: &RawValue,
        result: Option<&RawValue>,
        error: Option<RpcError>,
        out: &mut Out,
    ) -> Read {
        if self.in_turn {
            out.append(&mut self.introduction);
        }
        // Ids that are no text are not ours: those of a recording are understood by their shape.
        let id: String = serde_json::from_str(id.get()).unwrap_or_default();
        self.model_answered(&id, error.is_none());
        if let Some(setting) = id.strip_prefix(say::SETTING) {
            self.setting_taken(setting, error.as_ref(), out);
        } else if anew::asks(&id) {
            self.cleared(result, error.as_ref(), out);
        } else if let Some(error) = error {
            self.refused(&id, &error, out);
        } else {
            let result = result.map_or("null", RawValue::get);
            if let Ok(initialized) = serde_json::from_str::<Initialized>(result) {
                self.initialized(&initialized, out);
            } else if let Ok(prompted) = serde_json::from_str::<Prompted>(result) {
                self.prompted(prompted, out);
            } else if let Ok(opened) = serde_json::from_str::<Opened>(result)
                && (opened.session_id.is_some()
                    || id.starts_with(say::SESSION)
                    || self.telling_the_past)
            {
                self.learn_models(result);
                self.opened(&opened, out);
            }
        }
        Ok(())
    }

    fn initialized(&mut self, initialized: &Initialized, out: &mut Out) {
        let (theirs, name) = (initialized.protocol_version, self.profile.name);
        if theirs != say::PROTOCOL {
            let ours = say::PROTOCOL;
            let text = format!(
                "{name} speaks version {theirs} of the Agent Client Protocol and Paddock version {ours}: \
                 use a version of {name} that Paddock was tested with"
            );
            self.session_failed = true;
            event(out, bodies::error(ErrorClass::Agent, text));
            return;
        }
        let can = &initialized.agent_capabilities;
        self.takes_images = can.prompt_capabilities.image;
        let how = match (&self.setup.resume, &can.session_capabilities.resume) {
            (None, _) => Opening::New,
            (Some(_), Some(_)) => Opening::Resume,
            (Some(_), None) if can.load_session => Opening::Load,
            (Some(session), None) => {
                let why = "it cannot go on with an earlier session";
                event(out, bodies::session_lost(name, session, why));
                return;
            }
        };
        out.extend(self.open_session(how).map(Heard::Send));
    }

    fn opened(&mut self, opened: &Opened, out: &mut Out) {
        if self.session.is_some() {
            return;
        }
        let still_tells = self.telling_the_past && self.profile.tells_the_past_late;
        self.telling_the_past = still_tells;
        let earlier = self.setup.resume.clone();
        let Some(session_id) = opened.session_id.clone().or(earlier) else {
            return;
        };
        if self.setup.resume.as_ref() == Some(&session_id) {
            self.meter.counts_earlier_runs();
        }
        self.session = Some(session_id.clone());
        self.introduction = vec![Heard::Event(Body::AgentSessionNamed { session_id })];
        self.configure(opened, out);
        if still_tells {
            self.ask_whether_all_is_told(out);
        }
        self.release(out);
    }

    /// Such an agent tells the past beside whatever else it does, and nothing says where it ends: it is
    /// over when a request came and went and nothing of it in between. Until then no prompt is said.
    fn ask_whether_all_is_told(&mut self, out: &mut Out) {
        self.rounds += 1;
        self.told_more = false;
        let name = format!("{}{}", say::PAST, self.rounds);
        if let Some(outgoing) = say::past(&name) {
            self.settings.insert(name);
            out.push(Heard::Send(outgoing));
        }
    }

    /// Chooses what the task asks for, where the agent has it and does not have it already.
    pub(super) fn configure(&mut self, opened: &Opened, out: &mut Out) {
        let options = opened.config_options.as_deref().unwrap_or_default();
        let option = |category: &str| {
            options
                .iter()
                .find(|o| o.category.as_deref() == Some(category))
        };
        let mut wanted = Vec::new();
        self.mode_way = match (&opened.modes, option(MODE)) {
            (Some(given), _) => {
                let modes = given.available_modes.iter();
                Some((
                    ModeWay::Protocol,
                    modes.map(|mode| mode.id.clone()).collect(),
                ))
            }
            (None, Some(given)) => {
                let values = given.options.iter().filter_map(|value| value.value.clone());
                Some((ModeWay::Option(given.id.clone()), values.collect()))
            }
            (None, None) => None,
        };
        let mode = self.profile.mode(self.setup.permission_mode);
        if let Some(given) = &opened.modes {
            let offered = given
                .available_modes
                .iter()
                .any(|offered| offered.id == mode);
            if offered && mode != given.current_mode_id {
                wanted.push((CHOOSES_MODE, Way::Mode, mode.to_owned()));
            }
        } else if let Some(given) = option(MODE)
            && offers(given, mode)
            && given.current() != Some(mode)
        {
            wanted.push((CHOOSES_MODE, Way::Option(&given.id), mode.to_owned()));
        }
        self.model_way = match (option(MODEL), &opened.models) {
            (Some(given), _) => Some(ModelWay::Option(given.id.clone())),
            (None, Some(_)) => Some(ModelWay::Protocol),
            (None, None) => None,
        };
        let chosen = option(MODEL).and_then(ConfigOption::current);
        let model = current_model(opened).or(chosen.map(str::to_owned));
        let model = model.or_else(|| self.setup.model.clone());
        if let (Some(given), Some(effort)) = (option(EFFORT), &self.setup.effort)
            && offers(given, effort)
            && given.current() != Some(effort)
        {
            wanted.push((CHOOSES_EFFORT, Way::Option(&given.id), effort.clone()));
        }
        self.effort = option(EFFORT).and_then(|given| {
            let asked = self.setup.effort.as_ref();
            let asked = asked.filter(|effort| offers(given, effort)).cloned();
            asked.or_else(|| given.current().map(str::to_owned))
        });
        let Some(session) = &self.session else { return };
        for (name, way, value) in wanted {
            let name = self.setting_name(name);
            if let Some(outgoing) = say::setting(&name, session, way, &value) {
                self.settings.insert(name);
                out.push(Heard::Send(outgoing));
            }
        }
        if let Some(model) = model {
            self.introduce_model(model);
        }
    }

    fn introduce_model(&mut self, model: String) {
        let name = registry::name(self.profile.name);
        self.model = Some(model.clone());
        self.introduction.push(Heard::Event(Body::ModelSelected {
            provider: name,
            model,
            reasoning_effort: self.effort.clone(),
        }));
    }

    fn setting_taken(&mut self, setting: &str, error: Option<&RpcError>, out: &mut Out) {
        if setting.starts_with(say::PAST) {
            if self.told_more && self.rounds < ROUNDS {
                self.ask_whether_all_is_told(out);
            } else {
                self.telling_the_past = false;
            }
        } else if let Some(error) = error {
            let what = setting.split('-').next().unwrap_or_default();
            self.choice_refused(what);
            let shown = match what {
                CHOOSES_MODE => "permission mode",
                other => other,
            };
            let (name, why) = (self.profile.name, errors::words(error));
            let text = format!("{name} did not take the {shown} that was asked for: {why}");
            event(out, notice(NoticeLevel::Warning, text));
        }
        if self.settings.remove(setting) {
            self.release(out);
        }
    }

    /// A request of ours failed.
    fn refused(&mut self, id: &str, error: &RpcError, out: &mut Out) {
        let words = errors::words(error);
        let (name, class) = (self.profile.name, errors::class(error));
        if id == say::INITIALIZE {
            self.session_failed = true;
            let text = format!("{name} did not start: {words}");
            event(out, bodies::error(class, text));
        } else if id.starts_with(say::MODEL) {
            let text = format!("{name} did not take the model: {words}");
            event(out, notice(NoticeLevel::Warning, text));
        } else if id.starts_with(say::PROMPT)
            || id.starts_with(say::COMPACT)
            || (id.is_empty() && self.in_turn)
        {
            self.speech.end(out);
            let text = format!("{words} ({})", failure::advice(class));
            event(out, bodies::error(class, text));
            self.finish_turn(TurnOutcome::Failed, out);
        } else if self.session.is_none() {
            self.no_session(&words, class, out);
        } else {
            let text = format!("{name} refused a request: {words}");
            event(out, notice(NoticeLevel::Warning, text));
        }
    }

    /// A session that is not known any more is told as lost: whoever runs the agent begins a new one,
    /// with a summary. Where no session can be had at all, what was said ends in failure.
    fn no_session(&mut self, why: &str, class: ErrorClass, out: &mut Out) {
        let name = self.profile.name;
        let earlier = self.setup.resume.as_deref();
        if let Some(session) = earlier.filter(|_| self.attempts <= 1 && class != ErrorClass::Auth) {
            event(out, bodies::session_lost(name, session, why));
            return;
        }
        self.session_failed = true;
        let advice = failure::advice(class);
        let text = format!("{name} could not begin a conversation: {why} ({advice})");
        event(out, bodies::error(class, text));
        if !std::mem::take(&mut self.held).is_empty() {
            self.finish_turn(TurnOutcome::Failed, out);
        }
    }

    fn prompted(&mut self, prompted: Prompted, out: &mut Out) {
        self.speech.end(out);
        let last_words = self.speech.end_turn();
        let was_answered = prompted.usage.is_some();
        if let Some(tokens) = prompted.usage {
            self.meter.saw_turn(tokens);
        }
        if let Some(quota) = prompted.meta.and_then(|meta| meta.quota) {
            if let Some(tokens) = &quota.token_count {
                self.meter.saw_gemini(tokens);
            }
            let mut used = quota.model_usage.into_iter().map(|usage| usage.model);
            let used = used.rfind(|model| model != "auto");
            if let Some(model) = used.filter(|model| self.model.as_ref() != Some(model)) {
                self.introduce_model(model);
            }
        }
        let outcome = match prompted.stop_reason.as_str() {
            "cancelled" => TurnOutcome::Interrupted,
            // Copilot says in its own voice that no model answered, and calls the turn well ended.
            _ if self.profile.says_its_errors && !was_answered && last_words.contains(ERROR) => {
                let class = failure::by_words(&last_words).unwrap_or(ErrorClass::Agent);
                event(out, bodies::error(class, last_words));
                TurnOutcome::Failed
            }
            "refusal" => {
                let text = "the provider refused to go on with this conversation".to_owned();
                event(out, bodies::error(ErrorClass::Refused, text));
                TurnOutcome::Failed
            }
            limit @ ("max_tokens" | "max_turn_requests") => {
                let text = format!("the agent stopped at a limit ({limit}): tell it to go on");
                event(out, notice(NoticeLevel::Warning, text));
                TurnOutcome::Completed
            }
            _ => TurnOutcome::Completed,
        };
        self.finish_turn(outcome, out);
    }

    fn finish_turn(&mut self, outcome: TurnOutcome, out: &mut Out) {
        self.in_turn = false;
        self.wished = false;
        let is_turn = !std::mem::take(&mut self.is_compacting);
        self.will_be_compact &= is_turn || outcome == TurnOutcome::Completed;
        self.requests.close_all();
        out.append(&mut self.introduction);
        for (id, call) in self.calls.drain() {
            if call.started {
                event(out, bodies::broken_off(id, None));
            }
        }
        self.offers.tell(out);
        event(out, Body::UsageUpdated(self.meter.end_turn()));
        if is_turn {
            let duration_ms = None;
            event(
                out,
                Body::TurnFinished {
                    outcome,
                    duration_ms,
                },
            );
        }
        self.release(out);
    }
}

fn offers(option: &ConfigOption, value: &str) -> bool {
    option
        .options
        .iter()
        .any(|offered| offered.value.as_deref() == Some(value))
}

/// The model by the name that people know.
fn current_model(opened: &Opened) -> Option<String> {
    let models = opened.models.as_ref()?;
    let id = &models.current_model_id;
    let current = models
        .available_models
        .iter()
        .find(|model| model.model_id == *id);
    let name = current.and_then(|model| model.name.clone());
    Some(name.unwrap_or_else(|| id.clone())).filter(|name| !name.is_empty())
}
