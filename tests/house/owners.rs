//! Heavy crates have one owner each: nobody else is built with them.

use cargo_metadata::DependencyKind;

/// What begins so belongs to these packages.
const OWNERS: &[(&str, &[&str])] = &[
    ("axum", &["paddock-server"]),
    ("bollard", &["paddock-docker"]),
    (
        "clap",
        &[
            "paddock-cli",
            "xtask",
            "paddock-recorder",
            "paddock-scripted-model",
        ],
    ),
    ("keyring", &["paddock-secrets"]),
    ("landlock", &["paddock-relay"]),
    ("octocrab", &["paddock-forge"]),
    ("ratatui", &["paddock-cli"]),
    ("reqwest", &["paddock-client"]),
    ("russh", &["paddock-ssh"]),
    ("sqlx", &["paddock-store"]),
    ("tauri", &["paddock-desktop"]),
    ("webrtc", &["paddock-voice"]),
];

fn breaches(edges: &[(String, String)]) -> Vec<String> {
    let owned_by_another = edges.iter().filter(|(package, used)| {
        let owner = OWNERS.iter().find(|(heavy, _)| {
            used.strip_prefix(heavy)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '_']))
        });
        owner.is_some_and(|(_, owners)| !owners.contains(&package.as_str()))
    });
    owned_by_another
        .map(|(package, used)| format!("{package} is built with {used}"))
        .collect()
}

#[test]
fn heavy_crates_stay_with_their_owners() {
    let packages = super::floors::metadata().packages;
    let edges: Vec<(String, String)> = packages
        .iter()
        .flat_map(|package| {
            let built_with = package
                .dependencies
                .iter()
                .filter(|used| used.kind != DependencyKind::Development);
            built_with.map(|used| (package.name.to_string(), used.name.clone()))
        })
        .collect();
    assert!(
        edges
            .iter()
            .any(|(package, used)| (package.as_str(), used.as_str()) == ("paddock-store", "sqlx"))
    );
    super::hold(&breaches(&edges));
}

#[test]
fn a_heavy_crate_in_another_room_is_seen() {
    let edges = [
        ("paddock-store", "sqlx"),
        ("paddock-git", "sqlx-core"),
        ("paddock-git", "sqlxtra"),
        ("paddock-orchestrator", "axum"),
        ("paddock-desktop", "tauri-build"),
    ];
    let edges = edges.map(|(package, used)| (package.to_owned(), used.to_owned()));
    assert_eq!(
        breaches(&edges),
        [
            "paddock-git is built with sqlx-core",
            "paddock-orchestrator is built with axum"
        ]
    );
}
