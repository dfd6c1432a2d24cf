"""How one contribution is shown: the label on its edge, the sum at its node, the boxes upstream × local = value."""

from __future__ import annotations

from typing import Any

from autograd import notation
from autograd.trace import Contribute, TraceEdge, TraceNode, Value

#: A local derivative stands on an edge as a symbol up to this length, otherwise as its number.
SYMBOL_ON_EDGE = 5


def label(event: Contribute) -> str:
    """What stands on an edge once its gradient has passed: ``1 × 2·x = 6``; ``1`` when the local derivative is 1."""
    if isinstance(event.local, dict) or notation.is_array(event.value) or notation.is_array(event.local):
        return notation.short(event.value, 12)
    upstream, local, value = (notation.number(_scalar(v)) for v in (event.upstream, event.local, event.value))
    if local == "1":
        return value
    symbol = notation.expression(event.rule, 24)
    factor = symbol if symbol and len(symbol) <= SYMBOL_ON_EDGE else local
    return f"{upstream} × {notation.factor(factor)} = {value}"


def total(before: Value, added: Value, after: Value) -> str:
    """``6 + 2 = 8``, with negative second terms in parentheses."""
    return f"{notation.short(before)} + {notation.factor(notation.short(added))} = {notation.short(after)}"


def product(event: Contribute, edge: TraceEdge, giver: TraceNode, taker: TraceNode) -> dict[str, Any]:
    """The three boxes of a contribution, ready to show."""
    out: dict[str, Any] = {
        "edge": edge.id,
        "from": notation.called(giver),
        "to": notation.called(taker),
        "from_id": giver.id,
        "to_id": taker.id,
        "upstream": notation.short(event.upstream, 24),
        "value": notation.short(event.value, 24),
        "of": notation.expression(giver.expr, 20) or notation.called(giver),
    }
    if isinstance(event.local, dict):
        out["rule"] = notation.expression(event.rule, 60)
        out["shapes"] = [
            notation.shape(event.local.get("upstream_shape") or ()),
            notation.shape(event.local.get("shape") or ()),
        ]
        return out
    out["local"] = notation.short(event.local, 24)
    symbol = notation.expression(event.rule, 40)
    if symbol and symbol != out["local"]:
        out["symbol"] = symbol
    return out


def _scalar(value: Value) -> float | str:
    return value if isinstance(value, (int, float, str)) else str(value)
