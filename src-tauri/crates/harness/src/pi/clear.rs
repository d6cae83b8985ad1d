//! Starting anew with an empty context: another session in the same process. Its name is asked for as that
//! of the first is; what is said meanwhile waits for it.

use paddock_domain::{Body, CondensePolicy, InputId};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::codec::{PiCodec, STATE};
use crate::bodies::condensed;
use crate::{Heard, Outgoing, anew};

#[derive(Deserialize)]
struct Begun {
    #[serde(default)]
    cancelled: bool,
}

impl PiCodec {
    /// Asks for a session that knows nothing.
    pub(super) fn begin_anew(&mut self, id: &InputId) -> Option<Vec<Outgoing>> {
        let at_rest = !self.in_turn && !self.told && !self.wished && !self.clearing;
        if !self.ready || !at_rest {
            return None;
        }
        let line = json!({"id": id, "type": "new_session"});
        let outgoing = Outgoing::new(id, &line)?;
        self.clearing = true;
        Some(vec![outgoing])
    }

    /// The program's answer; an extension of the user's may have stopped it.
    pub(super) fn session_begins_anew(
        &mut self,
        taken: bool,
        data: Option<&RawValue>,
        why: &str,
        out: &mut Vec<Heard>,
    ) {
        if !self.clearing {
            return;
        }
        let begun = data.and_then(|data| serde_json::from_str::<Begun>(data.get()).ok());
        if taken && !begun.is_some_and(|begun| begun.cancelled) {
            self.clears += 1;
            let name = format!("{STATE}-{}", self.clears);
            let line = json!({"id": name, "type": "get_state"});
            out.extend(Outgoing::named(&name, &line).map(Heard::Send));
            return;
        }
        self.clearing = false;
        out.push(Heard::Event(anew::refused("pi", why)));
        self.release(out);
    }

    /// The new session stands.
    pub(super) fn cleared(&mut self, session_id: String, out: &mut Vec<Heard>) {
        self.clearing = false;
        self.usage.context_used = None;
        anew::forget_name(&mut self.introduction);
        let told = [
            condensed(CondensePolicy::Cleared),
            Body::AgentSessionNamed { session_id },
            Body::UsageUpdated(self.usage),
        ];
        out.extend(told.map(Heard::Event));
        self.release(out);
    }
}
