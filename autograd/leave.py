"""Ways out of the graph: detach, data, item, tolist, numpy, copies."""

from __future__ import annotations

from typing import Any

import numpy as np

from .dispatch import edge_of, make, storage_of
from .mode import modes, switch
from .tensor import Meta, Tensor, meta_for


def detach(t: Tensor) -> Tensor:
    """The same memory and version counter, no history."""
    storage = storage_of(t)
    result = make(t.array)
    result._storage = storage
    _keep_offset(t, result)
    if t._meta is not None and t._meta.inference:
        meta_for(result).inference = True
    _tell("detach", t, result)
    return result


def detach_(t: Tensor) -> Tensor:
    """Cuts ``t`` from its history; RuntimeError for a view."""
    if t._is_view():
        raise RuntimeError(
            "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for "
            "training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence "
            "detach_() cannot be called on these gradients. To fix this error, please refer to the "
            "Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution."
        )
    if switch.special and modes.recorder is not None:
        modes.recorder.detached_in_place(t)
    t._edge = None
    if t._meta is not None:
        t._meta.requires_grad = False
        t._meta.retains = False
        t._meta.accumulator = None
    return t


def data(t: Tensor) -> Tensor:
    """The same memory, a version counter of its own, no history."""
    storage_of(t)
    result = make(t.array)
    storage_of(result)
    _keep_offset(t, result)
    _tell("data", t, result)
    return result


def _keep_offset(t: Tensor, result: Tensor) -> None:
    """``result``, which is no view to the engine, begins where the view ``t`` does."""
    meta = t._meta
    if meta is not None and (meta.view is not None or meta.offset):
        offset = t.storage_offset()
        if offset:
            meta_for(result).offset = offset


def set_data(t: Tensor, value: Tensor) -> None:
    """``t.data = value``: ``t`` keeps its history and takes the memory of ``value``."""
    if not isinstance(value, Tensor):
        raise TypeError(f"Variable data has to be a tensor, but got {type(value).__name__}")
    if t.requires_grad and not value.is_floating_point():
        raise RuntimeError("data set to a tensor that requires gradients must be floating point or complex dtype")
    before = modes.recorder.before_write(t) if switch.special and modes.recorder is not None else None
    storage_of(value)
    t.array = value.array
    if t._meta is not None:
        t._meta.accumulator = None
    if before is not None and modes.recorder is not None:
        modes.recorder.after_write(t, None, (t, value), (), before, None)


def item(t: Tensor) -> Any:
    """The only entry of ``t`` as a Python number; RuntimeError if there is not exactly one."""
    array = t.array
    if array.size != 1:
        raise RuntimeError(f"a Tensor with {array.size} elements cannot be converted to Scalar")
    value = array.item()
    _tell("item", t, value)
    return value


def tolist(t: Tensor) -> Any:
    """The entries of ``t`` as nested lists of Python numbers."""
    value = t.array.tolist()
    _tell("tolist", t, value)
    return value


def numpy(t: Tensor, force: bool = False) -> Any:
    """The array of ``t``, shared; RuntimeError if ``t`` requires grad and ``force`` is not set."""
    if t.requires_grad and not force and modes.grad:
        raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
    storage_of(t)
    _tell("numpy", t, t.array)
    return t.array


def _tell(how: str, t: Tensor, value: Any) -> None:
    if switch.special and modes.recorder is not None:
        modes.recorder.left(how, t, value)


def deepcopy(t: Tensor, memo: dict[int, Any]) -> Tensor:
    """A copy with its own memory; RuntimeError for non-leaves, as in PyTorch."""
    if id(t) in memo:
        found: Tensor = memo[id(t)]
        return found
    if not t.is_leaf:
        raise RuntimeError(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  "
            "If you were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, "
            "see https://github.com/pytorch/pytorch/pull/103001"
        )
    copy = make(np.array(t.array), type(t)) if t.array.ndim else make(t.array[()], type(t))
    memo[id(t)] = copy
    meta = t._meta
    if meta is not None:
        copy._meta = Meta()
        copy._meta.requires_grad = meta.requires_grad
        if meta.grad is not None:
            copy._meta.grad = deepcopy(meta.grad, memo)
    for name, value in t.__dict__.items():
        import copy as module

        copy.__dict__[name] = module.deepcopy(value, memo)
    return copy


def _rebuild(cls: type[Tensor], array: Any, requires_grad: bool) -> Tensor:
    t = make(array, cls)
    if requires_grad:
        meta_for(t).requires_grad = True
    return t


def shallow(t: Tensor) -> Tensor:
    """``copy.copy(t)``: another tensor, a leaf, on the same memory."""
    alias = make(t.array, type(t))
    alias._storage = storage_of(t)
    if t.requires_grad:
        meta_for(alias).requires_grad = True
    return alias


def reduce(t: Tensor) -> Any:
    """How a leaf is pickled."""
    return _rebuild, (type(t), np.array(t.array), t.requires_grad and edge_of(t)[1] == 0)
