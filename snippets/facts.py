"""What a trace does not hold but a diagnosis needs: who holds which leaf, and what modules keep out of their registry.

Collected in the worker after the run, from the snippet's top-level variables; the result is plain JSON data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from autograd import nn, optim
from autograd.tensor import Tensor

#: Registries that nn.Module keeps in the instance dictionary.
REGISTRIES = ("_parameters", "_buffers", "_modules")


def collect(namespace: Mapping[str, Any], node_of: Callable[[Any], str | None]) -> dict[str, Any]:
    """The facts about a finished run.

    ``node_of`` maps a tensor to the id of its trace node, or None. The keys are ``modules`` and ``optimizers``.
    A module: ``name, type, training, parameters`` (their number), ``nodes``, ``hidden`` (what is kept outside the
    registry: ``path`` and ``what``), ``modes`` (whether a child behaves differently in training and evaluation),
    ``modal`` (the first such child in training mode), ``drifting`` (frozen batch normalisation in training mode).
    """
    named = [(name, value) for name, value in namespace.items() if not name.startswith("__")]
    return {
        "modules": [_module(name, value, node_of) for name, value in named if isinstance(value, nn.Module)],
        "optimizers": [_optimizer(name, value, node_of) for name, value in named if isinstance(value, optim.Optimizer)],
    }


def _module(name: str, module: Any, node_of: Callable[[Any], str | None]) -> dict[str, Any]:
    parameters = list(module.parameters())
    registered = {id(parameter) for parameter in parameters}
    children = list(module.named_modules())
    modal = next((type(child).__name__ for _, child in children if child.training and _has_modes(child)), None)
    return {
        "name": name,
        "type": type(module).__name__,
        "training": module.training,
        "parameters": len(parameters),
        "nodes": [node for node in map(node_of, parameters) if node is not None],
        "hidden": [
            {"path": found_path, "what": what}
            for path, child in children
            for found_path, what in _hidden(f"{path}." if path else "", child, registered)
        ],
        "modal": modal,
        "modes": any(_has_modes(child) for _, child in children),
        "drifting": [f"{name}.{path}" if path else name for path, child in children if _drifts(child)],
    }


def _optimizer(name: str, optimizer: Any, node_of: Callable[[Any], str | None]) -> dict[str, Any]:
    parameters = [parameter for group in optimizer.param_groups for parameter in group["params"]]
    group = optimizer.param_groups[0]
    return {
        "name": name,
        "type": type(optimizer).__name__,
        "lr": float(group["lr"]),
        "momentum": float(group.get("momentum", 0) or 0),
        "weight_decay": float(group.get("weight_decay", 0) or 0),
        "parameters": [node for node in map(node_of, parameters) if node is not None],
    }


def _has_modes(module: Any) -> bool:
    kind = type(module).__name__
    return ("Dropout" in kind and getattr(module, "p", 1) > 0) or "BatchNorm" in kind


def _drifts(module: Any) -> bool:
    own = list(module.parameters(recurse=False))
    return (
        "BatchNorm" in type(module).__name__
        and module.training
        and getattr(module, "track_running_stats", False)
        and bool(own)
        and not any(parameter.requires_grad for parameter in own)
    )


def _hidden(prefix: str, module: Any, registered: set[int]) -> Iterator[tuple[str, str]]:
    """Tensors that require grad and modules with weights that stand in plain attributes and containers."""
    for key, value in vars(module).items():
        if key in REGISTRIES or key.startswith("_"):
            continue
        yield from _unregistered(f"{prefix}{key}", value, registered, depth=2)


def _unregistered(path: str, value: Any, registered: set[int], depth: int) -> Iterator[tuple[str, str]]:
    if isinstance(value, nn.Module):
        weights = list(value.parameters())
        if weights and not any(id(weight) in registered for weight in weights):
            yield path, "module"
    elif isinstance(value, Tensor):
        if value.requires_grad and value.is_leaf and id(value) not in registered:
            yield path, "tensor"
    elif depth and isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _unregistered(f"{path}[{index}]", item, registered, depth - 1)
    elif depth and isinstance(value, dict):
        for key, item in value.items():
            yield from _unregistered(f"{path}[{key!r}]", item, registered, depth - 1)
