#!/bin/sh
# Print the path of a Chromium that starts; install Debian's if there is none. Everything else goes to stderr.
set -eu

find_chromium() {
    for name in "${PENDESK_CHROMIUM:-}" chromium chromium-browser google-chrome; do
        # --version, because Ubuntu's chromium-browser can be a stub that only asks for snap.
        if path=$(command -v "$name") && "$path" --version >/dev/null 2>&1; then
            echo "$path"
            return
        fi
    done
    return 1
}

fail() {
    echo "No Chromium found, and $1. Install it, or set PENDESK_CHROMIUM to its path." >&2
    exit 1
}

find_chromium && exit

command -v apt-get >/dev/null || fail "there is no apt-get to install it with"
if [ "$(id -u)" -eq 0 ]; then
    sudo=
else
    sudo -n true 2>/dev/null || fail "installing it needs root"
    sudo=sudo
fi
echo "Installing Chromium with apt-get" >&2
{
    $sudo apt-get update -q &&
        $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends chromium
} >&2 || fail "apt-get could not install it"
find_chromium || fail "the installed one does not start"
