"""Where the content lives on disk."""

from __future__ import annotations

from pathlib import Path

#: The folder with concept cards, questions and example programs.
ASSETS = Path(__file__).resolve().parent.parent / "assets"
CONCEPTS = ASSETS / "concepts"
QUESTIONS = ASSETS / "questions"
EXAMPLES = ASSETS / "examples"
