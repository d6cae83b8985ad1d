//! Numbers that are left out of JSON where they are zero.

/// Whether there is nothing to tell of `number`.
pub(crate) fn is_zero<T: Default + PartialEq>(number: &T) -> bool {
    *number == T::default()
}
