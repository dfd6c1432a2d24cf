"""The engine under torch's names: modules, imports as in programs, and answers for names that are not there."""

# ruff: noqa: E501 - a table reads best with one entry a line

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from snippets.torch_api import torch
from snippets.torch_api.module import TorchModule
from tests.snippets.conftest import Runner

#: Names in the order of how often programs about gradients use them.
USED = """
tensor sum ones softmax randn zeros where clamp max rand Tensor abs sigmoid sqrt FloatTensor log_softmax exp from_numpy argmax
stack log norm sign LongTensor ones_like squeeze min relu amax matmul arange maximum manual_seed mm zeros_like eye gather std
mul cat reshape linspace tanh round isnan any add scatter sin log2 equal all isfinite t hstack minimum clamp_min amin full
index_select logsumexp cdist empty_like square masked_fill logical_not cos nansum narrow unbind dot prod isinf no_grad
enable_grad inference_mode set_grad_enabled is_grad_enabled as_tensor mean var pow bmm outer einsum diag tril triu flatten
unsqueeze transpose permute concat split chunk roll flip cumsum cumprod sort topk float32 float64 int64 long bool device Size
is_tensor numel Generator set_default_dtype get_default_dtype float16 allclose log1p expm1 erf atan2 lerp addmm bernoulli
randint randperm normal multinomial rand_like randn_like zeros_like full_like inf nan pi vmap
"""
USED_INSIDE = {
    "nn": "Module Linear Parameter Sequential ReLU Dropout BatchNorm1d Conv2d MSELoss CrossEntropyLoss ModuleList Embedding LSTM",
    "nn.functional": "relu softmax log_softmax cross_entropy nll_loss mse_loss binary_cross_entropy_with_logits dropout sigmoid "
    "normalize l1_loss smooth_l1_loss hardtanh conv2d max_pool2d embedding one_hot linear gelu softplus pad kl_div logsigmoid",
    "nn.init": "constant_ xavier_uniform_ kaiming_normal_ zeros_ ones_ uniform_ normal_",
    "nn.utils": "clip_grad_norm_ clip_grad_value_ parameters_to_vector",
    "optim": "SGD Adam AdamW RMSprop Adagrad Optimizer",
    "optim.lr_scheduler": "StepLR ExponentialLR CosineAnnealingLR ReduceLROnPlateau LambdaLR",
    "autograd": "grad backward Function Variable no_grad gradcheck detect_anomaly",
    "autograd.functional": "jacobian hessian vjp jvp hvp vhp",
    "autograd.forward_ad": "dual_level make_dual unpack_dual",
    "autograd.graph": "saved_tensors_hooks save_on_cpu",
    "utils.data": "DataLoader Dataset TensorDataset random_split",
    "utils.checkpoint": "checkpoint checkpoint_sequential",
    "func": "grad vmap jacrev jacfwd hessian functional_call vjp jvp",
    "linalg": "norm vector_norm",
    "special": "expit logit",
}


@pytest.mark.parametrize("name", USED.split())
def test_name_of_torch(name: str) -> None:
    assert getattr(torch, name) is not None


@pytest.mark.parametrize(("module", "name"), [(m, n) for m, names in USED_INSIDE.items() for n in names.split()])
def test_name_of_a_module(module: str, name: str) -> None:
    found: Any = torch
    for part in module.split("."):
        found = getattr(found, part)
    assert callable(getattr(found, name))


@pytest.fixture
def in_place_of_torch() -> Iterator[None]:
    """The engine's module as ``torch``, as other people's tests would have it."""
    before = {name: module for name, module in sys.modules.items() if name == "torch" or name.startswith("torch.")}
    for name in before:
        del sys.modules[name]
    sys.modules["torch"] = torch
    yield
    for name in [name for name in sys.modules if name == "torch" or name.startswith("torch.")]:
        del sys.modules[name]
    sys.modules.update(before)


@pytest.mark.usefixtures("in_place_of_torch")
def test_import_statements() -> None:
    space: dict[str, Any] = {}
    exec(
        "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\nfrom torch import nn as nn2, Tensor\n"
        "from torch.utils.data import DataLoader\nfrom torch.utils.checkpoint import checkpoint\nimport torch.optim\n"
        "from torch.autograd import Function, Variable\nfrom torch.func import jacrev\nimport torch.utils.data\n"
        "from torch.optim.lr_scheduler import StepLR\nfrom torch.nn.utils import clip_grad_norm_\nfrom torch import *\n",
        space,
    )
    assert space["torch"] is torch
    assert space["nn"] is space["nn2"] is torch.nn
    assert space["F"].relu is torch.nn.functional.relu
    assert space["zeros"] is torch.zeros


@pytest.mark.usefixtures("in_place_of_torch")
def test_a_module_that_is_not_there() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"torch\.nothing"):
        importlib.import_module("torch.nothing")
    with pytest.raises(ImportError, match="tensr"):
        exec("from torch import tensr")


def test_nothing_of_torch_is_imported_unless_it_stands_in() -> None:
    assert sys.modules.get("torch") is not torch
    (finder,) = (finder for finder in sys.meta_path if type(finder).__module__ == "snippets.torch_api.importing")
    assert finder.find_spec("torch.nn", None) is None


@pytest.mark.parametrize(
    ("name", "phrase"),
    [
        ("tensr", "tensor"),
        ("Exp", "'exp'"),
        ("Linear", "torch.nn.Linear"),
        ("save", "state_dict"),
        ("sparse_coo_tensor", "tensors are dense here"),
        ("get_file_path", "on the CPU"),
    ],
)
def test_unknown_names(name: str, phrase: str) -> None:
    with pytest.raises(AttributeError, match=f"module 'torch' has no attribute '{name}'.*{phrase}"):
        getattr(torch, name)


def test_no_module_of_ours_or_of_python_is_reachable() -> None:
    seen: set[int] = set()
    waiting: list[ModuleType] = [torch]
    while waiting:
        module = waiting.pop()
        seen.add(id(module))
        for name, value in vars(module).items():
            if isinstance(value, ModuleType) and not name.startswith("__"):
                assert isinstance(value, TorchModule), f"{module.__name__}.{name}"
                if id(value) not in seen:
                    waiting.append(value)


def test_the_types_of_old_programs() -> None:
    x = torch.FloatTensor([[1, 2]])
    assert (x.dtype, x.tolist()) == (torch.float32, [[1.0, 2.0]])
    assert torch.LongTensor(2, 3).shape == (2, 3)
    assert isinstance(x, torch.FloatTensor)
    assert not isinstance(x, torch.DoubleTensor)


def test_a_program_that_asks_for_the_machine(run: Runner) -> None:
    source = """
import torch
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
torch.cuda.manual_seed_all(0)
torch.backends.cudnn.deterministic = True
torch.set_num_threads(1)
print(torch.ones(2, device=device).to(device).sum().item(), torch.__version__)
"""
    result = run(source)
    assert (result.error, result.stdout) == (None, "2.0 2.13.0\n")
