//! `paddock serve`: the orchestrator and its server in this process, until told to stop.
//!
//! Standard output carries one JSON line, once it serves; logs go to standard error. Ending it ends no agent.

use std::io::IsTerminal as _;
use std::path::Path;
use std::pin::pin;

use anyhow::{Context as _, Result};
use paddock_api::ServeLine;
use paddock_config::{Origin, Settings};
use paddock_orchestrator::{OrchestratorSettings, Programs, StartError};
use paddock_server::{OpenError, Paddock, ServeError, ServerSettings};
use paddock_store::StoreError;
use tracing_subscriber::EnvFilter;

use crate::args::{Global, ServeArgs};
use crate::exit::{Exit, told};
use crate::reach;
use crate::render::{json, say};

/// Serves.
pub(crate) async fn serve(global: &Global, args: ServeArgs) -> Result<Exit> {
    let settings = reach::settings(global)?;
    log_to_stderr(&settings.log)?;
    let data = settings.data_dir.clone();
    reach::make_private(&data)?;
    let chosen = orchestrator_settings(&settings, &args)?;
    let server = server_settings(global, &settings, args)?;
    // Whoever reads where it serves may end it at once.
    let mut ending = pin!(ending()?);
    let paddock = tokio::select! {
        started = Paddock::open(chosen, server) => started.map_err(|error| explain(error, &data))?,
        () = &mut ending => return Ok(Exit::Well),
    };
    let serving = paddock.serving();
    json(&ServeLine {
        url: serving.url().to_owned(),
        token_file: serving.token_file().display().to_string(),
    })?;
    // Never into a log file: who reads it later could pair.
    if std::io::stderr().is_terminal() {
        say(&format!(
            "open {} in a browser (good once, for ten minutes)",
            serving.pairing_url()
        ));
    }
    ending.await;
    tracing::info!("ending; agents go on");
    paddock.close().await;
    Ok(Exit::Well)
}

fn is_default(settings: &Settings, key: &str) -> bool {
    let shown = settings.shown();
    shown
        .iter()
        .any(|shown| shown.key == key && shown.origin == Origin::Default)
}

fn log_to_stderr(filter: &str) -> Result<()> {
    let filter =
        EnvFilter::try_new(filter).map_err(|error| told(Exit::Usage, format!("`log`: {error}")))?;
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        // A log on a full disk would be complained of where it cannot be written either, by a panic.
        .log_internal_errors(false)
        .with_ansi(false)
        .init();
    Ok(())
}

fn explain(error: OpenError, data: &Path) -> anyhow::Error {
    match error {
        OpenError::Start(StartError::Store(StoreError::InUse { pid, .. })) => {
            let who = pid
                .map(|pid| format!(" (process {pid})"))
                .unwrap_or_default();
            let message = format!(
                "another server{who} has {}: use that one, or another --data directory",
                data.display()
            );
            told(Exit::InUse, message)
        }
        OpenError::Serve(error @ ServeError::NotLoopback { .. }) => {
            told(Exit::Usage, error.to_string())
        }
        OpenError::Start(error) => error.into(),
        OpenError::Serve(error) => error.into(),
    }
}

/// Resolves with the signal to end, heard from now on. A terminal that goes away is none.
#[cfg(unix)]
fn ending() -> Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hang_up = signal(SignalKind::hangup())?;
    Ok(async move {
        loop {
            tokio::select! {
                _ = interrupt.recv() => return,
                _ = terminate.recv() => return,
                _ = hang_up.recv() => tracing::info!("the terminal is gone; serving on"),
            }
        }
    })
}

#[cfg(not(unix))]
fn ending() -> Result<impl Future<Output = ()>> {
    Ok(async {
        if let Err(error) = tokio::signal::ctrl_c().await {
            tracing::error!(%error, "no signal can be heard; ending");
        }
    })
}

fn server_settings(
    global: &Global,
    settings: &Settings,
    args: ServeArgs,
) -> Result<ServerSettings> {
    let (file, _) = reach::sources(global)?.config_file();
    let ui = args
        .ui
        .or_else(|| Programs::beside("ui").filter(|dir| dir.join("index.html").is_file()));
    Ok(ServerSettings {
        data: settings.data_dir.clone(),
        listen: args.listen.unwrap_or(settings.listen),
        // Nobody said where.
        or_elsewhere: args.listen.is_none() && is_default(settings, "listen"),
        allow_remote: args.allow_remote,
        hosts: args.allow_host,
        origins: args.allow_origin,
        ui,
        config_file: Some(file),
    })
}

fn orchestrator_settings(settings: &Settings, args: &ServeArgs) -> Result<OrchestratorSettings> {
    let environment = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let programs = Programs::find(args.relay.clone(), args.scripted_agent.clone());
    let programs = programs.context("cannot tell where this program is: say --relay FILE")?;
    let settings = OrchestratorSettings::new(settings, programs, environment.collect());
    settings.context("cannot use the data directory")
}
