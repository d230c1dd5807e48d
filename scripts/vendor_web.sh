#!/bin/sh
# Fetch what the pages use from npm, by name and version, into the package; run it again to renew.
# Nothing of it runs at release: what it writes is committed.
set -eu

HTMX=4.0.0
LUCIDE=1.62.0
INTER=5.3.0
JETBRAINS=5.3.0
AXE=4.14.0

root=$(cd "$(dirname "$0")/.." && pwd)
static=$root/src/pendesk/transports/web/static
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fetch() { # NAME VERSION FOLDER
    mkdir -p "$work/$3"
    file=$(cd "$work" && npm pack --silent "$1@$2")
    tar xzf "$work/$file" -C "$work/$3" --strip-components 1
}

fetch htmx.org $HTMX htmx
fetch lucide-static $LUCIDE lucide
fetch @fontsource-variable/inter $INTER inter
fetch @fontsource-variable/jetbrains-mono $JETBRAINS jetbrains
fetch axe-core $AXE axe

mkdir -p "$static/vendor" "$static/fonts" "$static/licences" "$root/tests/e2e/vendor"
cp "$work/htmx/dist/htmx.min.js" "$static/vendor/htmx.min.js"
for part in latin latin-ext; do
    cp "$work/inter/files/inter-$part-wght-normal.woff2" "$static/fonts/inter-$part.woff2"
    cp "$work/jetbrains/files/jetbrains-mono-$part-wght-normal.woff2" "$static/fonts/jetbrains-mono-$part.woff2"
done
cp "$work/axe/axe.min.js" "$root/tests/e2e/vendor/axe.min.js"
for name in htmx lucide inter jetbrains; do
    cp "$work/$name/LICENSE" "$static/licences/$name.txt"
done
cp "$work/axe/LICENSE" "$root/tests/e2e/vendor/axe-licence.txt"

# One sprite with the icons that templates and scripts name, and no others.
python3 "$root/scripts/icon_sprite.py" "$work/lucide/icons" "$static/icons.svg" <"$static/icons.txt"
