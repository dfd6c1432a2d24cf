"""Write the golden values for modules and optimizers: what PyTorch 2.13 gives for each.

python tests/golden/make_nn.py     # under an interpreter that has torch; the tests need none
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import torch

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "autograd" / "nn"))
sys.path.insert(0, str(HERE.parent / "autograd" / "optim"))

from cases import CASES  # noqa: E402
from evaluate import run  # noqa: E402
from programs import PROGRAMS, output  # noqa: E402
from trajectories import OPTIMIZERS, SCHEDULES, schedule, trajectory  # noqa: E402


def plain(value: Any) -> Any:
    """JSON for a value: floats rounded to what tests compare, nan and the infinities as strings."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, float):
        return float(f"{value:.13g}") if value - value == 0 else str(value)
    return value


def write(name: str, entries: dict[str, Any]) -> None:
    """One entry a line, so that a change shows where it is."""
    lines = [f"{json.dumps(key)}: {json.dumps(plain(value), separators=(',', ':'))}" for key, value in entries.items()]
    (HERE / "nn" / f"{name}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


def main() -> None:
    (HERE / "nn").mkdir(exist_ok=True)
    write("modules", {case.id: run(case, torch, torch.nn) for case in CASES})
    write("programs", {name: output(source, torch) for name, source in PROGRAMS.items()})
    write("optimizers", {text: trajectory(text, torch) for text in OPTIMIZERS})
    write("schedules", {text: schedule(text, torch) for text in SCHEDULES})


if __name__ == "__main__":
    main()
