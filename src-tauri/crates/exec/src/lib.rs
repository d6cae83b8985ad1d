//! Run a command in some place: Command, Process, and the Place trait.
