"""The engine in thirty lines beside the full one: the += in it, and what it leaves out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from course.labs.programs import Ran, ran
from snippets import examples, run


@dataclass(frozen=True, slots=True)
class Switched:
    """What x ends at in the small engine and in the full one, and the lines the small one printed."""

    run: Ran
    small: float
    full: float
    said: tuple[str, ...]


def program(adds: bool, other_first: bool) -> str:
    """The example ``minimal-engine``; without ``adds`` its += is a =, with ``other_first`` the terms are swapped."""
    source = examples.load("minimal-engine").source
    if not adds:
        source = source.replace("self.grad += incoming", "self.grad = incoming")
    if other_first:
        source = source.replace(
            'number ** 2 + Number(2.0, name="two") * number', 'Number(2.0, name="two") * number + number ** 2'
        )
    return source


def measure(adds: bool, other_first: bool) -> Switched:
    """Run both engines on y = x**2 + 2x + 1 at 3."""
    found = ran(program(adds, other_first))
    lines = found.result.stdout.splitlines()
    small = next(line for line in lines if line.startswith("thirty lines:"))
    said = tuple(line for line in lines if "upstream" in line)
    return Switched(found, float(small.partition(":")[2]), float(found.grad("x")), said)


ENGINE = '''class Node:
    """Numbers only; one recursive call for each path."""

    visits = 0

    def __init__(self, value, parents=()):
        self.value, self.parents, self.grad = value, parents, 0.0

    def __add__(self, other):
        return Node(self.value + other.value, [(self, 1.0), (other, 1.0)])

    def __mul__(self, other):
        return Node(self.value * other.value, [(self, other.value), (other, self.value)])

    def backward(self, upstream=1.0):
        Node.visits = Node.visits + 1
        self.grad = self.grad + upstream
        for parent, local in self.parents:
            parent.backward(upstream * local)


'''


@dataclass(frozen=True, slots=True)
class Feature:
    """Something the small engine leaves out: the same idea as a program for each engine.

    ``wrong`` says what is wrong with the small engine's outcome when it ends without an error.
    """

    slug: str
    title: str
    small: str
    full: str
    wrong: str


FEATURES = (
    Feature(
        "tensors",
        "Tensors",
        "a = Node([1.0, 2.0])\nb = Node([3.0, 4.0])\ny = a * b\nprint(y.value)\n",
        "a = torch.tensor([1.0, 2.0], requires_grad=True)\nb = torch.tensor([3.0, 4.0])\n(a * b).sum().backward()\n"
        "print(a.grad)\n",
        "a list is no number, and there is no rule for arrays",
    ),
    Feature(
        "broadcasting",
        "Broadcasting",
        "rows = [Node(1.0), Node(2.0)]\nbias = Node(3.0)\ny = rows + bias\nprint(y)\n",
        "rows = torch.tensor([1.0, 2.0], requires_grad=True)\nbias = torch.tensor(3.0, requires_grad=True)\n"
        "(rows + bias).sum().backward()\nprint(bias.grad)\n",
        "one number is not stretched over many",
    ),
    Feature(
        "schedule",
        "A schedule",
        "a = Node(1.0)\nb = a\nfor _ in range(10):\n    b = b + b\nb.backward()\nprint(Node.visits, 'visits')\n",
        "a = torch.tensor(1.0, requires_grad=True)\nb = a\nfor _ in range(10):\n    b = b + b\nb.backward()\n"
        "print(a.grad)\n",
        "2,047 calls for 11 values: one for each path",
    ),
    Feature(
        "freed",
        "Saved values that are freed",
        "a = Node(3.0)\nb = a * a\nb.backward()\na.grad = 0.0\nb.backward()\nprint('b.grad', b.grad)\n",
        "a = torch.tensor(3.0, requires_grad=True)\nb = a * a\nb.backward()\na.grad = None\nb.backward()\n",
        "the second walk adds to what the first left inside: 2 where 1 is right, and nothing says so",
    ),
    Feature(
        "in-place",
        "A check for overwritten values",
        "a = Node(3.0)\nh = a * Node(1.0)\ny = h * h\nh.value = 100.0\ny.backward()\nprint('a.grad', a.grad)\n",
        "a = torch.tensor(3.0, requires_grad=True)\nh = a * 1.0\ny = h * h\nh.fill_(100.0)\ny.backward()\n",
        "the value changed after it was used, and nothing says so",
    ),
    Feature(
        "memory",
        "Memory management",
        "a = Node(2.0)\nlosses = []\nfor _ in range(3):\n    loss = a * a\n"
        "    loss.backward()\n    losses.append(loss)\n"
        "print('still linked:', sum(len(loss.parents) for loss in losses))\n",
        "a = torch.tensor(2.0, requires_grad=True)\nlosses = []\nfor _ in range(3):\n    loss = a * a\n"
        "    loss.backward()\n    losses.append(loss.item())\nprint(losses, a.grad)\n",
        "every result keeps its parents and their values alive after backward",
    ),
    Feature(
        "depth",
        "Walking without recursion",
        "a = Node(1.0)\nb = a\nfor _ in range(3000):\n    b = b + Node(0.0)\nb.backward()\nprint(a.grad)\n",
        "a = torch.tensor(1.0, requires_grad=True)\nb = a\nfor _ in range(3000):\n    b = b + 0.0\nb.backward()\n"
        "print(a.grad)\n",
        "each node is one more call on Python's stack",
    ),
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one program ended: what it printed, and its error if it had one."""

    source: str
    said: str
    error: str | None


@dataclass(frozen=True, slots=True)
class Compared:
    """A feature with the outcome on each engine."""

    feature: Feature
    small: Outcome
    full: Outcome


def feature(slug: str) -> Feature:
    """The feature ``slug``. Raises KeyError."""
    return {one.slug: one for one in FEATURES}[slug]


@lru_cache(maxsize=len(FEATURES))
def compare(slug: str) -> Compared:
    """Run both programs of a feature."""
    one = feature(slug)
    return Compared(one, _outcome(ENGINE + one.small), _outcome("import torch\n\n" + one.full))


def _outcome(source: str) -> Outcome:
    result = run(source, trace=False, diagnose=False)
    error = None
    if result.error is not None:
        first = result.error["message"].splitlines()[0]
        error = f"{result.error['type']}: {first}"
    return Outcome(source, result.stdout.strip(), error)
