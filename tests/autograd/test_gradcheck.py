"""gradcheck passes what is right and catches what is wrong, with a message that shows it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from autograd.gradcheck import GradcheckError, gradcheck, gradgradcheck
from snippets.torch_api import torch


def leaf(*values: float) -> Any:
    return torch.tensor(list(values), dtype=torch.float64, requires_grad=True)


X, Y = (0.3, 1.2, -0.7), (1.5, -0.4, 0.9)


def function(backward: Any) -> Any:
    class Product(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            ctx.save_for_backward(x, y)
            return x * y

    Product.backward = staticmethod(backward)
    return Product.apply


def right(ctx: Any, g: Any) -> Any:
    x, y = ctx.saved_tensors
    return g * y, g * x


def flipped_sign(ctx: Any, g: Any) -> Any:
    x, y = ctx.saved_tensors
    return -g * y, g * x


def wrong_second_rule(ctx: Any, g: Any) -> Any:
    _x, y = ctx.saved_tensors
    return g * y, g * y


def squared_gradient(ctx: Any, g: Any) -> Any:
    x, y = ctx.saved_tensors
    return g * g * y, g * x


def gradient_dropped(ctx: Any, g: Any) -> Any:
    x, y = ctx.saved_tensors
    return y * 1, g * x


def summed_gradient(ctx: Any, g: Any) -> Any:
    x, y = ctx.saved_tensors
    return g.sum() * y, g * x


def second_missing(ctx: Any, g: Any) -> Any:
    _x, y = ctx.saved_tensors
    return g * y, None


def test_a_right_rule_passes() -> None:
    assert gradcheck(function(right), (leaf(*X), leaf(*Y)))
    assert gradgradcheck(function(right), (leaf(*X), leaf(*Y)))


@pytest.mark.parametrize(
    "rule", [flipped_sign, wrong_second_rule, squared_gradient, gradient_dropped, summed_gradient, second_missing]
)
def test_a_wrong_rule_is_caught(rule: Any) -> None:
    with pytest.raises(GradcheckError, match="Jacobian mismatch"):
        gradcheck(function(rule), (leaf(*X), leaf(*Y)))
    assert not gradcheck(function(rule), (leaf(*X), leaf(*Y)), raise_exception=False)


def test_the_message_names_input_got_and_want() -> None:
    with pytest.raises(GradcheckError) as caught:
        gradcheck(function(wrong_second_rule), (leaf(*X), leaf(*Y)))
    text = str(caught.value)
    assert "output 0 with respect to input 1" in text
    assert "function:   Product.apply" in text
    assert "got:" in text
    assert "want:" in text


def test_replacing_where_it_should_add_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    engine = sys.modules["autograd.backward"]
    source = Path(engine.__file__ or "").read_text(encoding="utf-8")
    assert source.count("state[1] + g") == 2
    space = dict(vars(engine))
    exec(source.replace("state[1] + g", "g"), space)
    monkeypatch.setattr(engine, "run", space["run"])
    with pytest.raises(GradcheckError):
        gradcheck(lambda x: x * x * x, (leaf(*X),))


def test_a_kink_is_told_from_a_wrong_gradient() -> None:
    with pytest.raises(GradcheckError, match="kink or a jump"):
        gradcheck(lambda x: (x - 0.3).relu(), (leaf(0.3, 1.0),))


def test_several_outputs_are_each_checked() -> None:
    assert gradcheck(lambda x, y: (x * y, x / y), (leaf(*X), leaf(*Y)))
    with pytest.raises(GradcheckError, match="output 1"):
        gradcheck(lambda x, y: (x * y, function(flipped_sign)(x, y)), (leaf(*X), leaf(*Y)))


def test_forward_mode_is_checked_if_asked() -> None:
    assert gradcheck(lambda x: x.exp() * x, (leaf(*X),), check_forward_ad=True)


def test_a_rule_with_a_wrong_second_derivative_passes_once_but_not_twice() -> None:
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            (x,) = ctx.saved_tensors
            return g * 3 * x.detach() ** 2

    assert gradcheck(Cube.apply, (leaf(*X),))
    with pytest.raises(GradcheckError):
        gradgradcheck(Cube.apply, (leaf(*X),))


def test_nothing_to_check() -> None:
    with pytest.raises(ValueError, match="at least one input"):
        gradcheck(lambda x: x, (torch.ones(2),))
