//! The command line, read by hand: a parser library would be a fifth of the binary.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;

use paddock_relay_protocol::{BoxId, Confine, VersionRange};

/// What `--help` prints.
pub(crate) const USAGE: &str = "\
usage: paddock-relay serve --dir DIR [--box ID] [--speak MIN-MAX] [--foreground]
       paddock-relay connect --dir DIR
       paddock-relay carry --dir DIR --box ID --name NAME --to ADDRESS:PORT --lock FILE
       paddock-relay confine [--rw PATH]... [--ro PATH]... -- PROGRAM [ARG]...
       paddock-relay version

serve    owns agents; DIR holds its socket and the log of every run. Goes to the background
         unless --foreground. Exit code 3: another relay serves DIR. --speak claims other
         versions of the protocol than this build's own, to rehearse an update.
connect  bridges stdin and stdout to the relay that serves DIR.
carry    leads the forwarded port NAME of the box to one address here, until its relay is gone.
         Says `ready PORT`, or `taken PORT` (exit code 3) when FILE is locked by one that does.
confine  lets PROGRAM write only below the --rw paths (and read only below --ro paths, if any
         are given), as far as this kernel can enforce it.";

/// What to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    Serve(Serve),
    Connect {
        dir: PathBuf,
    },
    Carry(Carry),
    Confine {
        confine: Confine,
        program: OsString,
        args: Vec<OsString>,
    },
    Version,
    Help,
}

/// How to serve.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Serve {
    pub(crate) dir: PathBuf,
    pub(crate) box_id: Option<BoxId>,
    pub(crate) speak: Option<VersionRange>,
    pub(crate) foreground: bool,
}

/// What to carry.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Carry {
    pub(crate) dir: PathBuf,
    pub(crate) box_id: Option<BoxId>,
    pub(crate) name: String,
    pub(crate) to: SocketAddr,
    pub(crate) lock: PathBuf,
}

/// Reads the arguments after the program's name.
pub(crate) fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Verb, String> {
    let mut args = args.into_iter();
    let verb = args.next().ok_or("a verb is missing")?;
    match verb.to_str() {
        Some("serve") => parse_serve(args).map(Verb::Serve),
        Some("connect") => match parse_serve(args)? {
            Serve {
                dir,
                box_id: None,
                speak: None,
                foreground: false,
            } => Ok(Verb::Connect { dir }),
            Serve { .. } => Err("connect takes only --dir".to_owned()),
        },
        Some("carry") => parse_carry(args).map(Verb::Carry),
        Some("confine") => parse_confine(args),
        Some("version" | "--version") => Ok(Verb::Version),
        Some("help" | "--help" | "-h") => Ok(Verb::Help),
        _ => Err(format!("no such verb: {}", verb.display())),
    }
}

fn parse_serve(mut args: impl Iterator<Item = OsString>) -> Result<Serve, String> {
    let mut serve = Serve::default();
    while let Some(arg) = args.next() {
        match arg.to_str() {
            Some("--dir") => serve.dir = value(&mut args, "--dir")?.into(),
            Some("--box") => {
                let id = text(value(&mut args, "--box")?)?;
                serve.box_id = Some(BoxId::parse(id).map_err(|e| e.to_string())?);
            }
            Some("--speak") => {
                let range = text(value(&mut args, "--speak")?)?;
                let speak = VersionRange::parse(&range);
                serve.speak = Some(speak.ok_or_else(|| format!("no range of versions: {range}"))?);
            }
            Some("--foreground") => serve.foreground = true,
            _ => return Err(format!("no such option: {}", arg.display())),
        }
    }
    if serve.dir.as_os_str().is_empty() {
        return Err("--dir is missing".to_owned());
    }
    Ok(serve)
}

