#!/bin/sh
# Runs the tests of `secrets` that need a keychain: with a real gnome-keyring that is unlocked, and on a
# session bus without one. Needs dbus, gnome-keyring and cargo. Leaves nothing behind.
#   src-tauri/tests/keychain.sh
set -eu
cd "$(dirname "$0")/../.."
programs=$(cargo test -q -p paddock-secrets --lib --no-run --message-format=json |
    sed -n 's/.*"executable":"\([^"]*paddock_secrets-[^"]*\)".*/\1/p' | tail -1)
[ -x "$programs" ]
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
export HOME="$home" XDG_DATA_HOME="$home/data" XDG_RUNTIME_DIR="$home/run" PROGRAM="$programs"
mkdir -p "$XDG_DATA_HOME" "$XDG_RUNTIME_DIR"
chmod 700 "$XDG_RUNTIME_DIR"
unset DISPLAY WAYLAND_DISPLAY 2>/dev/null || true

echo "with a keychain:"
dbus-run-session -- sh -eu -c '
    printf words | gnome-keyring-daemon --unlock --components=secrets --foreground >/dev/null 2>&1 &
    daemon=$!
    for _ in $(seq 100); do
        gdbus call --session -d org.freedesktop.DBus -o /org/freedesktop/DBus \
            -m org.freedesktop.DBus.NameHasOwner org.freedesktop.secrets 2>/dev/null | grep -q true && break
        sleep 0.1
    done
    "$PROGRAM" --ignored --exact contract::the_keychain_keeps_the_contract \
        open::tests::a_keychain_that_works_is_taken_and_stays_the_vault
    kill "$daemon"'

# A bus on which nothing is started, and what it lets through.
bus() {
    cat <<CONF
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow own="*"/>$1</policy></busconfig>
CONF
}
missed=open::tests::where_no_keychain_keeps_anything_the_file_does_and_a_chosen_keychain_is_missed
echo "without one:"
bus '<allow eavesdrop="true"/>' >"$home/bus.conf"
dbus-run-session --config-file="$home/bus.conf" -- "$PROGRAM" --ignored --exact "$missed"
echo "on a bus that never answers:"
bus '' >"$home/silent.conf"
dbus-run-session --config-file="$home/silent.conf" -- "$PROGRAM" --ignored --exact "$missed" 2>/dev/null
echo "without a bus:"
DBUS_SESSION_BUS_ADDRESS=unix:path="$home/nothing" "$PROGRAM" --ignored --exact "$missed"
