#!/usr/bin/env bash
# start-docker.sh: a real Docker Engine on a bare Debian 12 machine, started by hand.
#
#   start-docker.sh          install what is missing, start, wait until it answers
#   start-docker.sh stop     stop the engine that this script started (its containers stop with it)
#   start-docker.sh status   exit 0 when an engine answers, print its version
#
# Needs root and Debian's packages; no systemd, no container registry, no kernel module.
# Idempotent: an engine that already answers on the socket is left alone.
#
# Environment [default]:
#   DOCKER_SOCK [/var/run/docker.sock]  DOCKERD_ROOT [/var/lib/docker]  DOCKERD_RUN [/var/run/docker]
#   DOCKERD_PID [/var/run/docker.pid]   DOCKERD_LOG [/var/log/dockerd.log]
#   DOCKERD_ARGS []  more options for dockerd, for example "--live-restore"
#
# A second engine beside a first one: give it all five paths and "--bridge=NAME --iptables=false" with a
# bridge of its own. Not "--bridge=none": such an engine deletes docker0 under the first one's feet.
set -euo pipefail

SOCK=${DOCKER_SOCK:-/var/run/docker.sock}
ROOT=${DOCKERD_ROOT:-/var/lib/docker}
RUN=${DOCKERD_RUN:-/var/run/docker}
PID_FILE=${DOCKERD_PID:-/var/run/docker.pid}
LOG=${DOCKERD_LOG:-/var/log/dockerd.log}
START_TENTHS=300
STOP_TENTHS=200

say() { printf 'start-docker: %s\n' "$*" >&2; }
die() {
  say "$*"
  if [ -f "$LOG" ]; then tail -n 20 "$LOG" >&2; fi
  exit 1
}

version() { timeout 5 docker -H "unix://$SOCK" version --format '{{.Server.Version}}' 2>/dev/null; }

# Is PID a live process called NAME, and not its zombie?
alive() { # PID NAME
  [ -n "${1:-}" ] && [ "$(cat "/proc/$1/comm" 2>/dev/null)" = "$2" ] &&
    ! grep -q '^State:[[:space:]]*Z' "/proc/$1/status" 2>/dev/null
}

# dockerd trusts a pid file whose pid exists, even when that is a zombie or another program: after
# a hard kill it waits half a minute and fails with "timeout waiting for containerd to start".
clear_stale() { # FILE NAME
  if [ -s "$1" ] && ! alive "$(cat "$1")" "$2"; then rm -f "$1"; fi
}

install_missing() {
  local program missing=
  for program in dockerd containerd runc iptables docker; do
    command -v "$program" >/dev/null || missing=1
  done
  if [ -z "$missing" ]; then return 0; fi
  command -v apt-get >/dev/null || die 'dockerd is missing and this is not a Debian machine: install Docker Engine'
  say 'installing docker.io'
  export DEBIAN_FRONTEND=noninteractive
  local apt=(apt-get -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 -qq)
  local install=("${apt[@]}" install -y --no-install-recommends docker.io iptables)
  "${install[@]}" >/dev/null 2>&1 || { "${apt[@]}" update >/dev/null && "${install[@]}" >/dev/null; }
}

launch() {
  rm -f "$SOCK"
  # Descriptor 9 is our lock: an engine that inherited it would hold it for ever.
  # shellcheck disable=SC2086
  setsid nohup dockerd -H "unix://$SOCK" --data-root "$ROOT" --exec-root "$RUN" --pidfile "$PID_FILE" \
    --storage-driver overlay2 --exec-opt native.cgroupdriver=cgroupfs \
    --default-address-pool base=172.28.0.0/14,size=24 \
    --log-opt max-size=10m --log-opt max-file=2 --log-level warn --shutdown-timeout 3 \
    ${DOCKERD_ARGS:-} </dev/null >>"$LOG" 2>&1 9>&- &
}

# Newer kernels count block I/O under cgroup v1 only once some cgroup has a throttle rule for the
# disk. A rule far above any disk makes the engine's block statistics non-empty. Best effort.
count_block_io() {
  local disk way
  disk=$(findmnt -nro MAJ:MIN -T "$ROOT" 2>/dev/null || true)
  if [ -z "$disk" ] || [ ! -d /sys/fs/cgroup/blkio ]; then return 0; fi
  mkdir -p /sys/fs/cgroup/blkio/docker || return 0
  for way in read write; do
    { echo "$disk 1099511627776" >"/sys/fs/cgroup/blkio/docker/blkio.throttle.${way}_bps_device"; } 2>/dev/null || true
  done
}

start() {
  local v i
  if v=$(version); then say "already up: $v on $SOCK"; return 0; fi
  [ "$(id -u)" = 0 ] || die 'no engine answers, and only root can start one: run this as root'
  install_missing
  grep -q ' cgroup2\? ' /proc/mounts || die 'no cgroup file system is mounted: mount one on /sys/fs/cgroup'
  mkdir -p "$ROOT" "$RUN" "$(dirname "$LOG")"
  exec 9>"$RUN/start.lock"
  flock 9
  if v=$(version); then say "already up: $v on $SOCK"; return 0; fi
  clear_stale "$PID_FILE" dockerd
  clear_stale "$RUN/containerd/containerd.pid" containerd
  if [ ! -s "$PID_FILE" ]; then launch; fi
  for ((i = 0; i < START_TENTHS; i++)); do
    if v=$(version); then count_block_io; say "up: $v on $SOCK"; return 0; fi
    sleep 0.1
  done
  die "dockerd did not answer within $((START_TENTHS / 10)) s; its last lines follow ($LOG)"
}

stop() {
  local pid i
  pid=$(cat "$PID_FILE" 2>/dev/null || true)
  if ! alive "$pid" dockerd; then say 'not running'; return 0; fi
  kill "$pid"
  for ((i = 0; i < STOP_TENTHS; i++)); do
    alive "$pid" dockerd || { say 'stopped'; return 0; }
    sleep 0.1
  done
  die "dockerd $pid did not stop within $((STOP_TENTHS / 10)) s"
}

case "${1:-start}" in
  start) start ;;
  stop) stop ;;
  status) version || exit 1 ;;
  *) say "usage: $0 [start|stop|status]"; exit 2 ;;
esac
