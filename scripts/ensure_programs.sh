#!/bin/sh
# Every program that is named is there afterwards, or this fails: Debian's package of the same name is installed.
set -eu

missing=
for name in "$@"; do
    command -v "$name" >/dev/null || missing="$missing $name"
done
[ -n "$missing" ] || exit 0

fail() {
    echo "These programs are missing:$missing, and $1. Install them." >&2
    exit 1
}

command -v apt-get >/dev/null || fail "there is no apt-get to install them with"
if [ "$(id -u)" -eq 0 ]; then
    sudo=
else
    sudo -n true 2>/dev/null || fail "installing them needs root"
    sudo=sudo
fi
echo "Installing$missing with apt-get" >&2
{
    # shellcheck disable=SC2086 # one word each
    $sudo apt-get update -q &&
        $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $missing
} >&2 || fail "apt-get could not install them"
for name in $missing; do
    command -v "$name" >/dev/null || fail "$name is still not on the PATH"
done
