//! Tests of the toolbox.
