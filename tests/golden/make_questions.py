"""Write what PyTorch computes for the computed questions: tests/golden/questions.json.

usage: PYTHON tests/golden/make_questions.py      (a Python with PyTorch)

For each computed question every combination of its parameters is run, program and expressions, as ``course.variants``
does on our engine. The file maps the question's id to a list of ``{"parameters", "values"}``; run the script again when
a computed question is added or changed.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import re
import tomllib
import warnings
from pathlib import Path
from typing import Any

from make_examples import value_of

HERE = Path(__file__).resolve().parent
QUESTIONS = HERE.parents[1] / "assets" / "questions"
PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")


def substitute(text: str, names: dict[str, str]) -> str:
    """``text`` with the parameters put in; other braces stay."""
    return PLACEHOLDER.sub(lambda match: names.get(match[1], match[0]), text)


def numbers(value: Any) -> Any:
    """A value reduced to what a question shows of it: the numbers of a tensor, or the plain value."""
    if isinstance(value, dict):
        return numbers(value["data"] if "data" in value else value["items"])
    if isinstance(value, list):
        return [numbers(item) for item in value]
    return value


def computed(question: dict[str, Any]) -> list[dict[str, Any]]:
    """PyTorch's values for each combination of a question's parameters."""
    out = []
    parameters: dict[str, list[Any]] = question.get("parameters", {})
    for combination in itertools.product(*parameters.values()):
        given = dict(zip(parameters, combination, strict=True))
        literals = {name: value if isinstance(value, str) else repr(value) for name, value in given.items()}
        namespace: dict[str, Any] = {"__name__": "__main__"}
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(substitute(question["code"], literals), namespace)
            for name, expression in question["compute"].items():
                exec(f"{name} = {substitute(expression, literals)}", namespace)
        values = {name: numbers(value_of(namespace[name])) for name in question["compute"]}
        out.append({"parameters": given, "values": values})
    return out


def main() -> None:
    golden = {
        question["id"]: computed(question)
        for path in sorted(QUESTIONS.glob("*.toml"))
        for question in tomllib.loads(path.read_text(encoding="utf-8"))["question"]
        if "compute" in question
    }
    lines = [f"{json.dumps(name)}: {json.dumps(one, allow_nan=False)}" for name, one in golden.items()]
    (HERE / "questions.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(len(golden), "questions")


if __name__ == "__main__":
    main()
