"""``python -m benchmarks [NAME ...]`` runs the named benchmarks (all without a name) and prints one JSON object."""

from __future__ import annotations

import importlib
import json
import os
import platform
import sys
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when NumPy is loaded: both sides of a ratio use one thread

import numpy as np

FOLDER = Path(__file__).parent
NAMES = sorted(path.stem for path in FOLDER.glob("*.py") if not path.stem.startswith("_"))


def main(names: list[str]) -> int:
    """Run the benchmarks; the exit status is 2 for an unknown name."""
    unknown = [name for name in names if name not in NAMES]
    if unknown:
        print(f"no benchmark called {', '.join(unknown)}; there are: {', '.join(NAMES)}", file=sys.stderr)
        return 2
    report: dict[str, object] = {
        "machine": {"python": platform.python_version(), "numpy": np.__version__, "processor": platform.machine()}
    }
    for name in names or NAMES:
        print(f"running {name} ...", file=sys.stderr)
        report[name] = importlib.import_module(f"benchmarks.{name}").run()
    json.dump(report, sys.stdout, indent=2)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
