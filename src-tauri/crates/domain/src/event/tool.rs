//! The two ends of a tool call.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{ArtifactRef, Attachment, ToolKind};

/// A tool call began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ToolCallStarted {
    /// Its id in the run.
    pub tool_call_id: String,
    /// What the tool does.
    pub tool: ToolKind,
    /// The tool's own name.
    pub tool_name: String,
    /// The command of a `bash` call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The file of a `read`, `write` or `edit` call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Where it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The server of an `mcp` call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// After how many seconds it is stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_s: Option<f64>,
    /// Its whole input, while that is short.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<serde_json::Value>,
    /// Its whole input as JSON, where that is long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args_ref: Option<ArtifactRef>,
    /// The sub-agent's call that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_tool_call_id: Option<String>,
}

/// A tool call ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ToolCallFinished {
    /// Its id in the run.
    pub tool_call_id: String,
    /// Whether it failed.
    pub is_error: bool,
    /// The exit code of a command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// How long it took, in milliseconds, where the agent says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// What it gave, while that is short.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// What it gave, where that is long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdout_ref: Option<ArtifactRef>,
    /// What was applied, as a unified diff, while that is short.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patch: Option<String>,
    /// What was applied, where that is long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patch_ref: Option<ArtifactRef>,
    /// The images that it gave, each kept as an artifact of the task.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<Attachment>,
    /// What they hold, on the way from the agent to where they are kept; never written in the event.
    #[serde(skip)]
    pub unkept: Vec<Vec<u8>>,
    /// The sub-agent's call that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_tool_call_id: Option<String>,
}

impl ToolCallFinished {
    /// Most images that are kept of one call.
    pub const IMAGES_MAX: usize = 8;

    /// Takes what it brought out of it: `keep` stores one image and gives the hash of its content, or nothing to
    /// lose it. What does not begin as an image is none; what is too large or too many is lost.
    pub fn keep_images(&mut self, mut keep: impl FnMut(&[u8]) -> Option<String>) {
        let brought = std::mem::take(&mut self.unkept);
        let images = brought.iter().filter(|content| {
            content.len() <= Attachment::SIZE_MAX
                && Attachment::of(content, String::new(), "").is_image()
        });
        for content in images.take(Self::IMAGES_MAX) {
            if let Some(sha256) = keep(content) {
                let name = format!("image-{}", self.images.len() + 1);
                self.images.push(Attachment::image(content, sha256, &name));
            }
        }
    }
}
