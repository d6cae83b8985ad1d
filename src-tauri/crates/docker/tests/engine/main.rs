//! An engine as it is seen through its API: one that is scripted here, and a real one.

mod fake;
mod real;
mod scripted;
