//! Settings: defaults, file, environment, flags; typed and validated.
