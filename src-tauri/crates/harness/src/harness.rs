//! What a harness knows without talking to its program.

use paddock_domain::{HarnessName, ProgramRecipe};

use crate::{
    Abilities, Codec, CodecSetup, History, LaunchError, LaunchPlan, LaunchRequest, SessionFiles,
};

/// An agent program and its wire protocol.
pub trait Harness: Send + Sync {
    /// The name users choose it by.
    fn name(&self) -> HarnessName;

    /// The versions its codec is tested with, newest last; never empty.
    fn versions(&self) -> &'static [&'static str];

    /// How the program of `version` is had. Versions beyond [`Self::versions`] get a recipe too, so
    /// that a newer one can be tried.
    fn recipe(&self, version: &str) -> ProgramRecipe;

    /// The file on this machine that is its program, where it comes from no package and not with Paddock.
    fn local_program(&self) -> Option<&'static str> {
        None
    }

    /// Variables of the host's environment (or of the vault) that it takes: keys and base URLs.
    fn provider_variables(&self) -> &'static [&'static str];

    /// The one of them that may point at this machine's loopback.
    fn base_url_variable(&self) -> Option<&'static str>;

    /// Where it calls when that variable is not set.
    fn default_base_url(&self) -> Option<&'static str>;

    /// Arguments, environment and files of one run. Pure; no secret gets into arguments or files.
    ///
    /// # Errors
    /// [`LaunchError`] says what is missing or wrong and what to do.
    fn launch(&self, request: &LaunchRequest<'_>) -> Result<LaunchPlan, LaunchError>;

    /// A codec for one run.
    fn codec(&self, setup: CodecSetup) -> Box<dyn Codec>;

    /// Where its program keeps the session, for another box to go on with it under a name of its own; nothing
    /// where it cannot.
    fn session_files(&self, session: &str) -> Option<SessionFiles> {
        let _ = session;
        None
    }

    /// What its program writes down of its sessions; nothing where that cannot be read, or another box cannot go
    /// on with them.
    fn history(&self) -> Option<History> {
        None
    }

    /// What users can do with it.
    fn abilities(&self) -> Abilities;
}
