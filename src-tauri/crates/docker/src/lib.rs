//! The Docker Engine API over any byte stream: images, containers, labels, events, statistics.
