//! The program's face for people: says which session it has, and repeats what is typed.

use std::io::{self, BufRead, Write};

/// Ends it.
const QUIT: &str = "quit";

/// Talks with whoever sits at the terminal until they say [`QUIT`], or go.
pub(crate) fn converse(session: Option<&str>) -> io::Result<()> {
    let mut screen = io::stdout();
    writeln!(
        screen,
        "scripted terminal, session {}",
        session.unwrap_or("new")
    )?;
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line.trim() == QUIT {
            break;
        }
        writeln!(screen, "you said {line}")?;
    }
    Ok(())
}
