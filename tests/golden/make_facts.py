"""Stores what PyTorch answers to the facts of ``tests/autograd/facts``: run with a Python that has PyTorch.

usage, from the project's root: PYTHONPATH=. python tests/golden/make_facts.py
"""

from __future__ import annotations

import json
from pathlib import Path

import torch
import torch.autograd.forward_ad
import torch.func
import torch.utils.checkpoint
import torch.utils.data

from tests.autograd.facts import answer, facts

TARGET = Path(__file__).parent / "facts.json"

if __name__ == "__main__":
    torch.set_warn_always(True)
    answers = {name: answer(torch, source) for name, source in facts().items()}
    TARGET.write_text(json.dumps(answers, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{len(answers)} facts, {sum('error' in a for a in answers.values())} of them end with an error")
