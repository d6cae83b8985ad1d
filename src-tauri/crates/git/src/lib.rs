//! Names branches, builds git commands and parses what they print, through Place.
