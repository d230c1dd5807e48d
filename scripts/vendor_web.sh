#!/bin/sh
# Fetch what the pages use from npm, by name and version, into the package; run it again to renew.
# Nothing of it runs at release: what it writes is committed.
set -eu

HTMX=4.0.0
LUCIDE=1.62.0
INTER=5.3.0
JETBRAINS=5.3.0
AXE=4.14.0
FONTTOOLS=4.68.0
BROTLI=1.2.1

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

# What every page needs of a font is a quarter of it: the letters of English, in the weights that the style sheet names.
# Accents are a file of their own, and so are the letters beyond them; a browser loads each when a page has one of them.
python3 -m venv "$work/tools"
"$work/tools/bin/pip" install --quiet "fonttools==$FONTTOOLS" "brotli==$BROTLI"
BASIC=U+0020-007E,U+00A0,U+00B7,U+00D7,U+2013,U+2014,U+2018,U+2019,U+201C,U+201D,U+2022,U+2026,U+2191,U+2193,U+2212
ACCENTS=U+00A1-00B6,U+00B8-00D6,U+00D8-00FF,U+0131,U+0152-0153,U+02C6,U+02DA,U+02DC,U+2000-2012,U+2015,U+201A,U+201E,U+2030,U+2039-203A,U+20AC,U+2122

subset() { # FONT LETTERS NAME
    "$work/tools/bin/fonttools" varLib.instancer --quiet "$1" wght=400:700 --output "$work/font.ttf"
    "$work/tools/bin/pyftsubset" "$work/font.ttf" --unicodes="$2" --layout-features=kern,tnum,mark,mkmk,ccmp,locl,case \
        --no-hinting --flavor=woff2 --output-file="$static/fonts/$3.woff2"
}

for font in inter/files/inter jetbrains/files/jetbrains-mono; do
    name=$(basename "$font")
    subset "$work/$font-latin-wght-normal.woff2" "$BASIC" "$name-latin"
    subset "$work/$font-latin-wght-normal.woff2" "$ACCENTS" "$name-latin-accents"
    subset "$work/$font-latin-ext-wght-normal.woff2" "*" "$name-latin-ext"
done
cp "$work/axe/axe.min.js" "$root/tests/e2e/vendor/axe.min.js"
for name in htmx lucide inter jetbrains; do
    cp "$work/$name/LICENSE" "$static/licences/$name.txt"
done
cp "$work/axe/LICENSE" "$root/tests/e2e/vendor/axe-licence.txt"

# One sprite with the icons that templates and scripts name, and no others.
python3 "$root/scripts/icon_sprite.py" "$work/lucide/icons" "$static/icons.svg" <"$static/icons.txt"
