//! What a terminal showed, as an SVG that follows the reader's light or dark theme.

use std::fmt::Write as _;

use super::stage::Tone;

const LINE: usize = 19;
const MARGIN: usize = 22;
const BAR: usize = 34;
const COLUMN: f64 = 7.85;

const STYLE: &str = "\
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre;fill:#1f2328}\
.f{fill:#ffffff;stroke:#d0d7de}.b{fill:#f6f8fa}.Command{font-weight:600}.State{fill:#0969da}.Tool{fill:#9a6700}\
.Good{fill:#1a7f37}.Bad{fill:#cf222e}.Dim{fill:#656d76}\
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.f{fill:#0d1117;stroke:#30363d}.b{fill:#161b22}\
.State{fill:#58a6ff}.Tool{fill:#d29922}.Good{fill:#3fb950}.Bad{fill:#f85149}.Dim{fill:#8b949e}}";

/// Draws `lines`.
pub(crate) fn draw(lines: &[(Tone, String)]) -> String {
    let columns = lines
        .iter()
        .map(|(_, text)| text.chars().count())
        .max()
        .unwrap_or(0);
    #[allow(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss
    )]
    let width = (columns as f64 * COLUMN) as usize + 2 * MARGIN;
    let height = BAR + lines.len() * LINE + MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"A terminal that shows a run of the demo\">\n<style>{STYLE}</style>\n<rect class=\"f\" x=\".5\" y=\".5\" width=\"{}\" height=\"{}\" rx=\"8\"/>\n",
        width - 1,
        height - 1
    );
    for (n, (tone, text)) in lines.iter().enumerate() {
        let y = BAR + n * LINE;
        let _ = writeln!(
            svg,
            "<text class=\"{tone:?}\" x=\"{MARGIN}\" y=\"{y}\">{}</text>",
            escaped(text)
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_agent_says_cannot_become_markup() {
        let svg = draw(&[(Tone::Agent, "<script>&".to_owned())]);
        assert!(
            svg.contains("&lt;script&gt;&amp;") && !svg.contains("<script>"),
            "{svg}"
        );
    }
}
