//! The wire: requests, views, events, error codes, paths, and the OpenAPI document.
