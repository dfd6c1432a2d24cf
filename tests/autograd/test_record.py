"""The trace says what ran: nodes, edges, cuts, the order of a backward pass, the learner's names."""

from __future__ import annotations

from typing import Any

import pytest

import autograd.trace as T
from autograd.mode import switch
from autograd.record import recording
from snippets.torch_api import torch

FILENAME = "<snippet>"


def run(source: str) -> T.Trace:
    """The trace of ``source``, run on the engine; an exception of its own is part of the trace."""
    source = "import torch\n" + source
    with recording(source, FILENAME) as recorder:
        try:
            exec(compile(source, FILENAME, "exec"), {"torch": torch, "__builtins__": _builtins()})
        except Exception as error:
            recorder.error(error)
    return recorder.trace()


def _builtins() -> dict[str, Any]:
    import builtins

    def importing(name: str, *args: Any) -> Any:
        return torch if name == "torch" else builtins.__import__(name, *args)

    return {**vars(builtins), "__import__": importing}


def node(trace: T.Trace, name: str) -> T.TraceNode:
    return next(n for n in reversed(trace.nodes) if n.name == name)


def events(trace: T.Trace, kind: type[T.Event]) -> list[Any]:
    return [e for e in trace.events if type(e) is kind]


QUADRATIC = "x = torch.tensor(3.0, requires_grad=True)\nu = x**2\nv = 2*x\ns = u + v\ny = s + 1\ny.backward()\n"


def test_the_nodes_of_a_quadratic() -> None:
    trace = run(QUADRATIC)
    rows = [(n.kind, n.op, n.grad_fn, n.name, n.line, n.saved_bytes, n.expr) for n in trace.nodes]
    assert rows == [
        ("leaf", None, None, "x", 2, 0, ""),
        ("op", "pow", "PowBackward0", "u", 3, 4, "x ** 2"),
        ("op", "mul", "MulBackward0", "v", 4, 0, "2 * x"),
        ("op", "add", "AddBackward0", "s", 5, 0, "u + v"),
        ("op", "add", "AddBackward0", "y", 6, 0, "s + 1"),
    ]
    assert [(e.src, e.dst, e.arg) for e in trace.edges] == [
        ("n0", "n1", 0), ("n0", "n2", 1), ("n1", "n3", 0), ("n2", "n3", 1), ("n3", "n4", 0),
    ]  # fmt: skip


def test_the_ledger_at_the_leaf_is_6_then_2_more() -> None:
    trace = run(QUADRATIC)
    ledger = [(e.before, e.added, e.after, e.pending) for e in events(trace, T.Accumulate) if e.node == "n0"]
    assert ledger == [(None, 6.0, 6.0, 1), (6.0, 2.0, 8.0, 0)]
    assert [(e.before, e.added, e.after) for e in events(trace, T.LeafGrad)] == [(None, 8.0, 8.0)]


