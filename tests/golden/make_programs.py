"""Stores what PyTorch answers to the programs of ``tests/autograd/programs``: run with a Python that has PyTorch.

usage, from the project's root: PYTHONPATH=. python tests/golden/make_programs.py
"""

from __future__ import annotations

import json
from pathlib import Path

import torch
import torch.autograd.forward_ad
import torch.func
import torch.utils.checkpoint

from tests.autograd.programs import outcome, programs

TARGET = Path(__file__).parent / "programs.json"

if __name__ == "__main__":
    torch.set_warn_always(True)
    answers = {name: outcome(torch, program) for name, program in programs().items()}
    TARGET.write_text(json.dumps({"torch": torch.__version__, "answers": answers}, indent=1, ensure_ascii=False) + "\n")
    print(f"{len(answers)} programs, {sum('error' in a for a in answers.values())} of them end with an error")
