//! What a terminal shows, as state: so that whoever comes is given the screen and not its history.
//!
//! Bytes come from a box and are hostile. They are interpreted here and nowhere else on this side; whatever
//! they do, a [`Screen`] stays within its bounds and a fault of the interpreter costs the picture, not the
//! server. What is given out are sequences that this file's interpreter made, none that asks the client's
//! terminal a question: an answer would be typed into the program.

use std::num::NonZeroU16;
use std::panic::{AssertUnwindSafe, catch_unwind};

use paddock_domain::TerminalSize;
use vt100::Parser;

/// Lines that have scrolled away and are kept.
const SCROLLBACK: usize = 1_000;

/// The state of one terminal.
pub(super) struct Screen {
    parser: Parser,
    size: TerminalSize,
}

impl Screen {
    pub(super) fn new(size: TerminalSize) -> Self {
        Self {
            parser: parser(size),
            size,
        }
    }

    pub(super) fn size(&self) -> TerminalSize {
        self.size
    }

    /// Takes what the program printed.
    pub(super) fn take(&mut self, bytes: &[u8]) {
        self.guarded(|parser| parser.process(bytes));
    }

    /// Takes another size.
    pub(super) fn resize(&mut self, size: TerminalSize) {
        self.size = size;
        let (rows, cols) = sides(size);
        self.guarded(|parser| parser.set_size(rows, cols));
    }

    /// What makes an empty terminal of the same size show the same: what has scrolled away, the screen, the
    /// cursor, and how keys are to be sent.
    pub(super) fn restored(&mut self) -> Vec<u8> {
        self.guarded(|parser| picture(parser).into_bytes())
            .unwrap_or_default()
    }

    /// Does something with the interpreter. One that breaks begins anew, with an empty screen.
    fn guarded<T>(&mut self, act: impl FnOnce(&mut Parser) -> T) -> Option<T> {
        let done = catch_unwind(AssertUnwindSafe(|| act(&mut self.parser)));
        if done.is_err() {
            tracing::warn!("a terminal's screen could not be followed and begins anew");
            self.parser = parser(self.size);
        }
        done.ok()
    }
}

fn parser(size: TerminalSize) -> Parser {
    let (rows, cols) = sides(size);
    Parser::new(rows, cols, SCROLLBACK)
}

fn sides(size: TerminalSize) -> (NonZeroU16, NonZeroU16) {
    let side = |side| NonZeroU16::new(side).unwrap_or(NonZeroU16::MIN);
    (side(size.rows), side(size.cols))
}

fn picture(parser: &Parser) -> String {
    let screen = parser.screen();
    if !screen.alternate_screen() {
        return page(screen.clone()) + &screen.input_mode_formatted();
    }
    // The page beneath, for when the program lets go of the other one.
    let (rows, cols) = screen.size();
    let mut beneath = Parser::new(rows, cols, SCROLLBACK);
    *beneath.screen_mut() = screen.clone();
    beneath.process(b"\x1b[?47l");
    let mut picture = page(beneath.screen().clone());
    picture += "\x1b[?1049h";
    picture += &screen.state_formatted();
    picture
}

