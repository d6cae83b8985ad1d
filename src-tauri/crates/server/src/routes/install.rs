//! Installing agent programs.

use std::time::Duration;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use paddock_api::{ErrorCode, InstallFailed, InstallProgress, InstallRequest, names, paths, pings};
use paddock_domain::{HarnessName, Program};
use paddock_orchestrator::CommandError;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::Answer;
use crate::door::Door;
use crate::failure::Failure;
use crate::input::Given;
use crate::{frame, stream as body};

/// How often an installation says that it goes on.
const TELL_EVERY: Duration = Duration::from_secs(1);

/// Install an agent program
///
/// With `Accept: text/event-stream` it tells `progress` and ends with `done` or `failed`; otherwise it
/// answers when it is installed. It goes on when the client goes away.
#[utoipa::path(post, path = paths::HARNESS_INSTALL, tag = "harnesses", request_body = InstallRequest,
    params(("harness" = String, Path, description = "The harness")),
    responses((status = 200, content((Program = "application/json"), (InstallProgress = "text/event-stream")))))]
pub(crate) async fn install(
    State(door): State<Door>,
    Path(harness): Path<String>,
    headers: HeaderMap,
    Given(request): Given<InstallRequest>,
) -> Answer<Response> {
    let harness = HarnessName::parse(&harness)
        .map_err(|error| Failure::not_found("harness", error.to_string()))?;
    let what = match &request.version {
        Some(version) => format!("{harness} {version}"),
        None => harness.to_string(),
    };
    let (say, heard) = watch::channel(format!("installing {what}"));
    let worker = door.clone();
    let work = door.work().spawn(async move {
        let progress = move |text| drop(say.send_replace(text));
        let version = request.version.as_deref();
        worker
            .orchestrator()
            .install_harness(&harness, version, &progress)
            .await
    });
    let accept = headers
        .get(header::ACCEPT)
        .and_then(|value| value.to_str().ok());
    if accept.is_some_and(|kinds| kinds.contains("text/event-stream")) {
        return body::respond(&door, pings::EVERY, course(heard, work));
    }
    Ok(Json(ended(work.await)?).into_response())
}

/// The frames of one installation: what is being done, told again every so often, and how it ended.
fn course(
    heard: watch::Receiver<String>,
    work: JoinHandle<Result<Program, CommandError>>,
) -> impl futures_util::Stream<Item = Bytes> + Send {
    let began = Instant::now();
    stream::unfold(Some((heard, work)), move |state| async move {
        let (mut heard, mut work) = state?;
        tokio::select! {
            biased;
            outcome = &mut work => return Some((last_frame(ended(outcome)), None)),
            Ok(()) = heard.changed() => {}
            () = tokio::time::sleep(TELL_EVERY) => {}
        }
        let elapsed_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let progress = InstallProgress {
            text: heard.borrow_and_update().clone(),
            elapsed_ms,
        };
        Some((
            frame::told(names::PROGRESS, None, &progress),
            Some((heard, work)),
        ))
    })
}

fn last_frame(outcome: Answer<Program>) -> Bytes {
    match outcome {
        Ok(program) => frame::told(names::DONE, None, &program),
        Err(failure) => frame::told(
            names::FAILED,
            None,
            &InstallFailed {
                error: failure.detail(),
            },
        ),
    }
}

fn ended(
    outcome: Result<Result<Program, CommandError>, tokio::task::JoinError>,
) -> Answer<Program> {
    match outcome {
        Ok(installed) => Ok(installed?),
        Err(error) => {
            tracing::error!(%error, "an installation was lost");
            Err(Failure::new(
                ErrorCode::Internal,
                "the installation was lost: look at the log of the server",
            ))
        }
    }
}
