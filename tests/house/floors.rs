//! The one law: a crate depends only on lower floors.
//!
//! Each package says its floor in `package.metadata.paddock.floor`: `F0` to `F6`, `garden` (the relay,
//! which knows its protocol alone) or `workshop` (tests). Strictly lower means that there is no edge
//! inside a floor either. Dev-dependencies may reach anywhere; nothing else may reach the workshop.

use std::collections::BTreeMap;

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand};

/// The garden house's only neighbour.
const GARDEN_MAY_USE: &str = "paddock-relay-protocol";

/// A package, its floor, and the packages of ours that it is built with.
pub(crate) struct Room {
    name: String,
    floor: Option<String>,
    uses: Vec<String>,
}

pub(crate) fn metadata() -> Metadata {
    let manifest = super::tree::root().join("Cargo.toml");
    MetadataCommand::new()
        .manifest_path(manifest)
        .no_deps()
        .exec()
        .unwrap()
}

fn rooms() -> Vec<Room> {
    let packages = metadata().packages;
    let ours: Vec<String> = packages.iter().map(|p| p.name.to_string()).collect();
    let room = |package: &cargo_metadata::Package| Room {
        name: package.name.to_string(),
        floor: package.metadata["paddock"]["floor"]
            .as_str()
            .map(str::to_owned),
        uses: package
            .dependencies
            .iter()
            .filter(|used| used.kind != DependencyKind::Development)
            .map(|used| used.name.clone())
            .filter(|name| ours.contains(name))
            .collect(),
    };
    packages.iter().map(room).collect()
}

fn breaches(rooms: &[Room]) -> Vec<String> {
    let floors: BTreeMap<&str, &str> = rooms
        .iter()
        .filter_map(|room| Some((room.name.as_str(), room.floor.as_deref()?)))
        .collect();
    rooms
        .iter()
        .flat_map(|room| of_room(room, &floors))
        .collect()
}

fn of_room(room: &Room, floors: &BTreeMap<&str, &str>) -> Vec<String> {
    let Some(floor) = room.floor.as_deref().filter(|floor| is_floor(floor)) else {
        return vec![format!("{} names no floor", room.name)];
    };
    let refused = room.uses.iter().filter(|used| {
        let below = floors.get(used.as_str()).copied().unwrap_or_default();
        !may_use(floor, used, below)
    });
    let line = |used: &String| {
        let below = floors.get(used.as_str()).copied().unwrap_or("?");
        format!("{} ({floor}) uses {used} ({below})", room.name)
    };
    refused.map(line).collect()
}

fn is_floor(floor: &str) -> bool {
    height(floor).is_some() || matches!(floor, "garden" | "workshop")
}

fn may_use(floor: &str, used: &str, below: &str) -> bool {
    match floor {
        "workshop" => true,
        "garden" => used == GARDEN_MAY_USE,
        _ => matches!((height(floor), height(below)), (Some(own), Some(other)) if other < own),
    }
}

fn height(floor: &str) -> Option<u8> {
    let height = floor.strip_prefix('F')?.parse().ok()?;
    (height <= 6).then_some(height)
}

#[test]
fn crates_depend_only_on_lower_floors() {
    super::hold(&breaches(&rooms()));
}

#[test]
fn an_edge_sideways_upwards_or_into_the_workshop_is_seen() {
    let room = |name: &str, floor: Option<&str>, uses: &[&str]| Room {
        name: name.to_owned(),
        floor: floor.map(str::to_owned),
        uses: uses.iter().map(|&used| used.to_owned()).collect(),
    };
    let rooms = [
        room("domain", Some("F0"), &[]),
        room("paddock-relay-protocol", Some("F0"), &[]),
        room("git", Some("F2"), &["domain"]),
        room("store", Some("F2"), &["git"]),
        room("api", Some("F1"), &["store"]),
        room("kit", Some("workshop"), &["git"]),
        room("boxes", Some("F3"), &["kit", "git"]),
        room(
            "relay",
            Some("garden"),
            &["paddock-relay-protocol", "domain"],
        ),
        room("lost", None, &[]),
        room("attic", Some("F9"), &[]),
    ];
    let expected = [
        "store (F2) uses git (F2)",
        "api (F1) uses store (F2)",
        "boxes (F3) uses kit (workshop)",
        "relay (garden) uses domain (F0)",
        "lost names no floor",
        "attic names no floor",
    ];
    assert_eq!(breaches(&rooms), expected);
}
