"""Connectionist temporal classification: the probability of a label sequence, over all its alignments with the "
"input."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensor import Tensor
from .loss import _checked
from .namespaces import neural
from .table import FUNCTIONS, op


def _extended(labels: Any, blank: int) -> Any:
    """The labels with blanks around each."""
    wide = np.full(2 * len(labels) + 1, blank, np.int64)
    wide[1::2] = labels
    return wide


def _skips(wide: Any, blank: int) -> Any:
    """Where an alignment may come from two places before: at a label that differs from the one before it."""
    skip = np.zeros(len(wide), bool)
    skip[2:] = (wide[2:] != blank) & (wide[2:] != wide[:-2])
    return skip


def _forward(logs: Any, wide: Any, skip: Any) -> Any:
    """alpha[t, s]: the logarithm of the probability of all ways to be at s after t steps."""
    steps, size = len(logs), len(wide)
    alpha = np.full((steps, size), -np.inf)
    alpha[0, : min(2, size)] = logs[0, wide[: min(2, size)]]
    for t in range(1, steps):
        stay, one = alpha[t - 1], np.concatenate([[-np.inf], alpha[t - 1, :-1]])
        two = np.where(skip, np.concatenate([[-np.inf, -np.inf], alpha[t - 1, :-2]])[:size], -np.inf)
        alpha[t] = np.logaddexp(np.logaddexp(stay, one), two) + logs[t, wide]
    return alpha


def _parts(targets: Any, lengths: Any) -> list[Any]:
    if targets.ndim == 2:
        return [row[:n] for row, n in zip(targets, lengths, strict=True)]
    ends = np.cumsum(lengths)
    return [targets[end - n : end] for end, n in zip(ends, lengths, strict=True)]


def _ctc(log_probs: Any, targets: Any, lengths: tuple[Any, Any], blank: int, zero_infinity: bool) -> Any:
    input_lengths, target_lengths = lengths
    losses = np.zeros(log_probs.shape[1], log_probs.dtype)
    for b, labels in enumerate(_parts(targets, target_lengths)):
        wide = _extended(labels, blank)
        steps = int(input_lengths[b])
        if steps == 0:
            losses[b] = 0 if len(labels) == 0 else np.inf
            continue
        alpha = _forward(log_probs[:steps, b].astype(np.float64), wide, _skips(wide, blank))
        ends = alpha[-1, -2:] if len(wide) > 1 else alpha[-1, -1:]
        losses[b] = -np.logaddexp.reduce(ends)
    return np.where(np.isinf(losses), 0, losses).astype(losses.dtype) if zero_infinity else losses


def _slopes(
    log_probs: Any, targets: Any, losses: Any, lengths: tuple[Any, Any], blank: int, zero_infinity: bool
) -> Any:
    """exp(logp) - share of the alignments through each place: the slope behind a log_softmax, as PyTorch has it."""
    out = np.zeros(log_probs.shape, log_probs.dtype)
    for b, labels in enumerate(_parts(targets, lengths[1])):
        wide, steps = _extended(labels, blank), int(lengths[0][b])
        if steps == 0 or np.isinf(losses[b]) or (zero_infinity and losses[b] == 0 and len(labels)):
            if steps and np.isinf(losses[b]):
                out[:steps, b] = np.nan
            continue
        logs = log_probs[:steps, b].astype(np.float64)
        alpha = _forward(logs, wide, _skips(wide, blank))
        turned = wide[::-1]
        beta = _forward(logs[::-1], turned, _skips(turned, blank))[::-1, ::-1]
        share = np.full(logs.shape, -np.inf)
        both = alpha + beta
        for s, label in enumerate(wide):
            share[:, label] = np.logaddexp(share[:, label], both[:, s])
        out[:steps, b] = np.exp(logs) - np.exp(share + losses[b] - logs)
    return out


def _raw(*values: Any) -> list[Any]:
    return [x.array if isinstance(x, Tensor) else x for x in values]


def _ctc_rule(
    g: Any, m: Any, log_probs: Any, targets: Any, result: Any, lengths: Any, blank: int, zero_infinity: bool
) -> Any:
    if isinstance(g, Tensor):
        raise NotImplementedError("the derivative for '_ctc_loss_backward' is not implemented.")
    return _slopes(log_probs, targets, result, lengths, blank, zero_infinity) * g[:, None]


def _ctc_forward_rule(
    t: Any, m: Any, log_probs: Any, targets: Any, result: Any, lengths: Any, blank: int, zero_infinity: bool
) -> Any:
    logs, labels, losses = _raw(log_probs, targets, result)
    slopes = _slopes(logs, labels, losses, lengths, blank, zero_infinity)
    return m.sum(t * m.asarray(slopes), (0, 2), False)


ctc = op(
    "ctc", "CtcLossBackward0", _ctc, inputs="log_probs targets", vjp={"log_probs": _ctc_rule},
    jvp={"log_probs": _ctc_forward_rule}, local={"log_probs": "p - share of the alignments"},
    rule={"log_probs": "g · (p - share of the alignments)"}, symbol="ctc_loss({log_probs})",
    method=False, public=False, shown="ctc_loss",
)  # fmt: skip


@neural
def ctc_loss(
    log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any, blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:  # fmt: skip
    """Minus the log probability of each target; ``log_probs`` is (T, N, C), lengths are given for each sample."""
    from ..creation import tensor

    reduction = _checked(reduction)
    single = log_probs.ndim == 2
    if single:
        log_probs = log_probs.unsqueeze(1)
    raw = [np.atleast_1d(np.asarray(x.array if isinstance(x, Tensor) else x)) for x in (input_lengths, target_lengths)]
    if int(raw[0].max(initial=0)) > log_probs.shape[0]:
        raise RuntimeError(
            f"Expected input_lengths to have value at most {log_probs.shape[0]}, but got value {int(raw[0].max())} "
            "(while checking arguments for ctc_loss_allocate_outputs)"
        )
    if not 0 <= blank < log_probs.shape[2]:
        raise RuntimeError("blank must be in label range")
    losses = ctc.function(log_probs, targets, (raw[0], raw[1]), blank, zero_infinity)
    if reduction == "none":
        return losses.squeeze(0) if single else losses  # type: ignore[no-any-return]
    if reduction == "sum":
        return losses.sum()  # type: ignore[no-any-return]
    return (losses / tensor(np.maximum(raw[1], 1).astype(log_probs.array.dtype))).mean()  # type: ignore[no-any-return]


FUNCTIONS["ctc_loss"] = ctc_loss
