"""The modules that are compared with PyTorch: how each is made and what it is given.

``make`` is Python for the module. ``inputs`` are shapes (floats, normal) or ``("int", low, high, *shape)``,
``("prob", *shape)`` (between 0 and 1), ``("sign", *shape)`` (1 and -1), ``("log", *shape)`` (log-probabilities),
``("pair", *shape)`` (two tensors in a tuple). Calls have random upstream gradients for every floating output.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Case:
    """One module and its call."""

    make: str
    inputs: tuple[Any, ...]
    keywords: dict[str, Any] = field(default_factory=dict)
    eval: bool = False
    calls: int = 1

    @property
    def id(self) -> str:
        """What the case is called in golden files and in test names."""
        marks = [str(list(self.inputs)), *(f"{k}={v}" for k, v in self.keywords.items())]
        return f"{self.make} {' '.join(marks)}{' eval' if self.eval else ''}".replace("'", "")


X = (2, 3)
ACTIVATIONS = [
    "ReLU()",
    "ReLU6()",
    "SiLU()",
    "Mish()",
    "SELU()",
    "Hardswish()",
    "Hardsigmoid()",
    "Hardtanh()",
    "Hardtanh(-0.5, 0.7)",
    "ELU()",
    "ELU(0.5)",
    "CELU(1.5)",
    "LeakyReLU()",
    "LeakyReLU(0.3)",
    "Threshold(0.1, -2.0)",
    "Sigmoid()",
    "Tanh()",
    "LogSigmoid()",
    "Softsign()",
    "Tanhshrink()",
    "GELU()",
    "GELU('tanh')",
    "Softplus()",
    "Softplus(2.0, 1.0)",
    "Hardshrink()",
    "Hardshrink(0.2)",
    "Softshrink()",
    "PReLU()",
    "PReLU(3, 0.1)",
    "Softmax(1)",
    "Softmax(dim=0)",
    "LogSoftmax(-1)",
    "Softmin(1)",
    "ReLU(inplace=True)",
    "RReLU(0.1, 0.3)",
]

CASES = [
    *[Case(f"nn.{name}", (X,), eval=name.startswith("RReLU")) for name in ACTIVATIONS],
    Case("nn.GLU()", ((2, 4),)),
    Case("nn.GLU(0)", ((2, 4),)),
    Case("nn.Softmax2d()", ((2, 3, 2, 2),)),
    # linear and shape
    Case("nn.Identity(3, unused=True)", (X,)),
    Case("nn.Linear(3, 2)", (X,)),
    Case("nn.Linear(3, 2)", ((3,),)),
    Case("nn.Linear(3, 2, bias=False)", ((2, 2, 3),)),
    Case("nn.Bilinear(3, 2, 4)", ((5, 3), (5, 2))),
    Case("nn.Bilinear(3, 2, 4, bias=False)", ((5, 3), (5, 2))),
    Case("nn.Flatten()", ((2, 3, 4),)),
    Case("nn.Flatten(0, 1)", ((2, 3, 4),)),
    Case("nn.Unflatten(1, (2, 3))", ((2, 6),)),
    Case("nn.PixelShuffle(2)", ((1, 8, 2, 3),)),
    Case("nn.PixelUnshuffle(2)", ((1, 2, 4, 6),)),
    # convolution, pooling, padding
    Case("nn.Conv1d(2, 3, 2)", ((2, 2, 5),)),
    Case("nn.Conv1d(2, 4, 3, stride=2, padding=1, groups=2, bias=False)", ((2, 2, 7),)),
    Case("nn.Conv2d(2, 3, 2)", ((2, 2, 4, 5),)),
    Case("nn.Conv2d(2, 3, (3, 2), stride=(2, 1), padding=(1, 0), dilation=(1, 2))", ((2, 2, 5, 6),)),
    Case("nn.Conv2d(2, 2, 3, padding='same')", ((1, 2, 4, 4),)),
    Case("nn.Conv2d(2, 2, 3, padding=1, padding_mode='reflect')", ((1, 2, 4, 4),)),
    Case("nn.Conv2d(2, 2, 3, padding=1, padding_mode='circular')", ((1, 2, 4, 4),)),
    Case("nn.Conv2d(4, 4, 3, padding=1, groups=4)", ((4, 3, 3),)),
    Case("nn.ConvTranspose1d(2, 3, 3, stride=2, padding=1, output_padding=1)", ((2, 2, 4),)),
    Case("nn.ConvTranspose2d(2, 3, 3, stride=2)", ((1, 2, 3, 3),)),
    Case("nn.MaxPool1d(2)", ((2, 2, 5),)),
    Case("nn.MaxPool2d(2)", ((2, 2, 4, 4),)),
    Case("nn.MaxPool2d(3, stride=2, padding=1)", ((1, 2, 5, 5),)),
    Case("nn.AvgPool1d(2)", ((2, 2, 5),)),
    Case("nn.AvgPool2d(2)", ((2, 2, 4, 4),)),
    Case("nn.AvgPool2d(3, stride=2, padding=1, count_include_pad=False)", ((1, 2, 5, 5),)),
    Case("nn.AdaptiveAvgPool1d(2)", ((2, 2, 5),)),
    Case("nn.AdaptiveAvgPool2d(1)", ((2, 2, 3, 4),)),
    Case("nn.AdaptiveAvgPool2d((2, 3))", ((2, 2, 5, 4),)),
    Case("nn.AdaptiveMaxPool2d(2)", ((2, 2, 5, 4),)),
    Case("nn.ZeroPad2d(1)", ((1, 2, 2, 3),)),
    Case("nn.ConstantPad1d((1, 2), 3.5)", ((2, 3),)),
    Case("nn.ReflectionPad1d(2)", ((1, 2, 4),)),
    Case("nn.ReplicationPad2d((1, 0, 2, 1))", ((1, 2, 3, 3),)),
    Case("nn.MaxPool3d(2)", ((1, 2, 4, 4, 2),)),
    Case("nn.AvgPool3d(2, padding=1)", ((1, 2, 4, 4, 2),)),
    Case("nn.AdaptiveAvgPool3d((1, 2, 2))", ((1, 2, 3, 4, 5),)),
    Case("nn.AdaptiveMaxPool3d(2)", ((1, 2, 3, 4, 5),)),
    Case("nn.MaxUnpool1d(2)", ((1, 2, 3), ("int", 0, 1, 1, 2, 3))),
    Case("nn.LPPool1d(2, 3)", ((1, 2, 7),)),
    Case("nn.LPPool2d(1.5, 2, stride=1)", (("prob", 1, 2, 3, 4),)),
    Case("nn.LPPool3d(2, 2)", ((1, 2, 2, 4, 3),)),
    Case("nn.FractionalMaxPool2d(2, 3, _random_samples=torch.full((1, 2, 2), 0.4))", ((1, 2, 5, 6),)),
    Case(
        "nn.FractionalMaxPool3d((1, 2, 2), output_ratio=0.5, return_indices=True, "
        "_random_samples=torch.full((1, 1, 3), 0.7))",
        ((1, 1, 4, 5, 6),),
    ),
    Case("nn.Unfold(2, padding=1)", ((1, 2, 3, 4),)),
    Case("nn.Fold((3, 4), 2, stride=1)", ((1, 8, 6),)),
    Case("nn.ChannelShuffle(2)", ((1, 4, 2, 2),)),
    Case("nn.ConvTranspose3d(1, 2, 2)", ((1, 1, 2, 3, 2),)),
    # embedding, normalisation
    Case("nn.EmbeddingBag(5, 3)", (("int", 0, 5, 2, 4),)),
    Case("nn.EmbeddingBag(5, 3, mode='sum', padding_idx=0)", (("int", 0, 5, 2, 4),)),
    Case("nn.LocalResponseNorm(2, alpha=0.5)", ((2, 4, 3),)),
    Case("nn.InstanceNorm3d(2)", ((3, 2, 2, 3, 2),)),
    Case("nn.Embedding(5, 3)", (("int", 0, 5, 2, 4),)),
    Case("nn.Embedding(5, 3, padding_idx=1)", (("int", 0, 5, 2, 4),)),
    Case("nn.LayerNorm(4)", ((2, 3, 4),)),
    Case("nn.LayerNorm((3, 4), eps=1e-3)", ((2, 3, 4),)),
    Case("nn.LayerNorm(4, elementwise_affine=False)", ((2, 4),)),
    Case("nn.LayerNorm(4, bias=False)", ((2, 4),)),
    Case("nn.RMSNorm(4)", ((2, 3, 4),)),
    Case("nn.GroupNorm(2, 4)", ((3, 4, 5),)),
    Case("nn.GroupNorm(2, 4, affine=False)", ((3, 4, 2, 2),)),
    Case("nn.BatchNorm1d(3)", ((4, 3),), calls=2),
    Case("nn.BatchNorm1d(3)", ((4, 3),), eval=True),
    Case("nn.BatchNorm1d(3, momentum=None)", ((4, 3, 2),), calls=3),
    Case("nn.BatchNorm1d(3, affine=False, track_running_stats=False)", ((4, 3),)),
    Case("nn.BatchNorm2d(2, eps=1e-3, momentum=0.3)", ((3, 2, 2, 2),), calls=2),
    Case("nn.InstanceNorm1d(2)", ((3, 2, 4),)),
    Case("nn.InstanceNorm2d(2, affine=True, track_running_stats=True)", ((3, 2, 2, 3),), calls=2),
    # dropout where nothing is random
    Case("nn.Dropout()", (X,), eval=True),
    Case("nn.Dropout(0.0)", (X,)),
    Case("nn.Dropout(1.0)", (X,)),
    Case("nn.Dropout2d()", ((2, 3, 2, 2),), eval=True),
    Case("nn.AlphaDropout(0.0)", (X,)),
    # distance
    Case("nn.CosineSimilarity()", (X, X)),
    Case("nn.CosineSimilarity(dim=0, eps=1e-2)", (X, X)),
    Case("nn.PairwiseDistance()", (X, X)),
    Case("nn.PairwiseDistance(p=1, keepdim=True)", (X, X)),
    # losses
    *[
        Case(f"nn.{name}(reduction='{reduction}')", (X, X))
        for name in ("L1Loss", "MSELoss", "SmoothL1Loss", "HuberLoss")
        for reduction in ("mean", "sum", "none")
    ],
    Case("nn.SmoothL1Loss(beta=0.5)", (X, X)),
    Case("nn.HuberLoss(delta=0.3)", (X, X)),
    *[
        Case(f"nn.CrossEntropyLoss({options})", ((4, 3), ("int", 0, 3, 4)))
        for options in (
            "",
            "reduction='sum'",
            "reduction='none'",
            "label_smoothing=0.1",
            "ignore_index=1",
            "weight=torch.tensor([0.2, 0.5, 1.0], dtype=torch.float64)",
            "weight=torch.tensor([0.2, 0.5, 1.0], dtype=torch.float64), label_smoothing=0.2, ignore_index=0",
        )
    ],
    Case("nn.CrossEntropyLoss()", ((4, 3), ("prob", 4, 3))),
    Case("nn.CrossEntropyLoss()", ((2, 3, 2, 2), ("int", 0, 3, 2, 2, 2))),
    Case("nn.CrossEntropyLoss()", ((3,), ("int", 0, 3))),
    Case("nn.NLLLoss()", (("log", 4, 3), ("int", 0, 3, 4))),
    Case("nn.NLLLoss(reduction='none', ignore_index=2)", (("log", 4, 3), ("int", 0, 3, 4))),
    Case("nn.NLLLoss(weight=torch.tensor([0.2, 0.5, 1.0], dtype=torch.float64))", (("log", 4, 3), ("int", 0, 3, 4))),
    *[Case(f"nn.BCELoss(reduction='{r}')", (("prob", 2, 3), ("prob", 2, 3))) for r in ("mean", "none")],
    Case("nn.BCELoss(weight=torch.tensor([1.0, 2.0, 0.5], dtype=torch.float64))", (("prob", 2, 3), ("prob", 2, 3))),
    *[Case(f"nn.BCEWithLogitsLoss(reduction='{r}')", (X, ("prob", 2, 3))) for r in ("mean", "sum")],
    Case("nn.BCEWithLogitsLoss(pos_weight=torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64))", (X, ("prob", 2, 3))),
    Case("nn.KLDivLoss(reduction='batchmean')", (("log", 2, 3), ("prob", 2, 3))),
    Case("nn.KLDivLoss(reduction='sum', log_target=True)", (("log", 2, 3), ("log", 2, 3))),
    Case("nn.PoissonNLLLoss()", (X, ("prob", 2, 3))),
    Case("nn.PoissonNLLLoss(log_input=False, full=True)", (("prob", 2, 3), ("prob", 2, 3))),
    Case("nn.GaussianNLLLoss(full=True)", (X, X, ("prob", 2, 3))),
    Case("nn.HingeEmbeddingLoss()", (X, ("sign", 2, 3))),
    Case("nn.SoftMarginLoss()", (X, ("sign", 2, 3))),
    Case("nn.MultiLabelSoftMarginLoss()", (X, ("prob", 2, 3))),
    Case("nn.MultiMarginLoss()", ((4, 3), ("int", 0, 3, 4))),
    Case("nn.MultiMarginLoss(p=2, margin=0.5)", ((4, 3), ("int", 0, 3, 4))),
    Case("nn.MarginRankingLoss(margin=0.2)", ((4,), (4,), ("sign", 4))),
    Case("nn.CosineEmbeddingLoss(margin=0.1)", ((4, 3), (4, 3), ("sign", 4))),
    Case("nn.TripletMarginLoss()", ((4, 3), (4, 3), (4, 3))),
    Case("nn.TripletMarginLoss(margin=0.5, p=1, swap=True, reduction='sum')", ((4, 3), (4, 3), (4, 3))),
    Case("nn.TripletMarginWithDistanceLoss(margin=0.5, swap=True)", ((4, 3), (4, 3), (4, 3))),
    # recurrent
    Case("nn.RNNCell(3, 2)", ((4, 3), (4, 2))),
    Case("nn.RNNCell(3, 2, nonlinearity='relu', bias=False)", ((3,),)),
    Case("nn.GRUCell(3, 2)", ((4, 3), (4, 2))),
    Case("nn.GRUCell(3, 2, bias=False)", ((4, 3),)),
    Case("nn.LSTMCell(3, 2)", ((4, 3), ("pair", 4, 2))),
    Case("nn.LSTMCell(3, 2)", ((3,),)),
    Case("nn.RNN(3, 2)", ((5, 4, 3),)),
    Case("nn.RNN(3, 2, num_layers=2, nonlinearity='relu', batch_first=True)", ((4, 5, 3), (2, 4, 2))),
    Case("nn.GRU(3, 2, num_layers=2, bidirectional=True)", ((5, 4, 3),)),
    Case("nn.GRU(3, 2, bias=False)", ((5, 3),)),
    Case("nn.LSTM(3, 2)", ((5, 4, 3), ("pair", 1, 4, 2))),
    Case("nn.LSTM(3, 2, num_layers=2, bidirectional=True, batch_first=True)", ((4, 5, 3),)),
    # attention
    Case("nn.MultiheadAttention(4, 2)", ((3, 2, 4), (5, 2, 4), (5, 2, 4))),
    Case("nn.MultiheadAttention(4, 2)", ((3, 4), (5, 4), (5, 4))),
    Case("nn.MultiheadAttention(4, 2, batch_first=True)", ((2, 3, 4), (2, 5, 4), (2, 5, 4)), {"need_weights": False}),
    Case("nn.MultiheadAttention(4, 2)", ((3, 2, 4),) * 3, {"average_attn_weights": False, "attn_mask": "causal 3"}),
    Case("nn.MultiheadAttention(4, 1, bias=False, kdim=3, vdim=2)", ((3, 2, 4), (5, 2, 3), (5, 2, 2))),
    Case(
        "nn.MultiheadAttention(4, 2, add_bias_kv=True, add_zero_attn=True)",
        ((3, 2, 4), (5, 2, 4), (5, 2, 4)),
        {"key_padding_mask": "pad 2 5"},
    ),
    Case("nn.TransformerEncoderLayer(4, 2, 5, dropout=0.0)", ((3, 2, 4),)),
    Case(
        "nn.TransformerEncoderLayer(4, 2, 5, dropout=0.0, activation='gelu', norm_first=True, batch_first=True)",
        ((2, 3, 4),),
    ),
    Case("nn.TransformerDecoderLayer(4, 2, 5, dropout=0.0)", ((3, 2, 4), (5, 2, 4))),
]
