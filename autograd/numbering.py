"""Names told apart: the second tensor called ``h`` is ``h₂`` wherever it is spoken of, in other expressions too.

A loop gives one name to many tensors. ``z = w * h`` in its second turn is then shown as ``z₂ = w₂·h₂``.
"""

from __future__ import annotations

import re

from autograd.trace import Trace, TraceNode

_SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")

#: A name in an expression: not an attribute, a word in quotes, a function that is called, or a keyword of a call.
_NAME = re.compile(r"(?<![\w.'\"])[A-Za-z_]\w*(?:\.\w+)*(?!\w|\(|\s*=(?!=))")


class Numbering:
    """The nodes of a trace with names told apart, and the same for what is written about them."""

    def __init__(self, trace: Trace) -> None:
        counts: dict[str, int] = {}
        said: dict[str, str] = {}
        for node in trace.nodes:
            if node.name:
                counts[node.name] = count = counts.get(node.name, 0) + 1
                said[node.id] = node.name if count == 1 else node.name + str(count).translate(_SUBSCRIPT)
        self._repeated = {name for name, count in counts.items() if count > 1}
        self._meant = self._meanings(trace, said) if self._repeated else {}
        self.nodes = tuple(self._told_apart(node, said) for node in trace.nodes) if self._repeated else trace.nodes

    def _told_apart(self, node: TraceNode, said: dict[str, str]) -> TraceNode:
        if node.id not in self._meant and node.name not in self._repeated:
            return node
        return node.called(said.get(node.id), self.text(node.id, node.expr))

    def _meanings(self, trace: Trace, said: dict[str, str]) -> dict[str, dict[str, str]]:
        """Node id -> what repeated names in its expression stand for: its inputs, and those of nameless inputs."""
        sources: dict[str, list[str]] = {}
        for edge in trace.edges:
            sources.setdefault(edge.dst, []).append(edge.src)
        names = {node.id: node.name for node in trace.nodes}
        meant: dict[str, dict[str, str]] = {}
        for node in trace.nodes:
            known: dict[str, str] = {}
            for source in sources.get(node.id, ()):
                name = names.get(source)
                if name in self._repeated:
                    known[name] = said[source]
                elif not name:
                    known = meant.get(source, {}) | known
            if known:
                meant[node.id] = known
        return meant

    def text(self, node: str, text: str) -> str:
        """What is written about a node (its expression, a rule of it), with each repeated name told apart."""
        known = self._meant.get(node)
        return _NAME.sub(lambda found: _put(found[0], known), text) if known else text


def _put(written: str, known: dict[str, str]) -> str:
    """``w.T`` with the tensor's name put in: the longest part that is a known name."""
    for end in [len(written), *(place for place in range(len(written) - 1, 0, -1) if written[place] == ".")]:
        if written[:end] in known:
            return known[written[:end]] + written[end:]
    return written
