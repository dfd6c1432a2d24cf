"""What is left out says so, and names what to do instead."""

from __future__ import annotations

import pytest

from autograd.unsupported import INSTEAD, METHODS_INSTEAD
from snippets.torch_api import torch


@pytest.mark.parametrize("name", sorted(INSTEAD))
def test_a_name_left_out_says_what_to_do_instead(name: str) -> None:
    if not hasattr(torch, name):
        with pytest.raises(AttributeError, match=f"has no attribute '{name}': "):
            getattr(torch, name)


@pytest.mark.parametrize("name", sorted(METHODS_INSTEAD))
def test_a_method_left_out_says_what_to_do_instead(name: str) -> None:
    with pytest.raises(AttributeError, match=f"'Tensor' object has no attribute '{name}': "):
        getattr(torch.ones(2), name)


def test_other_names_are_plainly_missing() -> None:
    with pytest.raises(AttributeError, match=r"^'Tensor' object has no attribute 'nosuchmethod'$"):
        torch.ones(2).nosuchmethod  # noqa: B018
