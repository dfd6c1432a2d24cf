"""Recurrent cells and networks: one step, and all steps of a sequence.

The weights of all gates stand on top of each other in one matrix, in PyTorch's order: input, forget, cell, output for
the LSTM; reset, update, new for the GRU. They start uniform within 1 / sqrt(hidden_size).
"""

from __future__ import annotations

import math
import warnings
from typing import Any

from autograd.nn import functional as F
from autograd.nn import init
from autograd.nn.module import Module
from autograd.nn.packed import PackedSequence, packed_steps
from autograd.nn.parameter import Parameter, new_parameter, zeros
from autograd.tensor import Tensor

Weights = tuple[Tensor, Tensor, Tensor | None, Tensor | None]


def rnn_step(x: Tensor, h: Tensor, weights: Weights, nonlinearity: str) -> Tensor:
    """h' = tanh(W_ih x + b_ih + W_hh h + b_hh), or relu of it."""
    w_ih, w_hh, b_ih, b_hh = weights
    total = F.linear(x, w_ih, b_ih) + F.linear(h, w_hh, b_hh)
    return F.tanh(total) if nonlinearity == "tanh" else F.relu(total)


def lstm_step(x: Tensor, state: tuple[Tensor, Tensor], weights: Weights) -> tuple[Tensor, Tensor]:
    """c' = f c + i g, h' = o tanh(c'), gates i, f, o and candidate g from x and h."""
    h, c = state
    w_ih, w_hh, b_ih, b_hh = weights
    i, f, g, o = (F.linear(x, w_ih, b_ih) + F.linear(h, w_hh, b_hh)).chunk(4, 1)
    c = F.sigmoid(f) * c + F.sigmoid(i) * F.tanh(g)
    return F.sigmoid(o) * F.tanh(c), c


def gru_step(x: Tensor, h: Tensor, weights: Weights) -> Tensor:
    """h' = n + z (h - n), n = tanh(x part + r * h part), gates r and z from x and h."""
    w_ih, w_hh, b_ih, b_hh = weights
    x_r, x_z, x_n = F.linear(x, w_ih, b_ih).chunk(3, 1)
    h_r, h_z, h_n = F.linear(h, w_hh, b_hh).chunk(3, 1)
    r, z = F.sigmoid(x_r + h_r), F.sigmoid(x_z + h_z)
    n = F.tanh(x_n + r * h_n)
    return (h - n) * z + n


