"""What is kept for a trace: computed once, and gone with the trace."""

import weakref
from dataclasses import replace

from autograd.kept import kept
from tests.autograd import sketch


def test_computed_once_for_each_trace_and_argument() -> None:
    asked = []

    @kept
    def length(trace, times=1):
        asked.append(times)
        return len(trace.nodes) * times

    trace = sketch.quadratic()
    one = len(trace.nodes)
    assert [length(trace), length(trace), length(trace, 2), length(trace, 2)] == [one, one, 2 * one, 2 * one]
    assert length(replace(trace), 2) == 2 * one
    assert asked == [1, 2, 2]


def test_gone_with_the_trace() -> None:
    class Thing:
        pass

    made = kept(lambda trace: Thing())
    trace = sketch.quadratic()
    thing = weakref.ref(made(trace))
    assert thing() is not None
    del trace
    assert thing() is None
