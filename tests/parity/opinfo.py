"""Run PyTorch's own operator samples (``op_db``) through both frameworks and compare, operator by operator.

Every sample is called at the same dotted name of ``snippets.torch_api.torch``; values, dtypes, shapes and the gradients
of all inputs under a random upstream are compared. Needs PyTorch: ``make parity`` runs it and ``make test`` does not.

    python tests/parity/opinfo.py                    # a line for each operator that differs, and the count
    python tests/parity/opinfo.py --only softmax -v  # one operator, every failing sample
    python tests/parity/opinfo.py --missing          # only the names that do not exist here
"""

from __future__ import annotations

import argparse
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import torch as reference
from torch.testing._internal.common_methods_invocations import op_db

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from snippets.torch_api import torch as ours  # noqa: E402

TOLERANCE = {"float16": (1e-2, 1e-2), "float32": (1e-4, 1e-4), "float64": (1e-7, 1e-7)}
#: PyTorch's Bessel functions have seven digits near 5, whatever the type.
SEVEN_DIGITS = {"special.bessel_j0", "special.bessel_j1", "special.bessel_y0", "special.bessel_y1"}
RANDOM = {
    "bernoulli", "cauchy", "empty", "empty_like", "empty_permuted", "empty_strided", "exponential", "geometric",
    "log_normal", "multinomial", "new_empty", "new_empty_strided", "nn.functional.alpha_dropout",
    "nn.functional.dropout", "nn.functional.dropout2d", "nn.functional.dropout3d",
    "nn.functional.feature_alpha_dropout", "nn.functional.fractional_max_pool2d",
    "nn.functional.fractional_max_pool3d", "nn.functional.rrelu", "normal", "pca_lowrank", "rand_like", "randint",
    "randint_like", "randn", "randn_like", "svd_lowrank", "uniform",
}  # fmt: skip


#: Float32 rounding grows beyond any tolerance in these (differences of large numbers): compared in float64.
DOUBLE = {"linalg.lstsq", "logcumsumexp", "matrix_exp"}
#: Decompositions that leave signs open: what the samples make of the result, free of them, is compared.
SIGNS = {"linalg.eigh", "linalg.svd", "pca_lowrank", "svd", "svd_lowrank"}
#: Where entries are equal PyTorch picks any of them: what the positions point at is compared.
#: The number is the place of ``dim`` among the arguments.
PICKS = {"argsort": 0, "kthvalue": 1, "mode": 0, "sort": 0, "topk": 1}


@dataclass
class Report:
    """What happened to the samples of one operator."""

    name: str
    passed: int = 0
    failures: list[str] = field(default_factory=list)
    missing: bool = False


def dtype_here(dtype: Any) -> Any:
    return getattr(ours, str(dtype).removeprefix("torch."))


def _leaf(value: Any) -> Any:
    """The numbers of ``value``, with the memory around them where it shows only a part of its storage."""
    size = value.untyped_storage().nbytes() // value.element_size()
    if value.storage_offset() == 0 and size <= value.numel():
        return ours.from_numpy(np.array(value.detach().numpy(), order="K", copy=True))
    whole = ours.from_numpy(value.detach().as_strided((size,), (1,), 0).numpy().copy())
    return whole.as_strided(tuple(value.shape), value.stride(), value.storage_offset()).detach()


def to_ours(value: Any, leaves: list[tuple[Any, Any]]) -> Any:
    """The same argument for our engine; pairs of differentiable leaves are appended to `leaves`."""
    if isinstance(value, reference.Tensor):
        mine = _leaf(value).requires_grad_(value.requires_grad)
        if value.requires_grad:
            leaves.append((value, mine))
        return mine
    if isinstance(value, reference.dtype):
        return dtype_here(value)
    if isinstance(value, reference.device):
        return str(value)
    if isinstance(value, reference.Size):
        return ours.Size(value)
    if isinstance(value, reference.layout | reference.memory_format):
        return getattr(ours, str(value).removeprefix("torch."))
    if isinstance(value, slice):
        return slice(*(to_ours(part, leaves) for part in (value.start, value.stop, value.step)))
    if isinstance(value, list | tuple):
        return type(value)(to_ours(item, leaves) for item in value)
    if isinstance(value, reference.nn.Module):
        return getattr(ours.nn, type(value).__name__)()
    if isinstance(value, dict):
        return {key: to_ours(item, leaves) for key, item in value.items()}
    return value