class RNNCellBase(Module):
    """What the cells share: weights (gates * hidden, input) and (gates * hidden, hidden), and their biases."""

    weight_ih: Parameter
    weight_hh: Parameter
    bias_ih: Parameter | None
    bias_hh: Parameter | None

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool,
        num_chunks: int,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        rows = num_chunks * hidden_size
        self.weight_ih = new_parameter((rows, input_size), dtype, device)
        self.weight_hh = new_parameter((rows, hidden_size), dtype, device)
        for name in ("bias_ih", "bias_hh"):
            self.register_parameter(name, new_parameter((rows,), dtype, device) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw all weights anew."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def extra_repr(self) -> str:
        out = f"{self.input_size}, {self.hidden_size}"
        if self.bias is not True:
            out += f", bias={self.bias}"
        if self.__dict__.get("nonlinearity", "tanh") != "tanh":
            out += f", nonlinearity={self.nonlinearity}"
        return out

    def _weights(self) -> Weights:
        return self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh

    def _check(self, what: str, t: Tensor) -> None:
        if t.ndim not in (1, 2):
            raise ValueError(f"{type(self).__name__}: Expected {what} to be 1D or 2D, got {t.ndim}D instead")

    def _check_sizes(self, input: Tensor, *states: Tensor) -> None:
        """Raises RuntimeError when an input or a state (with batch dimension) does not fit the weights."""
        if input.shape[1] != self.input_size:
            raise RuntimeError(f"input has inconsistent input_size: got {input.shape[1]} expected {self.input_size}")
        for place, state in enumerate(states):
            if state.shape[0] != input.shape[0]:
                raise RuntimeError(
                    f"Input batch size {input.shape[0]} doesn't match hidden{place} batch size {state.shape[0]}"
                )
            if state.shape[1] != self.hidden_size:
                raise RuntimeError(
                    f"hidden{place} has inconsistent hidden_size: got {state.shape[1]}, expected {self.hidden_size}"
                )

    def _start(self, input: Tensor) -> Tensor:
        return zeros((input.shape[0], self.hidden_size), input.dtype)


class RNNCell(RNNCellBase):
    """tanh(W_ih x + b_ih + W_hh h + b_hh): input (N, input_size) and state (N, hidden_size), or without N."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        self._check("input", input)
        if hx is not None:
            self._check("hidden", hx)
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        batched = input.ndim == 2
        x = input if batched else input.unsqueeze(0)
        h = self._start(x) if hx is None else (hx if batched else hx.unsqueeze(0))
        self._check_sizes(x, h)
        out = rnn_step(x, h, self._weights(), self.nonlinearity)
        return out if batched else out.squeeze(0)


class LSTMCell(RNNCellBase):
    """One step of an LSTM: input (N, input_size) and states h, c (N, hidden_size), or without N; returns (h, c)."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, Tensor]:
        self._check("input", input)
        for place, state in enumerate(hx or ()):
            self._check(f"hx[{place}]", state)
        batched = input.ndim == 2
        x = input if batched else input.unsqueeze(0)
        if hx is None:
            start = self._start(x)
            hx = (start, start)
        elif not batched:
            hx = (hx[0].unsqueeze(0), hx[1].unsqueeze(0))
        self._check_sizes(x, *hx)
        h, c = lstm_step(x, hx, self._weights())
        return (h, c) if batched else (h.squeeze(0), c.squeeze(0))


class GRUCell(RNNCellBase):
    """One step of a GRU: input (N, input_size) and state (N, hidden_size), or without N."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        self._check("input", input)
        if hx is not None:
            self._check("hidden", hx)
        batched = input.ndim == 2
        x = input if batched else input.unsqueeze(0)
        h = self._start(x) if hx is None else (hx if batched else hx.unsqueeze(0))
        self._check_sizes(x, h)
        out = gru_step(x, h, self._weights())
        return out if batched else out.squeeze(0)


class RNNBase(Module):
    """Layers of cells over a sequence (L, N, input_size), (N, L, input_size) with ``batch_first``, or without N.

    The parameters of layer k are ``weight_ih_l{k}``, ``weight_hh_l{k}``, ``bias_ih_l{k}``, ``bias_hh_l{k}``, and the
    same with ``_reverse`` for the direction from the end. ``dropout`` acts between layers. Raises ValueError, TypeError
    for settings out of range, RuntimeError for inputs and states that do not fit.
    """

    gates = 1

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        _check_settings(input_size, hidden_size, num_layers, bias, batch_first, dropout)
        if proj_size != 0:
            raise ValueError(
                "proj_size is not supported; put a Linear(hidden_size, proj_size, bias=False) behind the LSTM instead"
            )
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        rows = self.gates * hidden_size
        for layer in range(num_layers):
            columns = input_size if layer == 0 else hidden_size * self._directions()
            for suffix in self._suffixes():
                setattr(self, f"weight_ih_l{layer}{suffix}", new_parameter((rows, columns), dtype, device))
                setattr(self, f"weight_hh_l{layer}{suffix}", new_parameter((rows, hidden_size), dtype, device))
                if bias:
                    setattr(self, f"bias_ih_l{layer}{suffix}", new_parameter((rows,), dtype, device))
                    setattr(self, f"bias_hh_l{layer}{suffix}", new_parameter((rows,), dtype, device))
        self.reset_parameters()

    def _directions(self) -> int:
        return 2 if self.bidirectional else 1

    def _suffixes(self) -> tuple[str, ...]:
        return ("", "_reverse") if self.bidirectional else ("",)

    def reset_parameters(self) -> None:
        """Draw all weights anew."""
        bound = 1.0 / math.sqrt(self.hidden_size)
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def flatten_parameters(self) -> None:
        """Nothing to do: PyTorch lays weights out for its GPU library here."""

    @property
    def all_weights(self) -> list[list[Parameter]]:
        """The parameters of each layer and direction."""
        names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")[: 4 if self.bias else 2]
        return [
            [getattr(self, f"{name}_l{layer}{suffix}") for name in names]
            for layer in range(self.num_layers)
            for suffix in self._suffixes()
        ]

    def extra_repr(self) -> str:
        out = f"{self.input_size}, {self.hidden_size}"
        for name, usual in (
            ("num_layers", 1),
            ("bias", True),
            ("batch_first", False),
            ("dropout", 0),
            ("bidirectional", False),
        ):
            value = getattr(self, name)
            if value != usual:
                out += f", {name}={value}"
        return out

    def _cell(self, x: Tensor, state: Any, weights: Weights) -> Any:
        """One step: the next state."""
        raise NotImplementedError

    def _run(self, input: Tensor, states: list[Any]) -> tuple[Tensor, list[Any]]:
        """All layers over ``input`` (L, N, input_size); ``states`` has one entry a layer and direction."""
        steps = list(input.unbind(0))
        out: Tensor = input
        finals: list[Any] = []
        for layer in range(self.num_layers):
            results = []
            for place, suffix in enumerate(self._suffixes()):
                weights = self._weights_of(layer, suffix)
                state = states[layer * self._directions() + place]
                outputs = []
                for x in reversed(steps) if suffix else steps:
                    state = self._cell(x, state, weights)
                    outputs.append(state[0] if isinstance(state, tuple) else state)
                finals.append(state)
                results.append(F.stack(outputs[::-1] if suffix else outputs, 0))
            out = F.cat(results, -1) if len(results) > 1 else results[0]
            if layer < self.num_layers - 1:
                if self.dropout > 0 and self.training:
                    out = F.dropout(out, self.dropout, True)
                steps = list(out.unbind(0))
        return out, finals

    def _run_packed(self, packed: PackedSequence, hx: tuple[Tensor, ...] | None, states: int) -> tuple[Any, ...]:
        """All layers over packed sequences: the outputs, packed, and the last states, each (layers, N, hidden)."""
        data, batch_sizes, order, back = packed
        if data.ndim != 2:
            raise RuntimeError(f"input must have 2 dimensions, got {data.ndim}")
        self._check_input(data)
        sizes = batch_sizes.tolist()
        if hx is None:
            hx = (self._zero_state(data, sizes[0]),) * states
        elif order is not None:
            hx = tuple(each.index_select(1, order) for each in hx)
        for place, each in enumerate(hx):
            self._check_state(each, sizes[0], f"Expected hidden{[place] if states > 1 else ''} size {{}}, got {{}}")
        finals = []
        for layer in range(self.num_layers):
            results = []
            for place, suffix in enumerate(self._suffixes()):
                weights = self._weights_of(layer, suffix)
                start = tuple(each[layer * self._directions() + place] for each in hx)

                def step(x: Tensor, state: tuple[Tensor, ...], weights: Any = weights) -> tuple[Tensor, ...]:
                    new = self._cell(x, state if states > 1 else state[0], weights)
                    return new if states > 1 else (new,)

                result, final = packed_steps(step, data, sizes, start, bool(suffix))
                results.append(result)
                finals.append(final)
            data = F.cat(results, -1) if len(results) > 1 else results[0]
            if layer < self.num_layers - 1 and self.dropout > 0 and self.training:
                data = F.dropout(data, self.dropout, True)
        last = [F.stack(list(each), 0) for each in zip(*finals, strict=True)]
        if back is not None:
            last = [each.index_select(1, back) for each in last]
        return PackedSequence(data, batch_sizes, order, back), *last

    def _weights_of(self, layer: int, suffix: str) -> Any:
        return [
            getattr(self, f"{name}_l{layer}{suffix}") if self.bias or "weight" in name else None
            for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        ]

    def _check_input(self, input: Tensor) -> None:
        weight = self.weight_ih_l0
        if input.dtype != weight.dtype:
            raise ValueError(
                f"RNN input dtype ({input.dtype}) does not match weight dtype ({weight.dtype}). Convert input: "
                f"input.to({weight.dtype}), or convert model: model.to({input.dtype})"
            )
        if input.shape[-1] != self.input_size:
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.shape[-1]}"
            )

    def _check_state(self, state: Tensor, batch: int, message: str = "Expected hidden size {}, got {}") -> None:
        wanted = (self.num_layers * self._directions(), batch, self.hidden_size)
        if tuple(state.shape) != wanted:
            raise RuntimeError(message.format(wanted, list(state.shape)))

    def _zero_state(self, input: Tensor, batch: int) -> Tensor:
        return zeros((self.num_layers * self._directions(), batch, self.hidden_size), input.dtype)

    def _time_first(self, input: Tensor, kind: str) -> tuple[Tensor, bool]:
        """``input`` as (L, N, input_size), and whether it came with N."""
        if input.ndim not in (2, 3):
            raise ValueError(f"{type(self).__name__}: Expected input to be 2D or 3D, got {input.ndim}D{kind} instead")
        batched = input.ndim == 3
        if not batched:
            input = input.unsqueeze(1)
        elif self.batch_first:
            input = input.transpose(0, 1)
        self._check_input(input)
        return input, batched

    def _as_given(self, out: Tensor, batched: bool) -> Tensor:
        if not batched:
            out = out.squeeze(1)
        elif self.batch_first:
            out = out.transpose(0, 1)
        return out

    def _forward_single(self, input: Tensor, hx: Tensor | None, kind: str) -> tuple[Tensor, Tensor]:
        """For networks whose state is one tensor."""
        if isinstance(input, PackedSequence):
            return self._run_packed(input, None if hx is None else (hx,), 1)
        if hx is not None and input.ndim in (2, 3) and hx.ndim != input.ndim:
            batch = "batched" if input.ndim == 3 else "unbatched"
            raise RuntimeError(
                f"For {batch} {input.ndim}-D input, hx should also be {input.ndim}-D but got {hx.ndim}-D tensor"
            )
        x, batched = self._time_first(input, kind)
        if hx is None:
            hx = self._zero_state(x, x.shape[1])
        elif not batched:
            hx = hx.unsqueeze(1)
        self._check_state(hx, x.shape[1])
        out, finals = self._run(x, list(hx.unbind(0)))
        state = F.stack(finals, 0)
        return self._as_given(out, batched), state if batched else state.squeeze(1)


def _check_settings(
    input_size: Any, hidden_size: Any, num_layers: int, bias: Any, batch_first: Any, dropout: Any
) -> None:
    if isinstance(dropout, bool) or not isinstance(dropout, (int, float)) or not 0 <= dropout <= 1:
        raise ValueError(
            "dropout should be a number in range [0, 1] representing the probability of an element being zeroed"
        )
    if dropout > 0 and num_layers == 1:
        warnings.warn(
            "dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects num_layers "
            f"greater than 1, but got dropout={dropout} and num_layers={num_layers}",
            stacklevel=4,
        )
    for name, flag in (("bias", bias), ("batch_first", batch_first)):
        if not isinstance(flag, bool):
            raise TypeError(f"{name} should be of type bool, got: {type(flag).__name__}")
    for name, size in (("input_size", input_size), ("hidden_size", hidden_size)):
        if not isinstance(size, int):
            raise TypeError(f"{name} should be of type int, got: {type(size).__name__}")
        if size <= 0:
            raise ValueError(f"{name} must be greater than zero")
    if num_layers <= 0:
        raise ValueError("num_layers must be greater than zero")


class RNN(RNNBase):
    """Layers of RNNCell; returns all outputs and the last state of each layer."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        if len(args) > 3:
            nonlinearity, args = args[3], args[:3] + args[4:]
        else:
            nonlinearity = kwargs.pop("nonlinearity", "tanh")
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        super().__init__("RNN_TANH" if nonlinearity == "tanh" else "RNN_RELU", *args, **kwargs)
        self.nonlinearity = nonlinearity

    def _cell(self, x: Tensor, state: Tensor, weights: Weights) -> Tensor:
        return rnn_step(x, state, weights, self.nonlinearity)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> tuple[Tensor, Tensor]:
        return self._forward_single(input, hx, " tensor")


class GRU(RNNBase):
    """Layers of GRUCell; returns all outputs and the last state of each layer."""

    gates = 3

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        super().__init__("GRU", *args, **kwargs)

    def _cell(self, x: Tensor, state: Tensor, weights: Weights) -> Tensor:
        return gru_step(x, state, weights)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> tuple[Tensor, Tensor]:
        return self._forward_single(input, hx, "")


class LSTM(RNNBase):
    """Layers of LSTMCell; returns all outputs and the last states (h, c) of each layer."""

    gates = 4

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("LSTM", *args, **kwargs)

    def _cell(self, x: Tensor, state: tuple[Tensor, Tensor], weights: Weights) -> tuple[Tensor, Tensor]:
        return lstm_step(x, state, weights)

    def forward(self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        if isinstance(input, PackedSequence):
            packed, h, c = self._run_packed(input, hx, 2)
            return packed, (h, c)
        x, batched = self._time_first(input, "")
        batch = x.shape[1]
        if hx is None:
            hx = (self._zero_state(x, batch), self._zero_state(x, batch))
        else:
            wanted = input.ndim
            if hx[0].ndim != wanted or hx[1].ndim != wanted:
                kind = "batched" if batched else "unbatched"
                raise RuntimeError(
                    f"For {kind} {wanted}-D input, hx and cx should also be {wanted}-D but got "
                    f"({hx[0].ndim}-D, {hx[1].ndim}-D) tensors"
                )
            if not batched:
                hx = (hx[0].unsqueeze(1), hx[1].unsqueeze(1))
        self._check_state(hx[0], batch, "Expected hidden[0] size {}, got {}")
        self._check_state(hx[1], batch, "Expected hidden[1] size {}, got {}")
        out, finals = self._run(x, list(zip(hx[0].unbind(0), hx[1].unbind(0), strict=True)))
        h, c = F.stack([state[0] for state in finals], 0), F.stack([state[1] for state in finals], 0)
        if not batched:
            h, c = h.squeeze(1), c.squeeze(1)
        return self._as_given(out, batched), (h, c)