/// One page with what has scrolled away above it.
fn page(mut screen: vt100::Screen) -> String {
    let (rows, cols) = screen.size();
    let away = screen.scrollback_len();
    let mut page = String::new();
    for back in (1..=away).rev() {
        screen.set_scrollback(back);
        let line = screen.rows_formatted(0, cols.get()).next();
        page += "\x1b[m";
        page += &line.unwrap_or_default();
        // What the last one goes on with is drawn by itself.
        if back == 1 || !screen.row_wrapped(0) {
            page += "\r\n";
        }
    }
    screen.set_scrollback(0);
    if away > 0 {
        // Out of sight with them, and no empty line with them.
        page += &"\n".repeat(usize::from(rows.get()) - 1);
    }
    page + &screen.contents_formatted()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: TerminalSize = TerminalSize { rows: 4, cols: 12 };

    fn screen(bytes: &[u8]) -> Screen {
        let mut screen = Screen::new(SIZE);
        screen.take(bytes);
        screen
    }

    /// Everything that can be seen by scrolling, without colours.
    fn seen(screen: &Screen) -> Vec<String> {
        let mut all = screen.parser.screen().clone();
        let mut lines = Vec::new();
        for back in (1..=all.scrollback_len()).rev() {
            all.set_scrollback(back);
            lines.extend(all.rows(0, 12).next());
        }
        all.set_scrollback(0);
        lines.extend(all.rows(0, 12));
        let lines: Vec<_> = lines
            .iter()
            .map(|line| line.trim_end().to_owned())
            .collect();
        let blank = lines.iter().rev().take_while(|line| line.is_empty());
        lines[..lines.len() - blank.count()].to_vec()
    }

    /// What a client shows that was given the screen of `bytes` shows the same, and goes on the same.
    fn check(bytes: &[u8]) -> Screen {
        let mut ours = screen(bytes);
        let mut theirs = screen(&ours.restored());
        let state = |screen: &Screen| {
            let screen = screen.parser.screen();
            (
                screen.contents_formatted(),
                screen.input_mode_formatted(),
                screen.cursor_position(),
                screen.alternate_screen(),
            )
        };
        assert_eq!(state(&theirs), state(&ours));
        let leaves = ours.parser.screen().alternate_screen();
        let leave: &[u8] = if leaves { b"\x1b[?1049l" } else { b"" };
        for more in [leave, b"\r\nnext \x1b[32mgreen"] {
            ours.take(more);
            theirs.take(more);
            assert_eq!(
                theirs.parser.screen().contents(),
                ours.parser.screen().contents()
            );
        }
        theirs
    }

    #[test]
    fn a_plain_screen_comes_back_with_what_scrolled_away() {
        let text: String = (0..40).map(|n| format!("line {n}\r\n")).collect();
        let theirs = check(format!("{text}\x1b[31mred\x1b[m $ ").as_bytes());
        let seen = seen(&theirs);
        for n in 0..40 {
            let line = format!("line {n}");
            assert_eq!(
                seen.iter().filter(|seen| **seen == line).count(),
                1,
                "{line}"
            );
        }
    }

    #[test]
    fn no_empty_lines_are_gained_however_far_a_screen_has_scrolled() {
        for lines in 1..12 {
            let text: Vec<_> = (0..lines).map(|n| format!("line {n}")).collect();
            let theirs = check(text.join("\r\n").as_bytes());
            let seen = seen(&theirs);
            assert_eq!(seen[..lines], text[..], "{lines} lines");
        }
    }

    #[test]
    fn a_program_that_has_the_whole_screen_leaves_what_was_beneath() {
        let theirs =
            check(b"beneath\r\n$ vi\r\n\x1b[?1049h\x1b[2J\x1b[Htext\x1b[?2004h\x1b[?1h\x1b[?25l");
        assert!(seen(&theirs).concat().contains("beneath"));
    }

    #[test]
    fn wrapped_and_wide_lines_come_back() {
        check(
            "漢字漢字漢字漢字漢字 and a line that wraps more than once\r\n\x1b[7minverse\x1b[m"
                .as_bytes(),
        );
    }

    #[test]
    fn nothing_that_is_given_out_asks_a_terminal_something() {
        let mut asked = screen(b"\x1b[c\x1b[6n\x1b[>c\x1b]11;?\x07\x1bP$qm\x1b\\\x1b[?1;2$y text");
        let given = String::from_utf8(asked.restored()).unwrap();
        assert!(given.contains("text"));
        for question in ["[c", "[6n", "]11", "P$q", "$y"] {
            assert!(!given.contains(question), "{given:?}");
        }
    }

    #[test]
    fn hostile_bytes_cost_neither_the_server_nor_its_memory() {
        let mut screen = Screen::new(TerminalSize {
            rows: 50,
            cols: 200,
        });
        screen.take(b"\x1b]0;");
        for _ in 0..256 {
            screen.take(&[b'x'; 64 * 1024]);
        }
        screen.take(b"\x1b\\\x1b[99999999;99999999H\x1b[2147483647S\x1b[65535L\x1b[65535@\x1b[0;0r\xff\xfe\xf0\x9f");
        let mut seed = 7_u32;
        let mut noise = vec![0_u8; 200_000];
        for byte in &mut noise {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *byte = [
                0x1b, b'[', b'?', b';', b'h', b'4', b'7', b'H', b'\n', b'm', b'9', b'x',
            ][seed as usize >> 8 & 7]
                ^ u8::from(seed.is_multiple_of(97));
        }
        for chunk in noise.chunks(997) {
            screen.take(chunk);
            let n = u16::from(chunk[0]);
            screen.resize(TerminalSize {
                rows: n % 60 + 1,
                cols: n % 210 + 1,
            });
        }
        assert!(screen.restored().len() < 4 << 20);
        assert!(screen.parser.screen().scrollback_len() <= SCROLLBACK);
    }
}
