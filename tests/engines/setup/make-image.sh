#!/usr/bin/env bash
# make-image.sh [tiny|full] [TAG]: a container image from Debian's packages, with no container registry.
#
#   tiny  busybox, bash and git on glibc, unpacked with dpkg (no maintainer script, no chroot, no root in
#         the box needed)                                                       → paddock-test:tiny
#   full  a Debian bookworm root file system: apt, bash, git, ca-certificates    → paddock-test:full
#
# Both have a user `agent` (1000:1000) with a home; neither has a server, a published port or Python.
# The root file system is kept as $IMAGE_CACHE/KIND-HASH.tar, where HASH covers this script: a second run
# only imports it, and does nothing when the engine already has that very image.
#
# Environment [default]: DOCKER_SOCK [/var/run/docker.sock]  IMAGE_CACHE [/var/cache/paddock-test]
#   IMAGE_FORCE []  build again
set -euo pipefail

KIND=${1:-tiny}
TAG=${2:-paddock-test:$KIND}
SOCK=${DOCKER_SOCK:-/var/run/docker.sock}
CACHE=${IMAGE_CACHE:-/var/cache/paddock-test}
HASH=$({ cat "${BASH_SOURCE[0]}"; echo "$KIND"; } | sha256sum | cut -c1-12)
TAR=$CACHE/$KIND-$HASH.tar
LABEL=paddock-test.hash
APT=(apt-get -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 -o APT::Sandbox::User=root -qq)
export DEBIAN_FRONTEND=noninteractive

say() { printf 'make-image: %s\n' "$*" >&2; }
engine() { docker -H "unix://$SOCK" "$@"; }

# Runs apt with the package lists it has, and once more with fresh ones.
apt_fresh() { "${APT[@]}" "$@" >/dev/null 2>&1 || { "${APT[@]}" update >/dev/null && "${APT[@]}" "$@" >/dev/null; }; }

# Merged /usr, as Debian has it: the loader is /lib64/ld-linux-*.so.2.
merge_usr() { # ROOT
  local dir
  for dir in bin sbin lib lib64; do
    mkdir -p "$1/usr/$dir"
    if [ -d "$1/$dir" ] && [ ! -L "$1/$dir" ]; then
      cp -a "$1/$dir/." "$1/usr/$dir/"
      rm -rf "${1:?}/$dir"
    fi
    ln -sfn "usr/$dir" "$1/$dir"
  done
}

