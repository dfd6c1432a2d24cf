"""What PyTorch has and this engine deliberately leaves out, with what to do instead: one list, for everyone.

The engine computes with dense arrays of real numbers, on one processor, in one process, without files. Using a name of
this list raises an error that says so. The argument ``out=`` of functions is left out too: assign the result, or write
it with ``copy_``.
"""

from __future__ import annotations

from typing import Any

from .tensor import Tensor

COMPLEX = "complex numbers are left out; use two real tensors"
SPARSE = "tensors are dense here; use a dense tensor"
QUANTISED = "quantised tensors are left out; use torch.float32"
PROCESS = "there is one process here"
CALL = "there is nothing to compile here; call the function itself"
DRAWS = "torch.distributions has the everyday ones here; write its log_prob with torch operations"

#: names of modules, functions and types
INSTEAD: dict[str, str] = {
    **dict.fromkeys(["complex", "complex32", "complex64", "complex128", "cfloat", "cdouble", "chalf"], COMPLEX),
    **dict.fromkeys(["fft", "fft2", "fftn", "ifft", "ifft2", "ifftn", "rfft", "rfft2", "rfftn", "irfft"], COMPLEX),
    **dict.fromkeys(["irfft2", "irfftn", "hfft", "hfft2", "hfftn", "ihfft", "ihfft2", "ihfftn"], COMPLEX),
    **dict.fromkeys(["polar", "stft", "istft", "view_as_complex", "view_as_real", "eig", "eigvals"], COMPLEX),
    **dict.fromkeys(["sparse", "sparse_coo_tensor", "sparse_csr_tensor", "spmm", "hspmm", "sspaddmm"], SPARSE),
    **dict.fromkeys(["quantization", "quantize_per_tensor", "quantize_per_channel", "qint8", "quint8"], QUANTISED),
    **dict.fromkeys(["distributed", "multiprocessing", "futures"], PROCESS),
    **dict.fromkeys(["compile", "jit", "export", "fx"], CALL),
    **dict.fromkeys(
        ["ContinuousBernoulli", "FisherSnedecor", "GeneralizedPareto", "HalfCauchy", "InverseGamma"], DRAWS
    ),
    **dict.fromkeys(
        ["Kumaraswamy", "LKJCholesky", "LogisticNormal", "LowRankMultivariateNormal", "Multinomial"], DRAWS
    ),
    **dict.fromkeys(["NegativeBinomial", "Pareto", "VonMises", "Weibull", "Wishart"], DRAWS),
    **dict.fromkeys(["RelaxedBernoulli", "RelaxedOneHotCategorical"], "use torch.nn.functional.gumbel_softmax"),
    **dict.fromkeys(
        ["biject_to", "transform_to"], "name the transform: torch.distributions.ExpTransform() and its like"
    ),
    "save": "there are no files here; keep the state_dict in a variable",
    "load": "there are no files here; write the values into the program",
    "hub": "there is no network here; build the model in the program",
    "onnx": "there are no files here; keep the state_dict in a variable",
    "bfloat16": "use torch.float16 or torch.float32",
    "autocast": "there is no automatic mixed precision; convert with .half() and .float()",
    "amp": "there is no automatic mixed precision; convert with .half() and .float()",
    "profiler": "measure with autograd.accounting",
    "masked_tensor": "masked tensors are left out; torch.masked has the reductions with a mask",
    "MaskedTensor": "masked tensors are left out; torch.masked has the reductions with a mask",
    "nested": "nested tensors are left out; pad to one shape and use a mask",
    "lobpcg": "use torch.linalg.eigh",
    **dict.fromkeys(["ldl_factor", "ldl_factor_ex", "ldl_solve"], "use torch.linalg.lu_factor, or cholesky"),
    "SparseAdam": "tensors are dense here; use torch.optim.Adam",
    "jiterator": "there is nothing to compile here; write the function with torch operations",
    "hash_tensor": "use the tensor's .tolist()",
    "orthogonal": "make the weight orthogonal in forward, by torch.linalg.qr or torch.linalg.matrix_exp",
    **dict.fromkeys(["Muon"], "use torch.optim.AdamW"),
    "SyncBatchNorm": "there is one process here; use BatchNorm1d, 2d or 3d",
}

#: methods of tensors
METHODS_INSTEAD: dict[str, str] = {
    **dict.fromkeys(["cfloat", "cdouble", "chalf", "imag", "stft", "istft"], COMPLEX),
    **dict.fromkeys(["to_sparse", "to_sparse_csr", "to_sparse_coo", "coalesce", "sparse_mask", "indices"], SPARSE),
    **dict.fromkeys(["dequantize", "int_repr", "q_scale", "q_zero_point"], QUANTISED),
    **dict.fromkeys(["share_memory_", "is_shared"], PROCESS),
    "bfloat16": "use .half() or .float()",
    "set_": "make a new tensor, or use .copy_()",
}


def _missing(self: Tensor, name: str) -> Any:
    """Called for names that a tensor does not have."""
    instead = METHODS_INSTEAD.get(name)
    message = f"'{type(self).__name__}' object has no attribute '{name}'"
    raise AttributeError(message if instead is None else f"{message}: {instead}", name=name, obj=self)


Tensor.__getattr__ = _missing  # type: ignore[method-assign]