def tensors_of(result: Any, kind: type) -> list[Any]:
    if isinstance(result, kind):
        return [result]
    if isinstance(result, list | tuple):
        return [tensor for item in result for tensor in tensors_of(item, kind)]
    return []


def function_here(info: Any) -> Callable[..., Any] | None:
    """Ours under the operator's dotted name; where the samples come with a lambda, that lambda on our module."""
    name = info.name
    made_for_samples = getattr(info.op, "__module__", "").startswith("torch.testing")
    if made_for_samples and isinstance(info.op, FunctionType) and info.op.__closure__ is None:
        wrapped = FunctionType(
            info.op.__code__, {**info.op.__globals__, "torch": ours}, "wrapped", info.op.__defaults__
        )
        wrapped.__kwdefaults__ = info.op.__kwdefaults__
        return wrapped if _exists(name) else None
    return _found(name)


def _exists(name: str) -> bool:
    return _found(name) is not None or hasattr(ours.Tensor, name + "_")


def _found(name: str) -> Callable[..., Any] | None:
    found: Any = ours
    name = name.removeprefix("torch.")
    for part in name.split("."):
        found = getattr(found, part, None)
        if found is None:
            break
    if callable(found):
        return found
    method = getattr(ours.Tensor, name, None) or getattr(ours.ops.aten, name, None)
    return method.fget if isinstance(method, property) else method


def differ(what: str, got: np.ndarray, want: np.ndarray, least: float = 0.0) -> str | None:
    if got.dtype != want.dtype:
        return f"{what}: dtype {got.dtype}, want {want.dtype}"
    if got.shape != want.shape:
        return f"{what}: shape {got.shape}, want {want.shape}"
    relative, absolute = (max(bound, least) for bound in TOLERANCE.get(want.dtype.name, (0.0, 0.0)))
    if not np.allclose(got, want, rtol=relative, atol=absolute, equal_nan=True):
        return f"{what}: got {got.ravel()[:6]}, want {want.ravel()[:6]}"
    return None


def compare(info: Any, sample: Any, function: Callable[..., Any]) -> str | None:
    """None when both frameworks agree on this sample, else the first difference."""
    if info.name == "nn.functional.multi_head_attention_forward":  # its dropout draws from another stream
        sample.args = (*sample.args[:9], 0.0, *sample.args[10:])
    with reference.random.fork_rng():
        want = info.op(sample.input, *sample.args, **sample.kwargs)
    leaves: list[tuple[Any, Any]] = []
    mine, args, kwargs = to_ours((sample.input, tuple(sample.args), dict(sample.kwargs)), leaves)
    got = function(mine, *args, **kwargs)
    if info.name in SIGNS:
        want, got = sample.output_process_fn_grad(want), sample.output_process_fn_grad(got)
    wanted, gotten = tensors_of(want, reference.Tensor), tensors_of(got, ours.Tensor)
    if not wanted:
        same = got == want or str(got) == str(want)
        return None if same else f"result {got!r}, want {want!r}"
    if len(wanted) != len(gotten):
        return f"{len(gotten)} tensors, want {len(wanted)}"
    pulls_want, pulls_got = [], []
    stream = np.random.default_rng(7)
    for place, (w, g) in enumerate(zip(wanted, gotten, strict=True)):
        if info.name in RANDOM:
            if str(g.dtype) != str(w.dtype) or tuple(g.shape) != tuple(w.shape):
                return f"output {place}: {g.dtype} {g.shape}, want {w.dtype} {w.shape}"
            continue
        arrays = np.asarray(g.detach().numpy()), w.detach().numpy(force=True)
        if info.name in PICKS and w.dtype == reference.int64 and w is wanted[-1]:
            arrays = _picked(sample, arrays[0], info.name), _picked(sample, arrays[1], info.name)
        fault = differ(f"output {place}", *arrays, 2e-6 if info.name in SEVEN_DIGITS else 0.0)
        if fault:
            return fault
        if g.requires_grad != w.requires_grad:
            return f"output {place}: requires_grad {g.requires_grad}, want {w.requires_grad}"
        if w.requires_grad:
            upstream = stream.standard_normal(tuple(w.shape)).astype(w.detach().numpy(force=True).dtype)
            pulls_want.append((w, reference.from_numpy(np.array(upstream))))
            pulls_got.append((g, ours.from_numpy(np.array(upstream))))
    if pulls_want:
        for w_leaf, _ in leaves:
            w_leaf.grad = None
        reference.autograd.backward([w for w, _ in pulls_want], [u for _, u in pulls_want])
        ours.autograd.backward([g for g, _ in pulls_got], [u for _, u in pulls_got])
        for place, (w_leaf, g_leaf) in enumerate(leaves):
            if (w_leaf.grad is None) != (g_leaf.grad is None):
                return f"gradient {place}: {g_leaf.grad}, want {w_leaf.grad}"
            if w_leaf.grad is not None:
                fault = differ(f"gradient {place}", g_leaf.grad.numpy(), w_leaf.grad.to_dense().numpy(force=True))
                if fault:
                    return fault
    return None