# Git keeps what clone, fetch, bundle, commit and merge over files and pipes need.
slim() { # ROOT
  local core=$1/usr/lib/git-core
  rm -rf "$1"/usr/share/{doc,man,locale,lintian,info,bug,doc-base,bash-completion,perl5,initramfs-tools,menu,gitweb,git-core/contrib} \
    "$1"/usr/lib/*-linux-gnu/{gconv,audit} "$1"/usr/lib/{locale,mime} "$1"/var "$1"/etc/skel
  find "$core" -mindepth 1 -maxdepth 1 \( -name 'git-remote-*' -o -name 'git-http-*' -o -name git-imap-send \
    -o -name git-daemon -o -name git-add--interactive -o -name git-instaweb -o -name git-shell -o -name scalar \
    -o -name mergetools \) -exec rm -rf {} +
  find "$core" -type f -size +3000k -name git -exec ln -sf ../../bin/git {} \;
  rm -f "$1"/usr/bin/{scalar,git-shell}
}

furnish() { # ROOT
  mkdir -p "$1"/{dev,proc,sys,run,tmp,root,etc,home/agent,var/tmp,var/log,usr/local/bin}
  chmod 1777 "$1/tmp" "$1/var/tmp"
  chmod 700 "$1/root"
  printf 'root:x:0:0:root:/root:/bin/bash\nagent:x:1000:1000:agent:/home/agent:/bin/bash\nnobody:x:65534:65534:nobody:/:/bin/false\n' >"$1/etc/passwd"
  printf 'root:x:0:\nagent:x:1000:\nnogroup:x:65534:\n' >"$1/etc/group"
  printf 'passwd: files\ngroup: files\nhosts: files dns\n' >"$1/etc/nsswitch.conf"
  chown 1000:1000 "$1/home/agent"
}

build_tiny() { # OUT
  local root=$WORK/root deb applet
  # The C++ library is for agents on Node; every Debian has it.
  local packages=(busybox-static bash git libc6 libstdc++6 libgcc-s1 libtinfo6 libpcre2-8-0 zlib1g)
  mkdir -p "$WORK/deb" "$root"
  (cd "$WORK/deb" && apt_fresh download "${packages[@]}" libc-bin ca-certificates)
  # Of libc-bin only the locale C.UTF-8: agents set it, and bash complains where it is missing.
  dpkg -x "$WORK"/deb/libc-bin_*.deb "$WORK/libc-bin"
  rm "$WORK"/deb/libc-bin_*.deb
  # Of ca-certificates only the one file that everybody reads.
  dpkg -x "$WORK"/deb/ca-certificates_*.deb "$WORK/ca"
  rm "$WORK"/deb/ca-certificates_*.deb
  for deb in "$WORK"/deb/*.deb; do dpkg -x "$deb" "$root"; done
  merge_usr "$root"
  slim "$root"
  mkdir -p "$root/usr/lib/locale"
  cp -a "$WORK/libc-bin/usr/lib/locale/C.utf8" "$root/usr/lib/locale/"
  furnish "$root"
  mkdir -p "$root/etc/ssl/certs"
  cat "$WORK"/ca/usr/share/ca-certificates/mozilla/*.crt >"$root/etc/ssl/certs/ca-certificates.crt"
  for applet in $("$root/usr/bin/busybox" --list); do
    [ -e "$root/usr/bin/$applet" ] || [ -e "$root/usr/sbin/$applet" ] || ln -s busybox "$root/usr/bin/$applet"
  done
  tar -C "$root" --sort=name --mtime=@0 --numeric-owner -cf "$1" .
}

build_full() { # OUT
  local path options=()
  command -v mmdebstrap >/dev/null || apt_fresh install -y --no-install-recommends mmdebstrap
  # The machine's own package sources, one line each, as mmdebstrap reads them.
  apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT)' 'Identifier: Packages' 2>/dev/null |
    awk '{print "deb "$1"/ "$2" "$3}' | sort -u >"$WORK/sources.list"
  for path in man locale doc info lintian; do options+=(--dpkgopt="path-exclude=/usr/share/$path/*"); done
  TMPDIR=$WORK mmdebstrap --quiet --mode=root --variant=apt --include=git,ca-certificates,procps "${options[@]}" \
    --aptopt='APT::Install-Recommends "false"' --aptopt='Acquire::Languages "none"' \
    --customize-hook='chroot "$1" useradd --create-home --uid 1000 --shell /bin/bash agent' \
    bookworm "$1" - <"$WORK/sources.list"
}

case $KIND in
  tiny | full) ;;
  *) say "unknown kind $KIND: tiny or full"; exit 2 ;;
esac
engine version >/dev/null 2>&1 || { say "no engine answers on $SOCK: run start-docker.sh first"; exit 1; }

if [ -z "${IMAGE_FORCE:-}" ] &&
  [ "$(engine image inspect -f "{{index .Config.Labels \"$LABEL\"}}" "$TAG" 2>/dev/null)" = "$HASH" ]; then
  say "$TAG is up to date"
  exit 0
fi

mkdir -p "$CACHE"
WORK=$(mktemp -d)
PART=$CACHE/.part-$$.tar
trap 'rm -rf "$WORK" "$PART"' EXIT
if [ -n "${IMAGE_FORCE:-}" ] || [ ! -s "$TAR" ]; then
  say "building the $KIND root file system"
  "build_$KIND" "$PART"
  mv "$PART" "$TAR"
fi
engine import -c 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' \
  -c "LABEL $LABEL=$HASH" -c 'CMD ["/bin/sh"]' "$TAR" "$TAG" >/dev/null
say "$TAG is ready: $(engine image inspect -f '{{.Size}}' "$TAG") bytes"
