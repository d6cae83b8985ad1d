//! REST, SSE, authentication, errors to codes; serves the UI.
