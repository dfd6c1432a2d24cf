"""Traces drawn by hand, for tests of what shows a trace: they hold without the engine."""

from __future__ import annotations

from typing import Any

from autograd.trace import (
    Accumulate,
    BackwardEnd,
    BackwardStart,
    Contribute,
    Error,
    Event,
    Forward,
    Free,
    LeafGrad,
    Mutate,
    Step,
    Trace,
    TraceEdge,
    TraceNode,
    Visit,
    ZeroGrad,
)


class Sketch:
    """Builds a scalar trace: name the nodes with their values and local derivatives, then call ``backward``."""

    def __init__(self) -> None:
        self.nodes: list[TraceNode] = []
        self.edges: list[TraceEdge] = []
        self.events: list[Event] = []
        self.lines: list[str] = ["import torch"]
        self.locals: dict[str, tuple[Any, str]] = {}
        self.grads: dict[str, float] = {}
        self.passes = 0
        self.failed: dict[str, Any] | None = None

    def line(self, text: str) -> int:
        self.lines.append(text)
        return len(self.lines)

    def add(self, event: type[Event], line: int, *values: Any) -> None:
        self.events.append(event(len(self.events), line, *values))

    def _node(self, text: str, value: Any, **given: Any) -> str:
        line = self.line(text)
        node = {
            "id": f"n{len(self.nodes)}",
            "kind": "op",
            "op": None,
            "grad_fn": None,
            "line": line,
            "scope": "",
            "shape": (),
            "dtype": "float32",
            "requires_grad": True,
            "is_leaf": False,
            "recorded": True,
            "saved_bytes": 0,
            "expr": "",
        } | given
        self.nodes.append(TraceNode(**node))
        self._born = (line, node["id"], value)
        return str(node["id"])

    def leaf(self, name: str, value: Any, **given: Any) -> str:
        made = self._node(
            f"{name} = torch.tensor({value}, requires_grad=True)", value, kind="leaf", name=name, is_leaf=True, **given
        )
        self.add(Forward, *self._born)
        return made

    def constant(self, name: str, value: Any, **given: Any) -> str:
        what = {"kind": "constant", "is_leaf": True, "requires_grad": False, "recorded": False}
        made = self._node(f"{name} = torch.tensor({value})", value, name=name, **what, **given)
        self.add(Forward, *self._born)
        return made

    def op(
        self, name: str | None, expr: str, grad_fn: str | None, value: Any, *inputs: tuple[str, Any, str], **given: Any
    ) -> str:
        """``inputs`` are (node id, local derivative, rule) for each argument."""
        how = given.pop("how", None)
        recorded = how is None and grad_fn is not None
        look = {
            "op": (grad_fn or how or "op").removesuffix("Backward0").lower(),
            "grad_fn": grad_fn,
            "recorded": recorded,
        }
        text = f"{name} = {expr}" if name else expr
        made = self._node(text, value, name=name, expr=expr, **(look | {"requires_grad": recorded} | given))
        for arg, (source, local, rule) in enumerate(inputs):
            edge = f"e{len(self.edges)}"
            self.edges.append(TraceEdge(edge, source, made, arg, recorded, how))
            self.locals[edge] = (local, rule)
        self.add(Forward, *self._born)
        return made

    def mutate(self, node: str, text: str, value: Any, version: int) -> None:
        self.add(Mutate, self.line(text), node, value, version - 1, version)

    def backward(self, root: str, *, retain: bool = False) -> None:
        """A whole backward pass over scalars, in the order the engine gives."""
        nodes = {node.id: node for node in self.nodes}
        line = self.line(f"{nodes[root].name}.backward({'retain_graph=True' if retain else ''})")
        self.passes += 1
        number = self.passes
        into: dict[str, list[TraceEdge]] = {}
        uses: dict[str, int] = {}
        reach, stack = {root}, [root]
        while stack:
            node = stack.pop()
            for edge in self.edges:
                if edge.dst == node and edge.recorded and nodes[edge.src].requires_grad:
                    into.setdefault(node, []).append(edge)
                    uses[edge.src] = uses.get(edge.src, 0) + 1
                    if edge.src not in reach:
                        reach.add(edge.src)
                        stack.append(edge.src)
        held: dict[str, float] = {root: 1.0}
        self.add(BackwardStart, line, number, root, 1.0, retain)
        self.add(Accumulate, line, number, root, None, 1.0, 1.0, 0)
        ready = [root]
        while ready:
            node = ready.pop(0)
            upstream = held[node]
            self.add(Visit, line, number, node, upstream)
            for edge in into.get(node, ()):
                local, rule = self.locals[edge.id]
                value = upstream * local
                self.add(Contribute, line, number, edge.id, upstream, local, value, rule)
                uses[edge.src] -= 1
                before = held.get(edge.src)
                held[edge.src] = (before or 0.0) + value
                self.add(Accumulate, line, number, edge.src, before, value, held[edge.src], uses[edge.src])
                if not uses[edge.src]:
                    ready.append(edge.src)
            if nodes[node].is_leaf:
                before = self.grads.get(node)
                self.grads[node] = (before or 0.0) + held[node]
                self.add(LeafGrad, line, number, node, before, held[node], self.grads[node])
            elif not retain:
                self.add(Free, line, number, node, nodes[node].saved_bytes)
        self.add(BackwardEnd, line, number)

    def zero_grad(self, *nodes: str) -> None:
        line = self.line("opt.zero_grad()")
        cleared = tuple({"node": node, "before": self.grads.pop(node, None), "after": None} for node in nodes)
        self.add(ZeroGrad, line, "SGD", cleared)

    def step(self, moves: dict[str, tuple[float, float]]) -> None:
        line = self.line("opt.step()")
        moved = tuple(
            {"node": node, "before": before, "after": after, "grad": self.grads.get(node)}
            for node, (before, after) in moves.items()
        )
        self.add(Step, line, "SGD", moved)

    def fail(self, text: str, kind: str, message: str) -> None:
        line = self.line(text)
        self.failed = {"type": kind, "message": message, "line": line}
        self.add(Error, line, kind, message)

    def trace(self) -> Trace:
        return Trace(
            "\n".join(self.lines) + "\n", tuple(self.nodes), tuple(self.edges), tuple(self.events), error=self.failed
        )


