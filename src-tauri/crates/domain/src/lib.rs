//! Nouns, ids, the task state machine, journal events, and what a user may do now.
