"""Softmax over very many classes, cheaply (Grave and others, arXiv:1609.04309): rare classes stand in clusters."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from autograd import creation
from autograd.dispatch import make
from autograd.nn import functional as F
from autograd.nn.containers import ModuleList, Sequential
from autograd.nn.linear import Linear
from autograd.nn.module import Module
from autograd.tensor import Tensor

_ASMoutput = namedtuple("_ASMoutput", ["output", "loss"])


class AdaptiveLogSoftmaxWithLoss(Module):
    """Log-probabilities of the targets (N,) for inputs (N, in_features), and their mean loss.

    ``head`` knows the classes below ``cutoffs[0]`` and one entry for each cluster; ``tail[i]`` knows those from
    ``cutoffs[i]`` to the next, through ``in_features / div_value ** (i + 1)`` numbers. Raises ValueError for cutoffs
    that do not rise between 1 and n_classes - 1, RuntimeError for inputs and targets that do not fit.
    """

    def __init__(
        self,
        in_features: int,
        n_classes: int,
        cutoffs: Sequence[int],
        div_value: float = 4.0,
        head_bias: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        cutoffs = list(cutoffs)
        if not cutoffs:
            raise ValueError("cutoffs should be a sequence of length larger than 0")
        rising = all(low < high for low, high in pairwise([0, *cutoffs, n_classes]))
        if not rising or any(int(c) != c for c in cutoffs):
            raise ValueError(
                "cutoffs should be a sequence of unique, positive integers sorted in an increasing order, where each "
                "value is between 1 and n_classes-1"
            )
        self.in_features = in_features
        self.n_classes = n_classes
        self.cutoffs = [*cutoffs, n_classes]
        self.div_value = div_value
        self.head_bias = head_bias
        self.shortlist_size = self.cutoffs[0]
        self.n_clusters = len(self.cutoffs) - 1
        self.head_size = self.shortlist_size + self.n_clusters
        self.head = Linear(in_features, self.head_size, head_bias, device, dtype)
        self.tail = ModuleList()
        for i, (low, high) in enumerate(pairwise(self.cutoffs)):
            width = int(in_features // div_value ** (i + 1))
            self.tail.append(
                Sequential(
                    Linear(in_features, width, False, device, dtype), Linear(width, high - low, False, device, dtype)
                )
            )

    def reset_parameters(self) -> None:
        """Draw all weights anew."""
        for layer in [self.head, *(layer for cluster in self.tail for layer in cluster)]:
            layer.reset_parameters()

    def forward(self, input_: Tensor, target_: Tensor) -> Any:
        _check(input_, target_)
        batched = target_.ndim > 0
        input, target = (input_, target_) if batched else (input_.unsqueeze(0), target_.unsqueeze(0))
        wanted = np.asarray(target.array)
        if ((wanted < 0) | (wanted >= self.n_classes)).any():
            raise RuntimeError(
                f"Target values should be in [0, {self.n_classes - 1}], but values in range [{wanted.min()}, "
                f"{wanted.max()}] were found. "
            )
        output: Tensor = creation.zeros(len(wanted), dtype=input.dtype)
        columns = wanted.copy()  # of each target in the head: its own, or that of its cluster
        for i, (low, high) in enumerate(pairwise(self.cutoffs)):
            rows = np.nonzero((wanted >= low) & (wanted < high))[0]
            if len(rows):
                columns[rows] = self.shortlist_size + i
                inside = F.log_softmax(self.tail[i](input.index_select(0, make(rows))), dim=1)
                chosen = inside.gather(1, make(wanted[rows, None] - low)).squeeze(1)
                output = output.index_copy(0, make(rows), chosen)
        head = F.log_softmax(self.head(input), dim=1)
        output = output + head.gather(1, make(columns[:, None])).squeeze()
        loss = (-output).mean()
        return _ASMoutput(output if batched else output.squeeze(0), loss)

    def _all_of(self, input: Tensor, head_output: Tensor) -> Tensor:
        head = F.log_softmax(head_output, dim=1)
        result: Tensor = creation.zeros(len(head), self.n_classes, dtype=head.dtype)
        result[:, : self.shortlist_size] = head[:, : self.shortlist_size]
        for i, (low, high) in enumerate(pairwise(self.cutoffs)):
            inside = F.log_softmax(self.tail[i](input), dim=1)
            result[:, low:high] = inside + head[:, self.shortlist_size + i].unsqueeze(1)
        return result

    def log_prob(self, input: Tensor) -> Tensor:
        """The log-probabilities of all classes: (N, n_classes)."""
        return self._all_of(input, self.head(input))

    def predict(self, input: Tensor) -> Tensor:
        """The likeliest class of each input; clusters are looked into only where the head points at one."""
        head_output = self.head(input)
        best: Tensor = head_output.argmax(1)
        outside = best >= self.shortlist_size
        if outside.any():
            best[outside] = self._all_of(input[outside], head_output[outside]).argmax(1)
        return best


def _check(input: Tensor, target: Tensor) -> None:
    if target.ndim == 1:
        if input.size(0) != target.size(0):
            raise RuntimeError("Input and target should have the same size in the batch dimension.")
        if input.ndim != 2:
            raise RuntimeError(f"1D target tensor expects 2D input tensors, but found inputs with size {input.size()}")
    elif target.ndim == 0:
        if input.ndim != 1:
            raise RuntimeError(f"0D target tensor expects 1D input tensors, but found inputs with size {input.size()}")
    else:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
