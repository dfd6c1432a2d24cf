"""Which names of the engine stand in which module of torch."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from autograd import Tensor, distributions, nn, ops
from autograd.ops.aten import ATEN
from autograd.ops.namespaces import LINALG, NEURAL, SPECIAL
from snippets.torch_api.legacy import LEGACY_TYPES
from snippets.torch_api.machine import BACKENDS, CUDA, MACHINE


@dataclass(frozen=True)
class Source:
    """Where the names of a module come from.

    ``whole``: modules of the engine all of whose ``__all__`` is taken, without the names in ``without``. ``some``: some
    names of a module, ``ours=theirs`` where they differ. ``values``: the rest.
    """

    whole: tuple[str, ...] = ()
    without: frozenset[str] = frozenset()
    some: dict[str, str] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)


#: Of the operations that write into their input, those that are functions of ``torch`` as well as methods.
_WRITING = """
abs_ acos_ acosh_ addmv_ alpha_dropout_ arccos_ arccosh_ arcsin_ arcsinh_ arctan_ arctanh_ asin_ asinh_ atan_ atanh_
bernoulli_ ceil_ celu_ clamp_ clamp_max_ clamp_min_ clip_ conj_physical_ cos_ cosh_ deg2rad_ detach_ dropout_ elu_
erf_ erfc_ exp2_ exp_ expm1_ feature_alpha_dropout_ fill_ fix_ floor_ frac_ gcd_ hardtanh_ i0_ index_put_ lcm_ ldexp_
leaky_relu_ log10_ log1p_ log2_ log_ logit_ nan_to_num_ neg_ negative_ rad2deg_ reciprocal_ relu_ resize_as_ round_
rrelu_ rsqrt_ selu_ sigmoid_ sin_ sinc_ sinh_ sqrt_ square_ tan_ tanh_ threshold_ trunc_ xlogy_ zero_ hardsigmoid_
"""
#: Operations that PyTorch keeps under ``torch.nn.functional`` alone.
_FUNCTIONAL_ONLY = (
    "adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool2d adaptive_max_pool3d avg_pool2d avg_pool3d"
)


def _at_the_top(name: str) -> bool:
    """Whether ``torch`` itself has the operation ``name``."""
    if name.startswith("_") or name in _FUNCTIONAL_ONLY.split():
        return False
    return not name.endswith("_") or name in _WRITING.split()


#: Aliases of types, as PyTorch spells them.
_DTYPES = "bool=bool_ float=float32 double=float64 half=float16 long=int64 int=int32 short=int16"

#: Functions of ``torch`` that ``torch.nn.functional`` has too.
_ALSO_FUNCTIONAL = """
adaptive_avg_pool1d alpha_dropout avg_pool1d batch_norm bilinear celu celu_ channel_shuffle conv1d conv2d conv3d
conv_transpose1d conv_transpose2d conv_transpose3d cosine_embedding_loss cosine_similarity dropout elu elu_ embedding
gelu glu group_norm hardshrink hardsigmoid hardswish hardtanh hinge_embedding_loss instance_norm kl_div layer_norm
leaky_relu linear log_softmax logsigmoid margin_ranking_loss max_pool1d max_pool2d mish normalize one_hot pad
pairwise_distance pdist pixel_shuffle pixel_unshuffle poisson_nll_loss prelu relu relu6 relu_ rms_norm rrelu
scaled_dot_product_attention selu selu_ sigmoid silu softmax softmin softplus softshrink softsign tanh tanhshrink
threshold threshold_ triplet_margin_loss
"""

MODULES: dict[str, Source] = {
    "torch": Source(
        whole=("autograd", "autograd.formats"),
        without=frozenset(
            {"backward", "grad", "ops", "bool_", "Variable", "detect_anomaly", "set_detect_anomaly", "fork_rng"}
        ),
        some={
            "autograd": _DTYPES,
            "autograd.random": "Generator default_generator manual_seed seed initial_seed get_rng_state set_rng_state",
            "autograd.func": "vmap",
            "autograd.windows": "bartlett_window blackman_window hamming_window hann_window kaiser_window",
            "autograd.anomaly": "is_anomaly_enabled is_anomaly_check_nan_enabled set_anomaly_enabled",
        },
        values={
            "__version__": "2.13.0",
            "e": math.e,
            "inf": math.inf,
            "nan": math.nan,
            "pi": math.pi,
            "newaxis": None,
            **{name: op for name, op in ops.FUNCTIONS.items() if _at_the_top(name)},
            **{name: ops.METHODS[name] for name in _WRITING.split() if name in ops.METHODS},
            "alpha_dropout": ops.NEURAL["alpha_dropout"],
            "detach_": Tensor.detach_,
            **ops.aten.PRIVATE,
            **LEGACY_TYPES,
            **MACHINE,
        },
    ),
    "torch.ops": Source(),
    "torch.ops.aten": Source(values={name: ops.aten.Overloads(name, function) for name, function in ATEN.items()}),
    "torch.linalg": Source(values=dict(LINALG)),
    "torch.special": Source(values=dict(SPECIAL)),
    "torch.fft": Source(whole=("autograd.frequencies",)),
    "torch.masked": Source(whole=("autograd.masked",)),
    "torch.signal": Source(),
    "torch.signal.windows": Source(whole=("autograd.windows",)),
    "torch.random": Source(
        some={"autograd.random": "manual_seed seed initial_seed get_rng_state set_rng_state fork_rng"}
    ),
    "torch.autograd": Source(
        some={
            "autograd": "backward grad no_grad enable_grad set_grad_enabled inference_mode detect_anomaly "
            "set_detect_anomaly",
            "autograd.function": "Function",
            "autograd.gradcheck": "gradcheck gradgradcheck",
            "autograd.creation": "Variable",
        }
    ),
    "torch.autograd.function": Source(some={"autograd.function": "Function FunctionCtx once_differentiable"}),
    "torch.autograd.functional": Source(some={"autograd.functional": "vjp jvp jacobian hessian hvp vhp"}),
    "torch.autograd.forward_ad": Source(
        some={
            "autograd.forward": "make_dual unpack_dual dual_level enter_dual_level exit_dual_level UnpackedDualTensor"
        }
    ),
    "torch.autograd.graph": Source(
        some={
            "autograd.graph": "saved_tensors_hooks save_on_cpu disable_saved_tensors_hooks register_multi_grad_hook "
            "allow_mutation_on_saved_tensors Node GradientEdge get_gradient_edge increment_version"
        }
    ),
    "torch.func": Source(
        some={
            "autograd.func": "grad grad_and_value vmap hessian jacfwd jacrev jvp linearize vjp functional_call",
            "autograd.ensemble": "stack_module_state",
        }
    ),
    "torch.cuda": Source(values=dict(CUDA)),
    "torch.backends": Source(values=dict(BACKENDS)),
    "torch.testing": Source(some={"autograd.testing": "assert_close assert_allclose make_tensor"}),
    "torch.nn": Source(whole=("autograd.nn",)),
    "torch.nn.functional": Source(
        values={
            **{name: ops.FUNCTIONS[name] for name in _ALSO_FUNCTIONAL.split() if name in ops.FUNCTIONS},
            **NEURAL,
        }
    ),
    "torch.nn.init": Source(
        some={
            "autograd.nn.init": "calculate_gain uniform_ normal_ trunc_normal_ constant_ ones_ zeros_ eye_ dirac_ "
            "xavier_uniform_ xavier_normal_ kaiming_uniform_ kaiming_normal_ orthogonal_ sparse_"
        }
    ),
    "torch.nn.parameter": Source(some={"autograd.nn": "Parameter Buffer"}),
    "torch.nn.modules": Source(whole=("autograd.nn",)),
    "torch.nn.modules.module": Source(
        some={
            "autograd.nn.module": "Module",
            "autograd.nn.hooks": "register_module_forward_hook register_module_forward_pre_hook "
            "register_module_full_backward_hook",
        }
    ),
    "torch.nn.utils": Source(values=dict(nn.UTILS)),
    "torch.nn.utils.parametrize": Source(
        some={
            "autograd.nn.parametrize": "ParametrizationList cached is_parametrized register_parametrization "
            "remove_parametrizations type_before_parametrizations"
        }
    ),
    "torch.nn.utils.parametrizations": Source(some={"autograd.nn.parametrizations": "spectral_norm weight_norm"}),
    "torch.nn.utils.rnn": Source(values=dict(nn.SEQUENCES)),
    "torch.optim": Source(whole=("autograd.optim",)),
    "torch.optim.lr_scheduler": Source(whole=("autograd.optim.lr_scheduler",)),
    "torch.distributions": Source(whole=("autograd.distributions",)),
    "torch.distributions.constraints": Source(whole=("autograd.distributions.constraints",)),
    **{
        f"torch.distributions.{module}": Source(some={"autograd.distributions": names})
        for module, names in distributions.MODULES.items()
    },
    "torch.utils": Source(),
    "torch.utils.data": Source(whole=("autograd.data",)),
    "torch.utils.checkpoint": Source(
        some={"autograd.checkpoint": "checkpoint checkpoint_sequential CheckpointError set_checkpoint_early_stop"}
    ),
}
