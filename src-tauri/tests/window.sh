#!/bin/sh
# Drives the built desktop program in a real window on a virtual display: the story of ui/tests/real by mouse and
# by keyboard, then tray, notifications, links and the window's life, with stand-ins on a bus of its own. Build
# first: cargo build -p paddock-desktop, the relay, the scripted agent, and ui/dist (or name where they are with
# PADDOCK_BUILT). Needs what src-tauri/README.md names for tests in a window. `cargo xtask window` runs it.
#   src-tauri/tests/window.sh [DIR FOR SCREENSHOTS]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
shots=$(mkdir -p "${1:-$here/../../target/window}" && cd "${1:-$here/../../target/window}" && pwd)
home=$(mktemp -d)
# Agents outlive programs: end those that this run has left, told by its own directory.
leave() {
    code=$?
    set +e
    for process in /proc/[0-9]*; do
        { tr '\0' ' ' <"$process/cmdline"; } 2>/dev/null | grep -qF "$home/" && kill "${process#/proc/}" 2>/dev/null
    done
    rm -rf "$home"
    exit "$code"
}
trap leave EXIT
export HOME="$home" XDG_RUNTIME_DIR="$home/run" WEBKIT_DISABLE_DMABUF_RENDERER=1 NO_AT_BRIDGE=1
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME WAYLAND_DISPLAY PADDOCK_URL PADDOCK_TOKEN
mkdir -p "$XDG_RUNTIME_DIR"
chmod 700 "$XDG_RUNTIME_DIR"
root=$(cd "$here/../.." && pwd)
built=${PADDOCK_BUILT:-$root/target/debug}
export PADDOCK="$built/paddock" PADDOCK_SHOTS="$shots"
# The display first, so that what the bus starts sees it. Each part has a bus of its own: on one bus a second start
# hands over to the first, which may still be ending.
on_a_display() {
    xvfb-run -a -s '-screen 0 1280x820x24 -nolisten tcp' dbus-run-session -- "$@" 2>"$shots/noise.log"
}
for hand in mouse keyboard; do
    on_a_display sh -c 'openbox 2>&1 >/dev/null & exec node "$1" window "$2"' sh "$root/ui/tests/real/main.js" "$hand"
done
on_a_display /usr/bin/python3 "$here/window.py" "$root" "$shots"
