//! `confine`: restricts this process with Landlock, then becomes another program.
//!
//! Invariant: the restriction is in force before the program starts and holds for all that descends
//! from it. On a kernel that lacks a part of it the rest is enforced, and what is lacking is said on
//! stderr; on one without Landlock the program runs unconfined and that is said.
//!
//! Reading stays open unless it is limited; writing is limited to the given paths, the usual devices
//! and nothing else. Give a private temporary directory as one of the paths, and name it in `TMPDIR`.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::Command;

use anyhow::Context;
use landlock::{
    ABI, Access, AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd,
    RestrictionStatus, Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetStatus,
};
use paddock_relay_protocol::Confine;

/// The newest rules that we know how to ask for.
const RULES: ABI = ABI::V5;

/// Devices that programs write to as a matter of course.
const DEVICES: [&str; 9] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
    "/dev/ptmx",
    "/dev/pts",
    "/dev/shm",
];

/// Restricts this process and executes `program`; returns only when that fails.
pub(crate) fn become_confined(
    confine: &Confine,
    program: &OsString,
    args: &[OsString],
) -> anyhow::Result<()> {
    let status = restrict(confine).context("cannot confine the program")?;
    match status.ruleset {
        RulesetStatus::FullyEnforced => {}
        RulesetStatus::PartiallyEnforced => {
            crate::diary::write(format_args!(
                "this kernel enforces only a part of the confinement"
            ));
        }
        RulesetStatus::NotEnforced => {
            crate::diary::write(format_args!(
                "this kernel has no Landlock: the program runs unconfined"
            ));
        }
    }
    let error = Command::new(program).args(args).exec();
    Err(error).with_context(|| format!("`{}` cannot be executed", program.display()))
}

fn restrict(confine: &Confine) -> anyhow::Result<RestrictionStatus> {
    let mut handled = AccessFs::from_write(RULES);
    if confine.read.is_some() {
        handled = AccessFs::from_all(RULES);
    }
    // Device control is no write to a box's files, and terminals need it.
    handled.remove(AccessFs::IoctlDev);
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(handled)?
        .create()?;
    for path in confine.write.iter().map(String::as_str).chain(DEVICES) {
        rules = allow(rules, path, AccessFs::from_all(RULES) & handled)?;
    }
    for path in confine.read.iter().flatten() {
        rules = allow(rules, path, AccessFs::from_read(RULES) & handled)?;
    }
    Ok(rules.restrict_self()?)
}

/// Allows `access` below `path`; a path that is not there needs no rule.
fn allow(
    rules: RulesetCreated,
    path: &str,
    access: BitFlags<AccessFs>,
) -> anyhow::Result<RulesetCreated> {
    let Ok(fd) = PathFd::new(path) else {
        return Ok(rules);
    };
    let access = match std::fs::metadata(path) {
        Ok(meta) if !meta.is_dir() => access & AccessFs::from_file(RULES),
        Ok(_) | Err(_) => access,
    };
    Ok(rules.add_rule(PathBeneath::new(fd, access))?)
}
