#!/bin/sh
# Drives the built desktop program in a real window on a virtual display: the story of ui/tests/real by mouse and
# by keyboard, then tray, notifications, links and the window's life, with stand-ins on a bus of its own. Build
# first: cargo build -p paddock-desktop, the relay, the scripted agent, and ui/dist (or name where they are with
# PADDOCK_BUILT and DIST). Needs what src-tauri/README.md names for tests in a window. `cargo xtask window` runs it.
#   src-tauri/tests/window.sh [DIR FOR PICTURES AND LOGS [mouse|keyboard|around]…]
set -eu
# Longest that a part may take, in seconds; one takes about twenty on an idle machine.
PART_MAX=1200
# Lines of a log that a failure shows.
TAIL=20
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
shots=$(mkdir -p "${1:-$root/target/window}" && cd "${1:-$root/target/window}" && pwd)
[ "$#" -eq 0 ] || shift
[ "$#" -gt 0 ] || set -- mouse keyboard around
rm -f "$shots"/*.log "$shots"/failure-*.png
home=$(mktemp -d)
# Agents outlive programs: end those that this run has left, told by its own directory.
leave() {
    code=$?
    set +e
    for process in /proc/[0-9]*; do
        { tr '\0' ' ' <"$process/cmdline"; } 2>/dev/null | grep -qF "$home/" && kill "${process#/proc/}" 2>/dev/null
    done
    rm -rf "$home" 2>/dev/null
    exit "$code"
}
trap leave EXIT
trap 'exit 143' INT TERM
export HOME="$home/home" TMPDIR="$home/tmp" XDG_RUNTIME_DIR="$home/run"
export WEBKIT_DISABLE_DMABUF_RENDERER=1 NO_AT_BRIDGE=1
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME WAYLAND_DISPLAY PADDOCK_URL PADDOCK_TOKEN
mkdir -p "$HOME/.config" "$HOME/Downloads" "$TMPDIR" "$XDG_RUNTIME_DIR" "$home/bin"
echo 'XDG_DOWNLOAD_DIR="$HOME/Downloads"' >"$HOME/.config/user-dirs.dirs"
chmod 700 "$XDG_RUNTIME_DIR"
built=${PADDOCK_BUILT:-$root/target/debug}
export PADDOCK="$built/paddock" PADDOCK_SHOTS="$shots" DIST="${DIST:-$root/ui/dist}"
# What else a desktop has: a browser of files and an editor, which write down what they are to open.
export OPENED="$home/opened"
for program in xdg-open code; do
    printf '#!/bin/sh\necho "${0##*/} $*" >>"$OPENED"\n' >"$home/bin/$program"
    chmod +x "$home/bin/$program"
done
PATH="$home/bin:$PATH"

# One part of the journeys. The display comes first, so that what the bus starts sees it; then a bus of its own: on
# one bus a second start hands over to the first, which may still be ending; then somebody who gives windows the
# focus, without which no key reaches them.
part() {
    name=$1
    log="$shots/$name.log"
    shift
    code=0
    # What the display and the bus say goes to the log, and what the journeys say to whoever runs this.
    xvfb-run -a -e "$log" -s '-screen 0 1280x820x24 -nolisten tcp -noreset' dbus-run-session -- \
        timeout -k 10 "$PART_MAX" sh -eu -c '
        openbox >/dev/null 2>&1 3>&- &
        tries=0
        until wmctrl -m >/dev/null 2>&1; do
            tries=$((tries + 1))
            [ "$tries" -lt 600 ] || { echo "no window manager came" >&3; exit 1; }
            sleep 0.1
        done
        exec "$@" >&3 3>&-' sh "$@" 3>&1 >>"$log" 2>&1 || code=$?
    [ "$code" -ne 0 ] || return 0
    [ "$code" -ne 124 ] || echo "did not end within $PART_MAX seconds"
    echo "--- the last of $log:"
    tail -n "$TAIL" "$log"
    echo "FAILED: $name (ended with $code); pictures and logs: $shots"
    exit 1
}
for name; do
    case $name in
    around) part around /usr/bin/python3 "$here/window.py" "$built" "$shots" ;;
    *) part "$name" node "$root/ui/tests/real/main.js" window "$name" ;;
    esac
done
