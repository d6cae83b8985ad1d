//! Locks that a panic elsewhere does not poison for everybody: what they guard is whole at all times.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Takes `mutex`, also where its last holder panicked.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