def test_contributions_are_upstream_times_local() -> None:
    trace = run(QUADRATIC)
    told = [(e.edge, e.upstream, e.local, e.value, e.rule) for e in events(trace, T.Contribute)]
    assert told == [
        ("e4", 1.0, 1.0, 1.0, "1"), ("e2", 1.0, 1.0, 1.0, "1"), ("e3", 1.0, 1.0, 1.0, "1"),
        ("e0", 1.0, 6.0, 6.0, "2·x"), ("e1", 1.0, 2.0, 2.0, "2"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "source", ["y = (x * 3) ** 2 * x", "y = torch.tanh(x * 0.3) / x", "y = (1 - x) * torch.exp(x)"]
)
def test_upstream_times_local_is_the_value_for_scalars(source: str) -> None:
    trace = run(f"x = torch.tensor(1.5, requires_grad=True, dtype=torch.float64)\n{source}\ny.backward()\n")
    for event in events(trace, T.Contribute):
        assert event.upstream * event.local == pytest.approx(event.value, rel=1e-12)


def test_a_square_as_a_product_has_two_edges() -> None:
    trace = run("x = torch.tensor(3.0, requires_grad=True)\ny = x * x\ny.backward()\n")
    assert [(e.src, e.dst, e.arg) for e in trace.edges] == [("n0", "n1", 0), ("n0", "n1", 1)]
    assert [e.after for e in events(trace, T.Accumulate) if e.node == "n0"] == [3.0, 6.0]


@pytest.mark.parametrize(
    ("line", "how"),
    [
        ("z = y.detach()", "detach"),
        ("z = y.item()", "item"),
        ("z = y.tolist()", "tolist"),
        ("z = (y > 1)", "comparison"),
        ("z = torch.stack([y, y]).argmax()", "argmax"),
        ("with torch.no_grad(): z = y * 2", "no_grad"),
        ("z = y.detach().numpy()", "numpy"),
        ("z = y.long()", "to"),
    ],
)
def test_cuts_have_their_word(line: str, how: str) -> None:
    trace = run(f"x = torch.tensor(3.0, requires_grad=True)\ny = x * 2\n{line}\n")
    last = trace.edges[-1]
    assert last.how in (how, None)
    assert how in {e.how for e in trace.edges}
    assert not last.recorded


def test_a_number_that_left_and_came_back_is_an_edge() -> None:
    trace = run(
        "x = torch.tensor(3.0, requires_grad=True)\na = (x * 2).item()\nb = torch.tensor(a, requires_grad=True)\n"
    )
    assert trace.edges[-1].how == "tensor"
    assert trace.edges[-1].dst == node(trace, "b").id


def test_untracked_operations_are_kept_unrecorded() -> None:
    trace = run("b = torch.ones(2)\nc = b * 3\n")
    c = node(trace, "c")
    assert (c.recorded, c.requires_grad, c.kind) == (False, False, "op")
    assert not any(e.recorded for e in trace.edges)


def test_a_write_is_a_mutation_of_every_alias() -> None:
    trace = run("x = torch.ones(2)\nd = x.detach()\nd.add_(1)\n")
    told = [(e.node, e.value, e.version_before, e.version_after) for e in events(trace, T.Mutate)]
    assert told == [("n1", [2.0, 2.0], 0, 1), ("n0", [2.0, 2.0], 0, 1)]


def test_a_write_shows_other_views_their_own_entries() -> None:
    trace = run("x = torch.zeros(2, 2)\na = x[0]\nb = x[1]\nb += 5\nc = x[0]\na += 1\n")
    told = {
        (node(trace, name).id, tuple(e.value))
        for e in events(trace, T.Mutate)
        for name in "abc"
        if e.node == node(trace, name).id
    }
    assert told == {
        (node(trace, "a").id, (1.0, 1.0)),
        (node(trace, "b").id, (5.0, 5.0)),
        (node(trace, "c").id, (1.0, 1.0)),
    }


def test_a_recorded_write_is_a_new_node_of_the_same_name() -> None:
    trace = run("x = torch.ones(2, requires_grad=True)\ny = x * 2\ny.mul_(3)\ny.sum().backward()\n")
    assert [n.op for n in trace.nodes if n.name == "y"] == ["mul", "mul_"]
    assert events(trace, T.LeafGrad)[0].after == [6.0, 6.0]


def test_arrays_carry_rule_and_shapes() -> None:
    trace = run("w = torch.ones(3, requires_grad=True)\nx = torch.ones(4, 3)\ny = (w * x).sum()\ny.backward()\n")
    told = {e.edge: e.local for e in events(trace, T.Contribute)}
    product = next(e for e in trace.edges if e.src == "n0")
    assert told[product.id] == {"rule": "sum over dim 0 of g · x", "upstream_shape": [4, 3], "shape": [3]}


def test_a_second_pass_has_its_own_number() -> None:
    trace = run("x = torch.tensor(2.0, requires_grad=True)\ny = x * x\ny.backward(retain_graph=True)\ny.backward()\n")
    assert [e.pass_ for e in events(trace, T.BackwardStart)] == [1, 2]
    assert [(e.before, e.added, e.after) for e in events(trace, T.LeafGrad)] == [(None, 4.0, 4.0), (4.0, 4.0, 8.0)]
    assert [e.pass_ for e in events(trace, T.Free)] == [2]


def test_an_error_is_the_last_event() -> None:
    trace = run("x = torch.tensor([1.0, 2.0], requires_grad=True)\ny = x * 2\ny.backward()\n")
    assert trace.error is not None
    assert (trace.error["type"], trace.error["line"]) == ("RuntimeError", 4)
    assert isinstance(trace.events[-1], T.Error)


def test_names_in_loops_and_tuples_and_attributes() -> None:
    source = (
        "class Box: pass\nbox = Box()\nbox.w = torch.tensor(2.0, requires_grad=True)\n"
        "a, b = torch.tensor(1.0), torch.tensor(3.0)\nh = a\nfor i in range(2):\n    h = h * box.w\n"
    )
    trace = run(source)
    assert [n.name for n in trace.nodes] == ["box.w", "a", "b", "h", "h"]
    assert trace.nodes[-1].expr == "h * box.w"


@pytest.mark.parametrize(
    ("line", "expr"),
    [
        ("x[idx]", "x[idx]"), ("x[:2]", "x[:2]"), ("x[0, :]", "x[0, :]"), ("x[x > 3]", "x[x > 3]"),
        ("x[..., None]", "x[..., None]"), ("(x + 1) * 2", "(x + 1) * 2"), ("1 - x", "1 - x"), ("x @ x", "x @ x"),
        ("torch.exp(x + 1)", "exp(x + 1)"), ("x.sum()", "x.sum()"), ("-x", "-x"), ("x / 2", "x / 2"),
    ],
)  # fmt: skip
def test_expressions_are_as_written(line: str, expr: str) -> None:
    trace = run(f"x = torch.ones(4, 4, requires_grad=True)\nidx = torch.tensor([0, 1])\ny = {line}\n")
    assert node(trace, "y").expr == expr


def test_a_trace_survives_json() -> None:
    trace = run(QUADRATIC + "z = torch.tensor([float('nan'), float('inf'), -float('inf')])\n")
    assert T.Trace.from_json(trace.to_json()) == trace
    assert events(trace, T.Forward)[-1].value == ["nan", "inf", "-inf"]


def test_large_arrays_are_summarised() -> None:
    value = events(run("x = torch.arange(100.0)\n"), T.Forward)[0].value
    assert (value["shape"], value["min"], value["max"], value["mean"]) == ([100], 0.0, 99.0, 49.5)


def test_nothing_is_switched_on_afterwards() -> None:
    run(QUADRATIC)
    assert switch.special == 0


def test_the_recorder_keeps_no_tensor_alive() -> None:
    import weakref

    with recording("", FILENAME):
        x = torch.ones(1000, requires_grad=True)
        y = (x * 2).sum()
        ref = weakref.ref(y)
        del y
        assert ref() is None