fn parse_carry(mut args: impl Iterator<Item = OsString>) -> Result<Carry, String> {
    let (mut dir, mut box_id, mut name, mut to, mut lock) = (None, None, None, None, None);
    while let Some(arg) = args.next() {
        match arg.to_str() {
            Some("--dir") => dir = Some(value(&mut args, "--dir")?.into()),
            Some("--box") => {
                let id = text(value(&mut args, "--box")?)?;
                box_id = Some(BoxId::parse(id).map_err(|e| e.to_string())?);
            }
            Some("--name") => name = Some(text(value(&mut args, "--name")?)?),
            Some("--to") => {
                let address = text(value(&mut args, "--to")?)?;
                let parsed = address.parse();
                to = Some(parsed.map_err(|_| format!("no address and port: {address}"))?);
            }
            Some("--lock") => lock = Some(value(&mut args, "--lock")?.into()),
            _ => return Err(format!("no such option: {}", arg.display())),
        }
    }
    Ok(Carry {
        dir: dir.ok_or("--dir is missing")?,
        box_id,
        name: name.ok_or("--name is missing")?,
        to: to.ok_or("--to is missing")?,
        lock: lock.ok_or("--lock is missing")?,
    })
}

fn parse_confine(mut args: impl Iterator<Item = OsString>) -> Result<Verb, String> {
    let mut confine = Confine::default();
    while let Some(arg) = args.next() {
        match arg.to_str() {
            Some("--rw") => confine.write.push(text(value(&mut args, "--rw")?)?),
            Some("--ro") => {
                let path = text(value(&mut args, "--ro")?)?;
                confine.read.get_or_insert_default().push(path);
            }
            Some("--") => {
                let program = args.next().ok_or("a program is missing after --")?;
                return Ok(Verb::Confine {
                    confine,
                    program,
                    args: args.collect(),
                });
            }
            _ => return Err(format!("no such option: {}", arg.display())),
        }
    }
    Err("-- and a program are missing".to_owned())
}

fn value(args: &mut impl Iterator<Item = OsString>, option: &str) -> Result<OsString, String> {
    args.next().ok_or_else(|| format!("{option} needs a value"))
}

fn text(value: OsString) -> Result<String, String> {
    value
        .into_string()
        .map_err(|value| format!("not UTF-8: {}", value.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str) -> Result<Verb, String> {
        parse(line.split_whitespace().map(OsString::from))
    }

    #[test]
    fn serve_takes_its_directory_and_box() {
        let serve = Serve {
            dir: "/d".into(),
            box_id: Some(BoxId::parse("b").unwrap()),
            speak: VersionRange::parse("2-3"),
            foreground: true,
        };
        assert_eq!(
            check("serve --dir /d --foreground --box b --speak 2-3"),
            Ok(Verb::Serve(serve))
        );
    }

    #[test]
    fn what_follows_the_dashes_is_the_confined_program() {
        let verb = check("confine --rw /a --rw /b -- sh --rw x").unwrap();
        let confine = Confine {
            write: vec!["/a".to_owned(), "/b".to_owned()],
            read: None,
        };
        let args = vec!["--rw".into(), "x".into()];
        assert_eq!(
            verb,
            Verb::Confine {
                confine,
                program: "sh".into(),
                args
            }
        );
    }

    #[test]
    fn a_wrong_line_is_refused_with_its_cause() {
        for (line, cause) in [
            ("", "verb"),
            ("dance", "dance"),
            ("serve", "--dir"),
            ("serve --dir", "--dir"),
            ("serve --dir /d --box a/b", "box id"),
            ("serve --dir /d --speak new", "new"),
            ("connect --dir /d --foreground", "only --dir"),
            ("carry --dir /d --name n --lock l", "--to"),
            (
                "carry --dir /d --name n --lock l --to localhost:1",
                "address",
            ),
            ("confine --rw /a sh", "sh"),
        ] {
            let complaint = check(line).unwrap_err();
            assert!(complaint.contains(cause), "{line}: {complaint}");
        }
    }
}
