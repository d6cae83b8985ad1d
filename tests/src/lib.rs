//! Journeys through the API, the walls of the house, and real engines.
