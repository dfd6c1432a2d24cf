"""Write the golden values of the table of cases: what PyTorch 2.13 gives for each.

python tests/golden/make_ops.py [family ...]     # under an interpreter that has torch; the tests need none
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "autograd" / "ops"))

from cases import FAMILIES, Case  # noqa: E402
from cases.evaluate import evaluate  # noqa: E402
from cases.saves import saves  # noqa: E402

DIGITS = {"float16": 5, "float32": 9, "float64": 14}


def plain(value: Any) -> Any:
    """JSON for a value: arrays as nested lists, nan and the infinities as strings."""
    if isinstance(value, np.ndarray):
        digits = DIGITS.get(value.dtype.name, 17)
        return nested(value.tolist(), digits)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return nested(value, 14)


def nested(value: Any, digits: int) -> Any:
    if isinstance(value, list):
        return [nested(item, digits) for item in value]
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            return str(value)
        rounded = float(f"{value:.{digits}g}")
        return int(rounded) if rounded == int(rounded) and abs(rounded) < 1e6 else rounded
    return value


def golden(case: Case) -> dict[str, Any]:
    torch.manual_seed(0)
    outcome = evaluate(torch, case)
    if outcome.get("error", "no") is None:
        raise SystemExit(f"does not raise under PyTorch: {case.id}")
    return {key: plain(value) if key != "results" else [plain(r) for r in value] for key, value in outcome.items()}


def write_saves() -> None:
    """What the nodes of recorded results keep, for one case of each expression."""
    lines, seen = [], set()
    for case in (case for cases in FAMILIES.values() for case in cases):
        if case.raises or case.expression in seen or ".clone()" in case.expression or "lambda" in case.expression:
            continue
        found = saves(torch, case)
        if found is not None:
            seen.add(case.expression)
            lines.append(f"{json.dumps(case.id)}: {json.dumps(found)}")
    (HERE / "ops" / "saves.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print("saves", len(lines))


def main() -> None:
    for family in sys.argv[1:] or FAMILIES:
        lines, faults = [], []
        for case in FAMILIES[family]:
            try:
                lines.append(f"{json.dumps(case.id)}: {json.dumps(golden(case), separators=(',', ':'))}")
            except Exception as error:
                faults.append(f"{case.id}\n    {type(error).__name__}: {str(error)[:300]}")
        (HERE / "ops").mkdir(exist_ok=True)
        (HERE / "ops" / f"{family}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        print(family, len(lines), *faults, sep="\n  ")
    write_saves()


if __name__ == "__main__":
    main()
