//! Names branches, builds git commands and parses what they print, through `Place`.
//!
//! The host checkout is never touched, only objects cross between a box and the host, and git never
//! starts a program that a repository names: see `git.rs` for how. A task's way through this room:
//! [`inspect`], [`resolve_base`], [`claim_branch`], [`pin`], [`seed`]; while it works [`status`],
//! [`diff_stat`], [`diff`]; what the agent left uncommitted [`commit_preview`], [`commit`] and
//! [`commit_chosen`]; home
//! with [`pack_from_box`], [`receive`] and [`hold`]; out with [`scan`], [`push`] and [`squash`]; and
//! [`keep`](fn@keep) before anything destructive, or [`rescue`] where the box's own repository is damaged.
//!
//! A function that takes a box's `dir` must be given the box as its `Place`, never the host beneath it:
//! what it finds there is hostile, and the box's walls are what confines it.
//!
//! Paths are absolute and UTF-8. Needs git 2.39 or newer in every place.

mod base;
mod branch;
mod choice;
mod claim;
mod claimed;
mod diff;
mod disarm;
mod error;
mod fork;
mod fsck;
mod git;
mod inspect;
mod keep;
mod log;
mod names;
mod network;
mod oid;
mod pack;
mod preview;
mod private_index;
mod push;
mod receive;
mod refs;
mod remote_url;
mod repository;
mod scan;
mod seed;
mod squash;
mod status;
mod submodules;
mod survey;
mod trash;
mod version;
mod work_tree;

pub use base::{Base, BaseError, has_commit, resolve_base};
pub use branch::{Branch, InvalidBranch};
pub use claim::{AskRemotes, ClaimError, adopt_branch, claim_branch, release_branch};
pub use claimed::{Claimed, claimed};
pub use diff::{Diff, DiffLimits, MOST_FILES, Whose, diff, diff_here, diff_of_commit, diff_stat};
pub use error::GitError;
pub use fork::{ForkPoint, fork_point};
pub use fsck::fsck;
pub use inspect::{InspectError, inspect, locate};
pub use keep::{hold, pin, unpin};
pub use log::{Log, MOST_COMMITS, commits, commits_here};
pub use names::{MOST_NAMES, branch_names};
pub use oid::{ObjectFormat, Oid};
pub use pack::{MOST_PACKED, Pack, pack_from_box, pack_from_host};
pub use preview::{CommitError, Preview, PreviewToken, commit, commit_chosen, commit_preview};
pub use push::{Pushed, RemoteError, fetch_branch, push, remote_tip};
pub use receive::{
    Delivery, Landed, ReceiveError, branch_tip, delivered, delivered_ref, receive, tip_in_box,
};
pub use remote_url::public_url;
pub use repository::{Head, Identity, Remote, Repository, Submodule};
pub use scan::{Finding, ScanLimits, blocking, scan};
pub use seed::{Seed, SeedError, seed, seed_from};
pub use squash::{Onto, SquashError, SquashPlan, squash, squash_preview};
pub use status::{Changed, Commit, WorkStatus, status};
pub use submodules::{SubmoduleSeeds, submodule_seeds};
pub use survey::{Besides, besides, is_contained, is_whole, unpublished};
pub use trash::{
    BroughtBack, Keeping, Kept, LookedInto, MOST_IGNORED, MOST_IGNORED_BYTES, Rescued, TrashError,
    bring_back, drop_kept, free_branch, keep, look_into, rescue, trash,
};
pub use version::{Version, version};
