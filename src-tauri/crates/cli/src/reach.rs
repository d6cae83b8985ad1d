//! Reaching a server: the one that was named, the one that serves the data directory, or one that is
//! started in the background.
//!
//! A server that was named, by `--url` or `PADDOCK_URL`, is never started: whoever names one means that one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::Context as _;
use paddock_api::{ServeLine, TOKEN_VARIABLE};
use paddock_client::{BadServer, Client, NotServing, Server};
use paddock_config::{Settings, Sources, UserDirs};
use tokio::io::{AsyncBufReadExt, BufReader};

use crate::args::Global;
use crate::exit::{Exit, told};
use crate::render::say;

/// The log of a server that was started in the background, in the data directory.
const LOG_FILE: &str = "serve.log";
/// How long a server may take to start.
const START_MAX: Duration = Duration::from_secs(30);

/// Where settings are read from, as the command line says.
pub(crate) fn sources(global: &Global) -> anyhow::Result<Sources> {
    let dirs =
        UserDirs::of_this_user().context("this user has no home directory: say --data DIR")?;
    let mut flags: BTreeMap<String, String> = global.set.iter().cloned().collect();
    if let Some(data) = &global.data {
        let data = data
            .to_str()
            .context("the data directory's name is not UTF-8")?;
        flags.insert("data_dir".to_owned(), data.to_owned());
    }
    let env = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    Ok(Sources {
        dirs,
        here: std::env::current_dir().context("the current directory is gone")?,
        file: global.config.clone(),
        env: env.collect(),
        flags,
    })
}

/// The settings.
pub(crate) fn settings(global: &Global) -> anyhow::Result<Settings> {
    Settings::load(&sources(global)?).map_err(|error| told(Exit::Usage, error.to_string()))
}

/// A client of the server that is there.
pub(crate) async fn client(global: &Global) -> anyhow::Result<Client> {
    match named(global)? {
        Some(client) => Ok(client),
        None => serving(&settings(global)?.data_dir).await,
    }
}

/// A client of the server that is there, or of one that is started for it.
pub(crate) async fn client_or_start(global: &Global) -> anyhow::Result<Client> {
    if let Some(client) = named(global)? {
        return Ok(client);
    }
    let data = settings(global)?.data_dir;
    match Client::serving(&data).await {
        Ok(client) => Ok(client),
        Err(NotServing::Unreachable(_) | NotServing::Bad(BadServer::NotServing { .. })) => {
            start(global, &data).await
        }
        Err(other) => Err(missing(other)),
    }
}

async fn serving(data: &Path) -> anyhow::Result<Client> {
    Client::serving(data).await.map_err(missing)
}

fn missing(error: NotServing) -> anyhow::Error {
    match error {
        NotServing::Bad(error) => error.into(),
        NotServing::Unreachable(error) => error.into(),
    }
}

fn named(global: &Global) -> anyhow::Result<Option<Client>> {
    let Some(url) = global.url.as_deref().filter(|url| !url.is_empty()) else {
        return Ok(None);
    };
    let token = std::env::var(TOKEN_VARIABLE)
        .ok()
        .filter(|token| !token.is_empty());
    let token = match token {
        Some(token) => Some(token),
        None => Server::token_of_data_dir(&settings(global)?.data_dir)?,
    };
    Ok(Some(Client::new(&Server::new(url, token)?)?))
}

/// Starts a server that outlives this program.
async fn start(global: &Global, data: &Path) -> anyhow::Result<Client> {
    make_private(data)?;
    let log = data.join(LOG_FILE);
    let stderr = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(&log);
    let stderr = stderr.with_context(|| format!("cannot write {}", log.display()))?;
    let mut command = tokio::process::Command::new(own_program()?);
    command.arg("serve").arg("--data").arg(data);
    if let Some(config) = &global.config {
        command.arg("--config").arg(config);
    }
    for (key, value) in &global.set {
        command.arg("--set").arg(format!("{key}={value}"));
    }
    command.env_remove("PADDOCK_URL").current_dir(data);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(stderr);
    // Of its own group: Ctrl-C here is not for it.
    #[cfg(unix)]
    command.process_group(0);
    let mut child = command.spawn().context("cannot start `paddock serve`")?;
    let stdout = child
        .stdout
        .take()
        .context("`paddock serve` has no output")?;
    let mut line = String::new();
    let mut stdout = BufReader::new(stdout);
    let read = tokio::time::timeout(START_MAX, stdout.read_line(&mut line)).await;
    if matches!(read, Ok(Ok(1..))) && serde_json::from_str::<ServeLine>(&line).is_ok() {
        say(&format!(
            "started `paddock serve` in the background; its log is {}",
            log.display()
        ));
        return serving(data).await;
    }
    if matches!(read, Ok(Ok(0))) {
        let ended = child.wait().await?;
        if ended.code() == Some(i32::from(Exit::InUse.code())) {
            // Somebody else was quicker.
            return Client::serving_within(data, START_MAX)
                .await
                .map_err(missing);
        }
    }
    let message = format!("`paddock serve` did not start: look at {}", log.display());
    Err(told(Exit::Unreachable, message))
}

/// Makes the data directory where there is none, for its owner alone: journals hold what was said.
pub(crate) fn make_private(data: &Path) -> anyhow::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    let made = builder.create(data);
    made.with_context(|| format!("cannot make {}", data.display()))
}

fn own_program() -> anyhow::Result<PathBuf> {
    std::env::current_exe().context("cannot tell where this program is")
}
