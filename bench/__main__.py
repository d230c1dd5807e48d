"""python -m bench [NAME ...]: one measurement, several, or all."""

import argparse
import importlib

NAMES = (
    *("dispatch", "mcp", "feed", "profile", "flat", "postgres", "web", "statements", "hostile", "lists"),
    *("hooks", "live_wire", "live_pages", "review_diff", "crowd"),
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure, and print the figures.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(NAMES)}; all if none is given")
    parser.add_argument("--rounds", type=int, help="interleaved rounds (each measurement has its own default)")
    arguments = parser.parse_args()
    for name in arguments.names or NAMES:
        if name not in NAMES:
            parser.error(f"{name} is not one of {', '.join(NAMES)}")
        options = {"rounds": arguments.rounds} if arguments.rounds else {}
        importlib.import_module(f"bench.{name}").main(**options)


if __name__ == "__main__":
    main()
