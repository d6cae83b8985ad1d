//! What a tool gave, where it comes as a list of parts: texts, and images in base64.
//!
//! Agents agree on little here but on MCP's way of it; the ways of the others are taken beside it. Images leave the
//! text: their bytes go apart, and a long base64 stands in no event.

use paddock_domain::ToolCallFinished;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::at_most::AtMost;
use crate::base64;
use crate::json::Text;

/// Most parts that are taken; what comes after them is left out.
const PARTS_MAX: usize = 4096;
/// Most characters of a part's kind, name and address.
const LINE_MAX: usize = 500;

/// Texts, one a line, and images.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Given {
    pub text: String,
    pub images: Vec<Vec<u8>>,
}

/// One part.
#[derive(Deserialize)]
struct Part<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow, default)]
    text: Option<Text<'a>>,
    /// MCP: the image.
    #[serde(borrow, default)]
    data: Option<Text<'a>>,
    /// Claude: where the image is.
    #[serde(borrow, default)]
    source: Option<Source<'a>>,
    /// Codex: the image as an address of the scheme `data`.
    #[serde(borrow, default, rename = "imageUrl", alias = "image_url")]
    image_url: Option<Text<'a>>,
    /// MCP: where a resource is that is only linked, and what it is called.
    #[serde(borrow, default)]
    uri: Option<&'a RawValue>,
    #[serde(borrow, default)]
    name: Option<&'a RawValue>,
    /// MCP: a resource that comes with it.
    #[serde(borrow, default)]
    resource: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Source<'a> {
    #[serde(borrow, default)]
    data: Option<Text<'a>>,
}

/// A resource: what it is called, where it is, and its text where it is one.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Resource<'a> {
    #[serde(borrow)]
    name: Option<Text<'a>>,
    #[serde(borrow)]
    uri: Option<Text<'a>>,
    #[serde(borrow)]
    text: Option<Text<'a>>,
}

impl<'a> Part<'a> {
    /// The part as text.
    fn shown(self) -> String {
        if let Some(text) = self.text {
            return text.into_owned();
        }
        let text = |raw: Option<&'a RawValue>| serde_json::from_str(raw?.get()).ok();
        let resource = match self.resource {
            Some(resource) => serde_json::from_str(resource.get()).unwrap_or_default(),
            None => Resource {
                name: text(self.name),
                uri: text(self.uri),
                text: None,
            },
        };
        let heading = [
            Some(line(&self.kind)),
            resource.name.as_deref().map(line),
            resource
                .uri
                .as_deref()
                .map(|uri| format!("<{}>", line(uri))),
        ];
        let words: Vec<String> = heading.into_iter().flatten().collect();
        let heading = format!("[{}]", words.join(" "));
        match resource.text {
            Some(text) => format!("{heading}\n{}", &*text),
            None => heading,
        }
    }
}

/// The beginning of what is to be one short line.
fn line(text: &str) -> String {
    let visible = text.chars().filter(|c| !c.is_control());
    visible.take(LINE_MAX).collect()
}

/// The parts that `json`, a list, holds; nothing where it is another thing.
pub(crate) fn parts(json: &str) -> Option<Given> {
    let AtMost(parts) = serde_json::from_str::<AtMost<Part<'_>, PARTS_MAX>>(json).ok()?;
    let mut given = Given::default();
    let mut texts = Vec::with_capacity(parts.len());
    for part in parts {
        let address = part.image_url.as_deref();
        let data = part.source.as_ref().and_then(|source| source.data.as_ref());
        let data = data.or(part.data.as_ref()).map(|data| &**data);
        if let Some(data) = data.or_else(|| in_address(address?)) {
            take(data, &mut given.images);
        }
        texts.push(part.shown());
    }
    given.text = texts.join("\n");
    Some(given)
}

/// Adds the image that `data` is in base64, as long as there are not too many.
pub(crate) fn take(data: &str, images: &mut Vec<Vec<u8>>) {
    if images.len() < ToolCallFinished::IMAGES_MAX {
        images.extend(base64::decoded(data));
    }
}

fn in_address(address: &str) -> Option<&str> {
    let rest = address.strip_prefix("data:image/")?;
    rest.split_once(";base64,").map(|(_, data)| data)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(json: &str, text: &str, images: &[&[u8]]) {
        let given = parts(json).unwrap();
        assert_eq!(given.text, text);
        assert_eq!(given.images, images);
    }

    #[test]
    fn images_are_found_in_each_agents_way_and_leave_the_text() {
        let claude = r#"[{"type":"text","text":"seen"},
            {"type":"image","source":{"type":"base64","media_type":"image/gif","data":"R0lGODlh"}}]"#;
        check(claude, "seen\n[image]", &[b"GIF89a"]);
        let mcp = r#"[{"type":"image","data":"R0lGODlh","mimeType":"image/gif"}]"#;
        check(mcp, "[image]", &[b"GIF89a"]);
        let codex = r#"[{"type":"inputImage","imageUrl":"data:image/gif;base64,R0lGODlh"}]"#;
        check(codex, "[inputImage]", &[b"GIF89a"]);
    }

    #[test]
    fn an_image_elsewhere_is_left_there() {
        let url = r#"[{"type":"image","source":{"type":"url","url":"https://example.org/a.png"}}]"#;
        check(url, "[image]", &[]);
        let other = r#"[{"type":"inputImage","imageUrl":"https://example.org/a.png"}]"#;
        check(other, "[inputImage]", &[]);
        check(r#"[{"type":"image","data":"not base64!"}]"#, "[image]", &[]);
    }

    #[test]
    fn a_resource_is_shown_with_its_name_its_address_and_its_text() {
        let text = r#"[{"type":"resource","resource":{"uri":"notes://1","mimeType":"text/plain","text":"Buy tea"}}]"#;
        check(text, "[resource <notes://1>]\nBuy tea", &[]);
        let blob = r#"[{"type":"resource","resource":{"uri":"file:///a.bin","blob":"AAEC"}}]"#;
        check(blob, "[resource <file:///a.bin>]", &[]);
        let link = r#"[{"type":"resource_link","uri":"file:///a.rs","name":"a.rs"},{"type":"text","text":"b"}]"#;
        check(link, "[resource_link a.rs <file:///a.rs>]\nb", &[]);
    }

    #[test]
    fn a_resource_that_says_too_much_or_nonsense_costs_no_other_part() {
        let long = format!(
            r#"[{{"type":"resource_link","uri":"{}"}}]"#,
            "x".repeat(LINE_MAX + 1)
        );
        let cut = format!("[resource_link <{}>]", "x".repeat(LINE_MAX));
        check(&long, &cut, &[]);
        let odd = r#"[{"type":"resource","resource":7},{"type":"x","uri":1,"name":{"a\n":2}},{"type":"text","text":"b"}]"#;
        check(odd, "[resource]\n[x]\nb", &[]);
    }

    #[test]
    fn more_images_than_are_kept_are_not_taken_apart() {
        let one = r#"{"type":"image","data":"R0lGODlh"}"#;
        let many = [one; ToolCallFinished::IMAGES_MAX + 3].join(",");
        let given = parts(&format!("[{many}]")).unwrap();
        assert_eq!(given.images.len(), ToolCallFinished::IMAGES_MAX);
    }
}
