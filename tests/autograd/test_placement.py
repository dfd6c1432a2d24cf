"""Keywords of functions that make tensors: those of placement change nothing, others are refused in PyTorch's words."""

import pytest

from snippets.torch_api import torch

UNKNOWN = {
    "torch.ones(2, require_grad=True)": "ones() got an unexpected keyword argument 'require_grad'",
    "torch.ones_like(torch.ones(2), foo=1)": "ones_like() got an unexpected keyword argument 'foo'",
    "torch.ones(2).new_zeros(2, foo=1)": "new_zeros() got an unexpected keyword argument 'foo'",
    "torch.randn(2, require_grad=True)": "randn() received an invalid combination of arguments - got (int, "
    "require_grad=bool), but expected one of:",
    "torch.normal(0.0, 1.0, (2,), foo=1)": "normal() received an invalid combination of arguments - got (float, float, "
    "tuple, foo=int), but expected one of:",
    "torch.ones(2).to(foo=1)": "to() received an invalid combination of arguments - got (foo=int, ), but expected one "
    "of:",
}


@pytest.mark.parametrize("code", UNKNOWN)
def test_an_unknown_keyword_is_refused(code: str) -> None:
    with pytest.raises(TypeError) as caught:
        eval(code, {"torch": torch})
    assert str(caught.value).splitlines()[0] == UNKNOWN[code]


def test_placement_changes_nothing() -> None:
    made = torch.ones(size=(2,), device="cpu", layout=torch.strided, pin_memory=False)
    assert made.tolist() == [1.0, 1.0]
    assert torch.rand_like(made, memory_format=torch.preserve_format).shape == (2,)
