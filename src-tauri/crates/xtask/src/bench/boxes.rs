//! Many tasks at once, each with a box of its own and an agent that rests: what several figures begin with.

use serde_json::json;

use super::wire;
use crate::served::Served;
use crate::setup;

/// Creates `count` tasks; every other box is a container where there is an `engine`. Their ids.
pub(crate) fn mixed(served: &Served, count: usize, engine: bool) -> anyhow::Result<Vec<String>> {
    let create = |n: usize| {
        let place = if engine && n.is_multiple_of(2) {
            json!({ "kind": "container", "image": setup::TEST_IMAGE, "network": "none", "memory_mib": 256 })
        } else {
            json!({ "kind": "worktree" })
        };
        let spec = json!({ "prompt": "say x", "harness": "scripted", "box": place });
        wire::create(served, &spec)
    };
    (0..count).map(create).collect()
}
