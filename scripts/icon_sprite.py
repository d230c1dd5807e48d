"""Write one SVG sprite from a folder of lucide icons: icon_sprite.py FOLDER OUT, the names on stdin."""

import re
import sys
from pathlib import Path

folder, out = Path(sys.argv[1]), Path(sys.argv[2])
names = sorted({line.strip() for line in sys.stdin if line.strip()})
symbols = []
for name in names:
    body = re.search(r"<svg[^>]*>(.*)</svg>", (folder / f"{name}.svg").read_text(), re.S)
    assert body is not None, name
    shapes = re.sub(r"\s+", " ", body[1]).strip().replace("> <", "><")
    symbols.append(f'<symbol id="{name}" viewBox="0 0 24 24">{shapes}</symbol>')
out.write_text('<svg xmlns="http://www.w3.org/2000/svg">\n' + "\n".join(symbols) + "\n</svg>\n")
print(f"{len(names)} icons, {out.stat().st_size} bytes")
