//! What is around the tasks.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use paddock_api::{
    Check, HarnessView, Health, InspectQuery, KnownRepository, Page, PhaseState, Phases,
    RepositoryInfo, VersionInfo, paths,
};
use paddock_domain::Timestamp;

use super::{Answer, views};
use crate::door::Door;
use crate::input::Asked;

/// Whether it serves
#[utoipa::path(get, path = paths::HEALTH, tag = "system", responses((status = 200, body = Health)))]
pub(crate) async fn health(State(door): State<Door>) -> Json<Health> {
    Json(how_it_is(&door))
}

/// How this Paddock is now.
pub(crate) fn how_it_is(door: &Door) -> Health {
    let snapshot = door.orchestrator().snapshot();
    let phases = snapshot.phases;
    Health {
        status: "ok".to_owned(),
        loading: snapshot.loading,
        phases: Phases {
            journals: PhaseState::of(phases.journals),
            repositories: PhaseState::of(phases.repositories),
            hosts: PhaseState::of(phases.hosts),
        },
        disk: door.orchestrator().disk(),
    }
}

/// Which Paddock this is
#[utoipa::path(get, path = paths::VERSION, tag = "system", responses((status = 200, body = VersionInfo)))]
pub(crate) async fn version() -> Json<VersionInfo> {
    let version = env!("CARGO_PKG_VERSION").to_owned();
    Json(VersionInfo {
        version,
        api: "v1".to_owned(),
    })
}

/// Repositories that tasks have used, last used first
#[utoipa::path(get, path = paths::REPOS, tag = "repos", responses((status = 200, body = Page<KnownRepository>)))]
pub(crate) async fn repositories(State(door): State<Door>) -> Json<Page<KnownRepository>> {
    let snapshot = door.orchestrator().snapshot();
    let mut known: BTreeMap<&str, (u64, Timestamp)> = BTreeMap::new();
    for task in snapshot.tasks.values() {
        for repository in &task.repositories {
            let (tasks, last_used_at) = known.entry(&repository.path).or_default();
            *tasks += 1;
            *last_used_at = task.created_at.max(*last_used_at);
        }
    }
    let mut items: Vec<_> = known
        .into_iter()
        .map(|(path, (tasks, last_used_at))| KnownRepository {
            path: path.to_owned(),
            tasks,
            last_used_at,
            problem: snapshot.missing.get(path).cloned(),
        })
        .collect();
    items.sort_by_key(|known| std::cmp::Reverse(known.last_used_at));
    Json(Page {
        items,
        next_cursor: None,
    })
}

/// Look at a repository
#[utoipa::path(get, path = paths::REPOS_INSPECT, tag = "repos", params(InspectQuery),
    responses((status = 200, body = RepositoryInfo)))]
pub(crate) async fn inspect(
    State(door): State<Door>,
    Asked(query): Asked<InspectQuery>,
) -> Answer<Json<RepositoryInfo>> {
    let found = door.orchestrator().repository(&query.path).await?;
    Ok(Json(views::repository(found)))
}

/// Agent programs
#[utoipa::path(get, path = paths::HARNESSES, tag = "harnesses", responses((status = 200, body = Page<HarnessView>)))]
pub(crate) async fn harnesses(State(door): State<Door>) -> Answer<Json<Page<HarnessView>>> {
    let harnesses = door.orchestrator().harnesses().await;
    let items: Answer<_> = harnesses.into_iter().map(views::harness).collect();
    Ok(Json(Page {
        items: items?,
        next_cursor: None,
    }))
}

/// What is missing on this machine
#[utoipa::path(get, path = paths::DOCTOR, tag = "system", responses((status = 200, body = Page<Check>)))]
pub(crate) async fn doctor(State(door): State<Door>) -> Json<Page<Check>> {
    let checks = door.orchestrator().doctor().await;
    Json(Page {
        items: checks.into_iter().map(views::check).collect(),
        next_cursor: None,
    })
}