def quadratic() -> Trace:
    s = Sketch()
    x = s.leaf("x", 3.0)
    u = s.op("u", "x ** 2", "PowBackward0", 9.0, (x, 6.0, "2 * x"), saved_bytes=4)
    v = s.op("v", "2 * x", "MulBackward0", 6.0, (x, 2.0, "2"))
    w = s.op("s", "u + v", "AddBackward0", 15.0, (u, 1.0, "1"), (v, 1.0, "1"))
    s.backward(s.op("y", "s + 1", "AddBackward0", 16.0, (w, 1.0, "1")))
    return s.trace()


def square() -> Trace:
    """x * x: two edges between the same two nodes."""
    s = Sketch()
    x = s.leaf("x", 3.0)
    s.backward(s.op("y", "x * x", "MulBackward0", 9.0, (x, 3.0, "x"), (x, 3.0, "x"), saved_bytes=8))
    return s.trace()


def diamonds(levels: int) -> Trace:
    """h = h + h, again and again: 2**levels paths, levels + 1 nodes."""
    s = Sketch()
    h, value = s.leaf("x", 1.0), 1.0
    for _ in range(levels):
        value *= 2
        h = s.op("h", "h + h", "AddBackward0", value, (h, 1.0, "1"), (h, 1.0, "1"))
    s.backward(h)
    return s.trace()


def cuts() -> Trace:
    """detach, no_grad and item beside a way that stays open."""
    s = Sketch()
    x = s.leaf("x", 2.0)
    d = s.op("d", "x.detach()", None, 2.0, (x, 0, ""), how="detach")
    n = s.op("n", "x * 3", None, 6.0, (x, 0, ""), how="no_grad")
    s.op("k", "x.item()", None, 2.0, (x, 0, ""), how="item")
    p = s.op("p", "x * d", "MulBackward0", 4.0, (x, 2.0, "d"), (d, 2.0, "x"), saved_bytes=4)
    s.backward(s.op("y", "p + n", "AddBackward0", 10.0, (p, 1.0, "1"), (n, 1.0, "1")))
    return s.trace()


def training() -> Trace:
    """Two turns of forward, backward, step and zero_grad."""
    s = Sketch()
    w = s.leaf("w", 1.0)
    t = s.constant("t", 4.0)
    value = 1.0
    for _ in range(2):
        e = s.op("e", "w - t", "SubBackward0", value - 4, (w, 1.0, "1"), (t, -1.0, "-1"))
        loss = s.op("loss", "e ** 2", "PowBackward0", (value - 4) ** 2, (e, 2 * (value - 4), "2 * e"), saved_bytes=4)
        s.backward(loss)
        moved = value - 0.1 * s.grads[w]
        s.step({w: (value, moved)})
        s.zero_grad(w)
        value = moved
    return s.trace()


