//! Typed HTTP and SSE client for the CLI, the terminal UI and tests.
