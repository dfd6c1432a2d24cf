"""Each card opens its example at the step that shows its point."""

from __future__ import annotations

import pytest

from autograd.frames import Frame, frames
from course import concepts
from course.walks import open_walk


def opened(slug: str) -> tuple[Frame, str]:
    """The frame at which the card opens, and the source line that frame is about."""
    walk = open_walk(concepts.get(slug))
    frame = frames(walk.trace)[walk.step]
    line = frame.line if frame.kind in ("backward_start", "backward_end") else frame.about
    return frame, walk.trace.source.splitlines()[line - 1].strip() if line else ""


@pytest.mark.parametrize("slug", concepts.SLUGS)
def test_every_card_has_a_step_to_open_at(slug: str) -> None:
    frame, _ = opened(slug)
    assert frame.text


@pytest.mark.parametrize(
    ("slug", "kind", "line"),
    [
        ("recording", "forward", "triple = 3 * x"),
        ("dag", "forward", "loss = (h - 1) ** 2"),
        ("requires-grad", "forward", "mixed = a * plain"),
        ("leaf", "leaf_grad", "w = torch.tensor(2.0, requires_grad=True)"),
        ("numbers-not-symbols", "leaf_grad", "x = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)"),
        ("local-derivative", "contribute", "u = x ** 2"),
        ("chain-rule", "contribute", "u = 3 * x"),
        ("reverse-walk", "contribute", "a = s ** 2"),
        ("diamond", "contribute", "right = 2 * x"),
        ("define-by-run", "forward", "y = y - 3"),
        ("forward-vs-reverse", "backward_end", "y.backward()"),
        ("vjp", "contribute", "y = A @ x"),
        ("vector-output", "backward_start", "y.backward(weights)"),
        ("accumulation", "leaf_grad", "w = torch.tensor(1.0, requires_grad=True)"),
        ("train-step", "step", "opt.step()"),
        ("micro-batches", "leaf_grad", "w = torch.tensor(1.0, requires_grad=True)"),
        ("cost", "contribute", "out = h @ w2"),
        ("activation-memory", "contribute", "h3 = torch.tanh(h2 @ w)"),
        ("checkpointing", "forward", "b = torch.exp(a)"),
        ("no-grad", "forward", "z = x ** 2"),
        ("eval-mode", "forward", "eval_out = drop(w * x)"),
        ("detach", "contribute", "gap = guess - target"),
        ("graph-lifetime", "contribute", "y = x ** 2"),
        ("in-place", "mutate", "y.add_(1)"),
        ("boundary", "contribute", "a = torch.abs(x)"),
    ],
)
def test_the_card_opens_at_the_line_it_speaks_of(slug: str, kind: str, line: str) -> None:
    frame, shown = opened(slug)
    assert frame.kind == kind
    assert shown == line


@pytest.mark.parametrize(
    ("slug", "upstream", "local", "result"),
    [
        ("local-derivative", 2, 6, 12),
        ("chain-rule", 14, 3, 42),
        ("reverse-walk", 1, 12, 12),
        ("diamond", 1, 2, 2),
    ],
)
def test_the_product_on_the_card_is_the_one_its_text_names(slug: str, upstream: int, local: int, result: int) -> None:
    frame, _ = opened(slug)
    assert frame.product is not None
    assert upstream * local == result
    for number in (upstream, local, result):
        assert str(number) in frame.text
