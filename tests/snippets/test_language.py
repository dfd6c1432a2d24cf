"""The Python that a snippet may be written in, feature by feature: it runs, and gives what Python gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.snippets.conftest import Runner
from tests.snippets.features import FEATURES

EVERYDAY = dict(
    part.split("\n", 1)
    for part in (Path(__file__).parent / "everyday.txt").read_text(encoding="utf-8").split("#### ")[1:]
)


@pytest.mark.parametrize("name", EVERYDAY)
def test_everyday_program(name: str, run: Runner) -> None:
    result = run(EVERYDAY[name])
    assert result.error is None, result.error
    assert result.stdout == printed_by_python(EVERYDAY[name])


@pytest.mark.parametrize("feature", FEATURES)
def test_feature(feature: str, run: Runner) -> None:
    source = FEATURES[feature]
    result = run(source)
    assert result.error is None, result.error
    assert result.stdout == printed_by_python(source)


def printed_by_python(source: str) -> str:
    """What Python itself prints for the same program (with the engine for torch)."""
    import contextlib
    import io
    import sys
    import types

    from snippets.torch_api import torch

    main = types.ModuleType("__main__")
    saved = {name: sys.modules.get(name) for name in ("torch", "__main__")}
    sys.modules.update(torch=torch, __main__=main)
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(source, "<python>", "exec", dont_inherit=True), vars(main))
    finally:
        for name, module in saved.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module
    return out.getvalue()


REFUSED = {
    "async def": ("x = 1\nasync def f():\n    pass\n", 2, "ordinary function"),
    "await": ("def f():\n    return 1\nasync def g():\n    await f()\n", 3, "ordinary function"),
    "except*": ("try:\n    pass\nexcept* ValueError:\n    pass\n", 1, "use except"),
    "dunder attribute": ("x = 1\ny = x.__dict__\n", 2, "getattr"),
    "dunder attribute set": ("class A:\n    pass\nA.__name__ = 'B'\n", 3, "leave it"),
    "frame": ("g = (x for x in [])\ng.gi_frame\n", 2, "take it out"),
    "metaclass": ("class M(metaclass=type):\n    pass\n", 1, "decorator"),
    "special method": ("class A:\n    def __del__(self):\n        pass\n", 2, "context manager"),
    "open": ("x = 1\nopen('file')\n", 2, "write the data into the program"),
    "input": ("x = input()\n", 1, "at the top"),
    "eval": ("x = eval('1')\n", 1, "expression itself"),
    "exec": ("exec('x = 1')\n", 1, "statements themselves"),
    "globals": ("globals()\n", 1, "by their names"),
    "changing a module": ("import math\nmath.pi = 3\n", 2, "variable of your own"),
    "changing a class of the library": ("import torch\ntorch.Tensor.x = 3\n", 2, "class or a variable of your own"),
    "private attribute": ("import torch\nx = torch.tensor(1.0)\nx._storage\n", 3, "public names"),
    "file of an array": ("import numpy as np\nnp.zeros(2).tofile('x')\n", 2, "tolist()"),
    "print to a file": ("print(1, file=3)\n", 1, "leave file= out"),
    "type with three arguments": ("type('A', (), {})\n", 1, "class statement"),
    "array over a buffer": ("import numpy as np\nnp.ndarray((1,), object, bytearray(8))\n", 2, "frombuffer()"),
    "subclass of an array": ("import numpy as np\nclass A(np.ndarray):\n    pass\n", 2, "in an attribute"),
    "resize of shared memory": ("import numpy as np\nnp.zeros(2).resize(1, refcheck=False)\n", 2, "reshape()"),
    "name of a namespace": ("import types\ntypes.SimpleNamespace(**{'__a__': 1})\n", 2, "plain name"),
    "position of a generator": (
        "import numpy as np\ng = np.random.default_rng(0).bit_generator\ng.state = {}\n",
        3,
        "choose another name",
    ),
    "type of a function": ("F = type(lambda: 0)\nF(1, {})\n", 2, "write it as Python has it"),
    "dataclass of the library": (
        "import torch\nfrom dataclasses import dataclass\ndataclass(torch.Size)\n",
        3,
        "of your own",
    ),
    "attrgetter": ("from operator import attrgetter\nattrgetter('x._y')\n", 2, "lambda"),
    "array of a tensor": ("import torch\nx = torch.ones(1)\nx.array = 3\n", 3, ".data"),
    "buffer of objects": ("import numpy as np\nnp.frombuffer(np.array([None]), int)\n", 2, "tolist()"),
    "builtins": ("__builtins__\n", 1, "by their names"),
    "class of a pattern": ("x = 1\nmatch x:\n    case x._y():\n        pass\n", 3, "compare in a guard"),
    "value of a pattern": ("x = 1\nmatch x:\n    case x.format:\n        pass\n", 3, "compare in a guard"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refusal_says_where_and_what_to_do_instead(case: str, run: Runner) -> None:
    source, line, way = REFUSED[case]
    result = run(source)
    assert result.error is not None
    assert result.error["type"] == "NotAllowed"
    assert result.error["line"] == line
    assert way in result.error["message"]


def test_a_refused_line_keeps_the_whole_program_from_running(run: Runner) -> None:
    result = run("print('ran')\nx.__dict__\n")
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("source", "line", "phrase"),
    [
        ("x = = 2\n", 1, "invalid syntax"),
        ("x = 1\nif x\n    y = 2\n", 2, "expected ':'"),
        ("def f():\nreturn 1\n", 2, "expected an indented block"),
        ("x = (1,\n", 1, "was never closed"),
        ("return 5\n", 1, "'return' outside function"),
        ("x = 'abc\n", 1, "unterminated string"),
        ("for i in range(3):\n    print(i)\n  print(2)\n", 3, "unindent does not match"),
        ("print 'x'\n", 1, "Missing parentheses"),
        ("def f(a, a):\n    pass\n", 1, "duplicate argument"),
        ("x = 1\x00\n", 1, "null bytes"),
        ("x = 1\ny = '\ud800'\n", 2, "half of a character"),
        ("def f():\n    nonlocal q\n", 2, "no binding for nonlocal"),
        ("(" * 500 + ")" * 500, 1, "nested"),
        ("x = " + "+".join(["1"] * 20000), 1, "nested too deeply"),
        ("x = 1\ny = 2\nx" + ".real" * 50000, 3, "nested too deeply"),
        ("x = 1\nx = " + "-" * 90000 + "1", 2, "nested too deeply"),
    ],
)
def test_syntax_error(source: str, line: int, phrase: str, run: Runner) -> None:
    error = run(source).error
    assert error is not None
    assert error["type"] in ("SyntaxError", "IndentationError")
    assert (error["line"], phrase in error["message"]) == (line, True), error


@pytest.mark.parametrize(
    ("source", "type_", "line"),
    [
        ("x = 1\n\ny = x / 0\n", "ZeroDivisionError", 3),
        ("def f():\n    return g()\ndef g():\n    return undefined\nf()\n", "NameError", 4),
        (
            "import torch\nx = torch.tensor([1.0, 2.0])\ny = torch.tensor([1.0, 2.0, 3.0])\nz = (\n    x\n    + y\n)\n",
            "RuntimeError",
            5,
        ),
        ("xs = [1, 2]\nprint([10 / (x - 2)\n    for x in xs])\n", "ZeroDivisionError", 2),
        ("raise SystemExit(3)\n", "SystemExit", 1),
        ("raise KeyboardInterrupt\n", "KeyboardInterrupt", 1),
        ("def f(n):\n    return f(n + 1)\nf(0)\n", "RecursionError", 2),
        ("import os\n", "ModuleNotFoundError", 1),
        ("x = 2\nfrom torch import nothing_of_the_kind\n", "ImportError", 2),
        ("import torch\ntorch.tensr(1.0)\n", "AttributeError", 2),
    ],
)
def test_the_error_is_told_at_the_line_of_the_program(source: str, type_: str, line: int, run: Runner) -> None:
    error = run(source).error
    assert error is not None
    assert (error["type"], error["line"]) == (type_, line)


def test_an_unknown_name_of_torch_is_answered_with_the_nearest(run: Runner) -> None:
    error = run("import torch\ntorch.tensr(1.0)\n").error
    assert error is not None
    assert "tensor" in error["message"]


def test_warnings_have_category_message_and_line_once_a_line(run: Runner) -> None:
    source = (
        "import warnings\nfor i in range(3):\n    warnings.warn('careful')\nwarnings.warn('old', DeprecationWarning)\n"
    )
    assert run(source).warnings == [
        {"category": "UserWarning", "message": "careful", "line": 3},
        {"category": "DeprecationWarning", "message": "old", "line": 4},
    ]


def test_warnings_can_be_caught_and_silenced(run: Runner) -> None:
    source = """
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    warnings.warn("inside")
print(len(caught), caught[0].message)
warnings.filterwarnings("ignore")
warnings.warn("silent")
"""
    result = run(source)
    assert (result.error, result.stdout, result.warnings) == (None, "1 inside\n", [])
