//! Processes: starting and reaping our own, finding and ending all that descend from them.

pub(crate) mod capture;
pub(crate) mod children;
pub(crate) mod table;
pub(crate) mod tree;

pub(crate) use children::Children;
pub(crate) use tree::Tree;
