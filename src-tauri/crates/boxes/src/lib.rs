//! Provision a box, put the relay in it, connect, reconnect, stop, revive, purge.