def twice() -> Trace:
    """Two backward passes over one graph: .grad adds up."""
    s = Sketch()
    x = s.leaf("x", 3.0)
    y = s.op("y", "x ** 2", "PowBackward0", 9.0, (x, 6.0, "2 * x"), saved_bytes=4)
    s.backward(y, retain=True)
    s.backward(y)
    return s.trace()


def broken() -> Trace:
    """An in-place write, and the error it leads to; names and texts that try to be markup."""
    s = Sketch()
    x = s.leaf("x", 3.0)
    y = s.op(
        '</text><script>alert("1")</script>',
        "x ** 2 # <img src=x onerror=alert(2)>",
        "PowBackward0",
        9.0,
        (x, 6.0, "2 * x"),
        scope="net.<b>&0",
    )
    s.mutate(x, "x.add_(1)", 4.0, 1)
    s.fail("y.backward()", "RuntimeError", 'one of the <variables> needed has been "modified" by an inplace operation')
    assert y
    return s.trace()


def arrays() -> Trace:
    """A linear layer in a module: shapes and rules instead of numbers."""
    s = Sketch()
    x = s.constant("x", [[1.0, 2.0, 3.0]], shape=(1, 3))
    w = s.leaf("weight", [[0.5, -0.5, 0.25], [1.0, 0.0, -1.0]], shape=(2, 3), scope="net.0")
    h = s.op(
        None,
        "x @ weight.T",
        "MmBackward0",
        [[0.25, -2.0]],
        (x, 0, ""),
        (w, 0, ""),
        shape=(1, 2),
        scope="net.0",
        saved_bytes=36,
    )
    r = s.op("r", "relu(h)", "ReluBackward0", [[0.25, 0.0]], (h, 0, ""), shape=(1, 2), scope="net.1", saved_bytes=8)
    y = s.op("y", "r.sum()", "SumBackward0", 0.25, (r, 0, ""))
    line = s.line("y.backward()")
    s.add(BackwardStart, line, 1, y, 1.0, False)
    s.add(Accumulate, line, 1, y, None, 1.0, 1.0, 0)
    s.add(Visit, line, 1, y, 1.0)
    s.add(
        Contribute,
        line,
        1,
        "e3",
        1.0,
        {"rule": "expand(g)", "upstream_shape": [], "shape": [1, 2]},
        [[1.0, 1.0]],
        "expand(g)",
    )
    s.add(Accumulate, line, 1, r, None, [[1.0, 1.0]], [[1.0, 1.0]], 0)
    s.add(Visit, line, 1, r, [[1.0, 1.0]])
    s.add(
        Contribute,
        line,
        1,
        "e2",
        [[1.0, 1.0]],
        {"rule": "g * (h > 0)", "upstream_shape": [1, 2], "shape": [1, 2]},
        [[1.0, 0.0]],
        "g * (h > 0)",
    )
    s.add(Accumulate, line, 1, h, None, [[1.0, 0.0]], [[1.0, 0.0]], 0)
    s.add(Free, line, 1, r, 8)
    s.add(Visit, line, 1, h, [[1.0, 0.0]])
    grad = [[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]]
    s.add(
        Contribute,
        line,
        1,
        "e1",
        [[1.0, 0.0]],
        {"rule": "gᵀ @ x", "upstream_shape": [1, 2], "shape": [2, 3]},
        grad,
        "gᵀ @ x",
    )
    s.add(Accumulate, line, 1, w, None, grad, grad, 0)
    s.add(Free, line, 1, h, 36)
    s.add(Visit, line, 1, w, grad)
    s.add(LeafGrad, line, 1, w, None, grad, grad)
    s.add(BackwardEnd, line, 1)
    return s.trace()


def alone() -> Trace:
    """One leaf, nothing else."""
    s = Sketch()
    s.leaf("x", 1.5)
    return s.trace()


ALL = {
    "quadratic": quadratic,
    "square": square,
    "diamonds": lambda: diamonds(4),
    "cuts": cuts,
    "training": training,
    "twice": twice,
    "broken": broken,
    "arrays": arrays,
    "alone": alone,
}
