"""``python -m course stats --json`` counts the content; ``python -m course check [SLUG ...]`` finds its faults."""

from __future__ import annotations

import argparse
import json
import sys

from course.check import check
from course.concepts import SLUGS
from course.schema import ContentError
from course.stats import stats


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit status: 0 when all is well, 1 for faults in the content."""
    parser = argparse.ArgumentParser(prog="python -m course", description="The course's content, counted and checked.")
    commands = parser.add_subparsers(dest="command", required=True)
    counting = commands.add_parser("stats", help="count concepts and questions")
    counting.add_argument("--json", action="store_true", help="as one JSON object")
    checking = commands.add_parser("check", help="name the file and the field of each fault")
    checking.add_argument("slug", nargs="*", metavar="SLUG", help="only these concepts")
    options = parser.parse_args(arguments)
    if options.command == "stats":
        return _stats(as_json=options.json)
    unknown = sorted(set(options.slug) - set(SLUGS))
    if unknown:
        checking.error(f"no such concept: {', '.join(unknown)}")
    return _check(options.slug)


def _stats(*, as_json: bool) -> int:
    try:
        counted = stats()
    except ContentError as error:
        print(error, file=sys.stderr)
        return 1
    if as_json:
        print(json.dumps(counted))
    else:
        for name, value in counted.items():
            print(f"{name.replace('_', ' ')}: {value}")
    return 0


def _check(slugs: list[str]) -> int:
    faults = check(slugs)
    for fault in faults:
        print(fault)
    print(f"{len(faults)} fault{'' if len(faults) == 1 else 's'} found", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
