//! Fakes and builders for tests; a dev-dependency only.