def _picked(sample: Any, positions: np.ndarray, name: str) -> np.ndarray:
    """What ``positions`` point at along the dimension of the sample."""
    array = np.atleast_1d(sample.input.detach().numpy())
    place = PICKS[name]
    dim = sample.kwargs.get("dim", sample.args[place] if len(sample.args) > place else -1)
    if positions.ndim < array.ndim:
        positions = np.expand_dims(positions, dim)
    return np.take_along_axis(array, positions, dim)


def samples(info: Any, dtype: Any, limit: int) -> Iterator[Any]:
    reference.manual_seed(0)
    for count, sample in enumerate(
        info.sample_inputs("cpu", dtype, requires_grad=info.supports_autograd and dtype.is_floating_point)
    ):
        if count >= limit:
            return
        if not sample.kwargs.get("dropout_p"):  # the streams of random numbers differ
            yield sample


def run(info: Any, dtype: Any, limit: int) -> Report:
    report = Report(f"{info.name}.{info.variant_test_name}" if info.variant_test_name else info.name)
    function = function_here(info)
    if function is None:
        report.missing = True
        return report
    if dtype is reference.float32 and info.name in DOUBLE:
        dtype = reference.float64
    for number, sample in enumerate(samples(info, dtype, limit)):
        try:
            fault = compare(info, sample, function)
        except Exception as error:  # a crash of ours is a difference like any other
            place = traceback.extract_tb(error.__traceback__)[-1]
            fault = f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"
        if fault:
            described = sample.summary() if hasattr(sample, "summary") else sample
            report.failures.append(f"sample {number}: {fault}\n      {str(described)[:400]}")
        else:
            report.passed += 1
    return report


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", help="operators to run, by name or the beginning of one with *")
    parser.add_argument("--dtype", default="float32")
    parser.add_argument("--limit", type=int, default=120, help="samples an operator at most")
    parser.add_argument("--missing", action="store_true", help="list names that do not exist here, and stop")
    parser.add_argument("-v", "--verbose", action="store_true", help="every failing sample, not only the first")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    dtype = getattr(reference, options.dtype)
    chosen = [info for info in op_db if dtype in info.dtypes]
    if options.only:
        exact = {name for name in options.only if not name.endswith("*")}
        starts = tuple(name[:-1] for name in options.only if name.endswith("*"))
        chosen = [info for info in chosen if info.name in exact or (starts and info.name.startswith(starts))]
    if options.missing:
        print(*sorted({info.name for info in chosen if function_here(info) is None}), sep="\n")
        return 0
    whole = missing = wrong = 0
    for info in chosen:
        report = run(info, dtype, options.limit)
        if report.missing:
            missing += 1
            if options.only:
                print(f"missing  {report.name}")
        elif report.failures:
            wrong += 1
            print(f"differs  {report.name}: {len(report.failures)} of {report.passed + len(report.failures)}")
            for failure in report.failures if options.verbose else report.failures[:1]:
                print("   ", failure)
        else:
            whole += 1
    print(f"{whole} operators agree, {wrong} differ, {missing} are not here ({len(chosen)} tried, {options.dtype})")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
