#!/bin/sh
# Builds the wheel and installs it as people do, each in an empty home: `uv tool install`, and `pipx install` where there
# is a pipx. Then the installed command creates a workspace, loads the sample, serves a page and finds nothing wrong.
# Usage: scripts/check_install.sh [DIR for the wheel, by default dist]
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
dist=${1:-$root/dist}
python=${PYTHON:-$root/.venv/bin/python}
uv=${UV:-$(dirname "$python")/uv}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir -p "$dist"
rm -f "$dist"/pendesk-*.whl
"$python" -m pip wheel -qq --no-deps --no-build-isolation --wheel-dir "$dist" "$root"
wheel=$(echo "$dist"/pendesk-*.whl)
echo "built $wheel ($(wc -c <"$wheel") bytes)"

# Runs "$1" (the installed pendesk) with nothing of this repository in its environment.
try() {
    data=$work/data-$2
    clean="env -i HOME=$work PATH=/usr/bin:/bin PENDESK_DATA=$data"
    cd "$work"
    $clean "$1" init >/dev/null
    $clean "$1" demo >/dev/null
    $clean "$1" serve --port 0 --json >"$work/$2.url" 2>"$work/$2.log" &
    server=$!
    until [ -s "$work/$2.url" ]; do
        kill -0 $server 2>/dev/null || { cat "$work/$2.log"; exit 1; }
        sleep 0.2
    done
    url=$(sed 's/.*"url": "\([^"]*\)".*/\1/' "$work/$2.url")
    curl -fsS "$url"sign-in | grep -q "Sign in"
    curl -fsS "$url$(curl -fsS "$url"sign-in | grep -o '[a-z/]*static/[^"]*\.css' | head -1 | sed 's#^/##')" >/dev/null
    $clean "$1" doctor >"$work/$2.doctor" || { grep -A1 '^[A-Z]' "$work/$2.doctor"; kill $server; exit 1; }
    kill $server
    wait $server || true
    echo "$2: $($clean "$1" --version) runs"
}

UV_TOOL_DIR=$work/uv-tools UV_TOOL_BIN_DIR=$work/uv-bin "$uv" tool install -q "$wheel"
try "$work/uv-bin/pendesk" uv
if command -v pipx >/dev/null; then
    PIPX_HOME=$work/pipx PIPX_BIN_DIR=$work/pipx-bin pipx install -q "$wheel"
    try "$work/pipx-bin/pendesk" pipx
fi
