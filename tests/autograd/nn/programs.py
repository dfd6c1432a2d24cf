# ruff: noqa: E501 -- the programs stand here as one would type them
"""Small programs whose printed output is compared with PyTorch, word for word.

Lines beginning with ``!`` are expected to raise: the type and the message are printed.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from typing import Any

PROGRAMS = {
    "module reprs": """
print(nn.Linear(2, 3))
print(nn.Linear(2, 3, bias=False))
print(nn.Sequential())
print(nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Sequential(nn.Linear(3, 1), nn.Sigmoid())))
print(nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2), nn.ReLU()]))
print(nn.ModuleList())
print(nn.ModuleDict({"a": nn.ReLU(), "b": nn.Dropout(0.1)}))
print(nn.Conv2d(1, 6, 5), nn.Conv2d(1, 6, 5, stride=2, padding=(1, 2), groups=1, bias=False, padding_mode="reflect"))
print(nn.BatchNorm1d(3), nn.LayerNorm(4), nn.GroupNorm(2, 4), nn.Embedding(10, 3, padding_idx=0))
print(nn.LSTM(2, 3, num_layers=2, batch_first=True, dropout=0.5), nn.GRUCell(2, 3), nn.RNNCell(2, 3, nonlinearity="relu"))
print(nn.MultiheadAttention(4, 2))
print(nn.TransformerEncoderLayer(4, 2, 8))
print(nn.MaxPool2d(2), nn.AvgPool1d(2), nn.AdaptiveAvgPool2d((1, 1)), nn.Flatten(), nn.Unflatten(1, (2, 3)))
print(nn.CrossEntropyLoss(), nn.MSELoss(), nn.BCEWithLogitsLoss())
print(nn.ParameterList([torch.zeros(2), torch.ones(2, 3)]))
print(nn.ParameterDict({"w": torch.zeros(2), "x": torch.ones(2, 3)}))
print(nn.Parameter(torch.tensor([1.0, 2.0])), nn.Parameter(torch.tensor(1.0), requires_grad=False))
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(1, 1)])
        self.head = nn.Linear(1, 2)
    def extra_repr(self):
        return "depth=1\\nwidth=1"
print(Net())
""",
    "registration": """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(2))
        self.layer = nn.Linear(2, 2)
        self.register_buffer("mean", torch.zeros(2))
        self.register_buffer("scratch", torch.zeros(1), persistent=False)
        self.register_parameter("none", None)
        self.plain = torch.ones(3)
net = Net()
print([n for n, _ in net.named_parameters()], [n for n, _ in net.named_buffers()], [n for n, _ in net.named_children()])
print([n for n, _ in net.named_modules()], list(net.state_dict()))
print(net.none, net.w, net.mean)
net.mean = torch.ones(2)
print(net.state_dict()["mean"])
net.layer = None
print(net, [n for n, _ in net.named_parameters()])
del net.w
!net.w
!net.mean = 3
!net.none = torch.ones(2)
net.layer = nn.Linear(2, 2)
!net.layer = torch.ones(2)
!net.layer.weight = torch.ones(2, 2)
!net.register_buffer("a.b", torch.ones(1))
!net.register_buffer("", torch.ones(1))
!net.register_buffer("layer", torch.ones(1))
!net.register_buffer("z", 3)
!net.register_buffer(3, None)
!net.register_parameter("p.q", None)
!net.register_parameter("layer", None)
!net.register_parameter("z", torch.ones(1))
!net.register_parameter("z", nn.Parameter(torch.ones(1)) * 2)
!net.add_module("x", 3)
!net.add_module("a.b", nn.ReLU())
!net.add_module("plain", nn.ReLU())
!net.nothing
!net.get_submodule("layer.weight")
!net.get_submodule("nothing.more")
print(net.get_submodule("layer"), net.get_parameter("layer.bias").shape, net.get_buffer("mean"))
!net.get_parameter("mean")
""",
    "before init": """
class A(nn.Module):
    def __init__(self):
        self.layer = nn.Linear(1, 1)
!A()
class B(nn.Module):
    def __init__(self):
        self.w = nn.Parameter(torch.ones(1))
!B()
class C(nn.Module):
    def __init__(self):
        self.register_buffer("b", torch.ones(1))
!C()
class D(nn.Module):
    pass
!D()(torch.ones(1))
!D(3)
!D(size=3)
!nn.Linear(2, 3)()
!nn.Parameter(torch.tensor([1, 2]))
!nn.Parameter(3.0)
""",
    "modes and freezing": """
net = nn.Sequential(nn.Linear(1, 1), nn.Sequential(nn.Dropout(), nn.BatchNorm1d(1)))
print([m.training for m in net.modules()])
print(net.eval() is net, [m.training for m in net.modules()])
net[1].train()
print([m.training for m in net.modules()])
!net.train(3)
net.requires_grad_(False)
print([p.requires_grad for p in net.parameters()])
net[0].requires_grad_()
print([p.requires_grad for p in net.parameters()])
seen = []
print(net.apply(lambda m: seen.append(type(m).__name__)) is net, seen)
""",
    "zero_grad": """
net = nn.Linear(2, 1)
net.weight.grad = torch.ones(1, 2)
held = net.weight.grad
net.zero_grad(set_to_none=False)
print(held, net.weight.grad is held, net.bias.grad, held._version)
net.zero_grad()
print(net.weight.grad)
opt = optim.SGD(net.parameters(), lr=0.1)
net.weight.grad = torch.ones(1, 2)
opt.zero_grad(set_to_none=False)
print(net.weight.grad)
opt.zero_grad()
print(net.weight.grad)
""",
    "conversion": """
net = nn.Sequential(nn.Linear(2, 1), nn.BatchNorm1d(1))
before = net[0].weight
before.grad = torch.ones(1, 2)
net.double()
print(net[0].weight is before, before.dtype, before.grad.dtype, net[1].num_batches_tracked.dtype, net[1].running_mean.dtype)
net.to(torch.float32)
print(before.dtype, net[1].running_var.dtype)
net.to("cpu").float().half()
print(before.dtype, before.grad.dtype)
!net.to(torch.int64)
""",
    "state_dict": """
net = nn.Sequential(nn.Linear(2, 1), nn.BatchNorm1d(1))
state = net.state_dict()
print(type(state).__name__, list(state), {k: (tuple(v.shape), v.requires_grad) for k, v in state.items()})
print(list(state._metadata.items()))
with torch.no_grad():
    net[0].weight.fill_(3.0)
print(state["0.weight"])
other = nn.Sequential(nn.Linear(2, 1), nn.BatchNorm1d(1))
print(other.load_state_dict(state))
print(other[0].weight, other[0].weight is not net[0].weight)
del state["0.bias"]
state["extra.weight"] = torch.ones(1)
!other.load_state_dict(state)
print(other.load_state_dict(state, strict=False))
state["0.weight"] = torch.ones(3, 3)
!other.load_state_dict(state, strict=False)
!other.load_state_dict({"0.weight": torch.ones(1, 2), "0.bias": 3.0})
!other.load_state_dict([1])
!nn.Linear(2, 1).load_state_dict({})
fresh = nn.Linear(2, 1)
w = torch.ones(1, 2)
fresh.load_state_dict({"weight": w, "bias": torch.zeros(1)}, assign=True)
print(fresh.weight, type(fresh.weight).__name__)
print(list(net.state_dict(prefix="net.")), net.state_dict(keep_vars=True)["0.weight"] is net[0].weight)
""",
    "deepcopy": """
import copy
net = nn.Sequential(nn.Linear(1, 1), nn.ReLU())
with torch.no_grad():
    net[0].weight.fill_(2.0)
    net[0].bias.fill_(1.0)
net[0].weight.grad = torch.ones(1, 1)
twin = copy.deepcopy(net)
with torch.no_grad():
    net[0].weight.fill_(5.0)
print(twin[0].weight, twin[0].weight.grad, twin[0].weight.is_leaf, type(twin[0].weight).__name__, twin)
shared = nn.Linear(1, 1)
net = nn.Sequential(shared, shared)
twin = copy.deepcopy(net)
print(twin[0] is twin[1], len(list(twin.parameters())), list(twin.state_dict()))
""",
    "hooks": """
net = nn.Sequential(nn.Linear(1, 1), nn.Linear(1, 1))
with torch.no_grad():
    for p in net.parameters():
        p.fill_(2.0)
h1 = net[0].register_forward_hook(lambda m, a, out: print("forward", type(m).__name__, a, out))
h2 = net[1].register_forward_pre_hook(lambda m, a: (a[0] * 10,))
h3 = net[1].register_forward_hook(lambda m, a, out: out + 1)
print(net(torch.tensor([[3.0]])))
h1.remove(); h2.remove()
print(net(torch.tensor([[3.0]])))
h3.remove()
def back(m, grad_input, grad_output):
    print("backward", grad_input, grad_output)
handle = net[1].register_full_backward_hook(back)
x = torch.tensor([[3.0]], requires_grad=True)
net(x).sum().backward()
print(x.grad, net[0].weight.grad)
handle.remove()
handle = net[1].register_full_backward_hook(lambda m, gi, go: (gi[0] * 3,))
x.grad = None
net(x).sum().backward()
print(x.grad)
handle.remove()
handle = net[1].register_full_backward_pre_hook(lambda m, go: (go[0] * 5,))
x.grad = None
net(x).sum().backward()
print(x.grad)
handle.remove()
first = nn.Linear(1, 1)
first.register_full_backward_hook(back)
with torch.no_grad():
    first.weight.fill_(1.0)
first(torch.tensor([[2.0]])).sum().backward()
!first.register_backward_hook(back)
calls = []
with nn.modules.module.register_module_forward_hook(lambda m, a, o: calls.append(type(m).__name__)):
    net(x)
net(x)
print(calls)
k = nn.Linear(1, 1)
k.register_forward_pre_hook(lambda m, args, kwargs: (args, {}), with_kwargs=True)
k(torch.ones(1), )
k.register_forward_pre_hook(lambda m, args, kwargs: 3, with_kwargs=True)
!k(torch.ones(1))
""",
    "containers": """
net = nn.Sequential(nn.Linear(1, 2), nn.ReLU(), nn.Linear(2, 3), nn.Tanh())
print(len(net), net[-1], net[1:3], list(net[:2].state_dict()))
net.append(nn.Sigmoid()); net.insert(1, nn.Identity())
print(net)
del net[0]
print(net, net.pop(0))
net[0] = nn.GELU()
print(net)
!net[9]
!nn.Sequential(3)
print(nn.Sequential(nn.ReLU()) + nn.Sequential(nn.Tanh()), 2 * nn.Sequential(nn.ReLU()))
!nn.Sequential() + 3
from collections import OrderedDict
named = nn.Sequential(OrderedDict([("fc", nn.Linear(1, 1)), ("act", nn.ReLU())]))
print(named, named.fc, named[0] is named.fc)
layers = nn.ModuleList([nn.Linear(1, 1)])
layers.append(nn.ReLU()); layers.extend([nn.Tanh()]); layers += [nn.ELU()]
print(len(layers), layers[1:], [type(m).__name__ for m in layers], layers[-1])
layers.insert(0, nn.SELU())
print(layers)
!layers(torch.ones(1))
!layers.extend(3)
!layers[7]
d = nn.ModuleDict({"b": nn.ReLU(), "a": nn.Tanh()})
d["c"] = nn.ELU()
d.update({"e": nn.GELU()})
print(list(d), d.pop("b"), "a" in d, len(d), [type(m).__name__ for m in d.values()])
!d["b"]
!d.update(3)
!d.update([(1, 2, 3)])
p = nn.ParameterList([torch.ones(1), nn.Parameter(torch.zeros(2))])
p.append(torch.ones(3)); p.append("text")
print(len(p), [n for n, _ in p.named_parameters()], p[-2], p[:2], p)
!p(1)
!p.extend(torch.ones(2))
q = nn.ParameterDict({"y": torch.ones(1), "x": torch.zeros(2)})
q["z"] = torch.ones(1)
print(list(q), [n for n, _ in q.named_parameters()], q["x"], q.get("none"), q.pop("y"), len(q))
!nn.ParameterDict()[3] = torch.ones(1)
print(list((nn.ParameterDict({"a": torch.ones(1)}) | q).keys()))
""",
    "shared parameters": """
a, b = nn.Linear(2, 2), nn.Linear(2, 2)
b.weight = a.weight
net = nn.Sequential(a, b)
print([n for n, _ in net.named_parameters()], [n for n, _ in net.named_parameters(remove_duplicate=False)], list(net.state_dict()))
print(len(list(nn.Sequential(a, a).modules())), [n for n, _ in nn.Sequential(a, a).named_children()])
""",
    "optimizer errors": """
w = torch.zeros(2, requires_grad=True)
!optim.SGD([], lr=0.1)
!optim.SGD(w, lr=0.1)
!optim.SGD([1], lr=0.1)
!optim.SGD([w], lr=-1)
!optim.SGD([w], lr=1, momentum=-1)
!optim.SGD([w], lr=1, weight_decay=-1)
!optim.SGD([w], lr=1, nesterov=True)
!optim.SGD([w * 2], lr=1)
!optim.SGD([{"params": {w}}], lr=1)
!optim.SGD([{"params": [w]}, {"params": [w]}], lr=1)
!optim.SGD(nn.Linear(1, 1), lr=1)
!optim.Adam([w], lr=-1)
!optim.Adam([w], betas=(1.0, 0.9))
!optim.Adam([w], eps=-1)
!optim.RMSprop([w], alpha=-1)
!optim.RMSprop([w], momentum=-1)
!optim.Adagrad([w], lr_decay=-1)
!optim.Adagrad([w], initial_accumulator_value=-1)
!optim.AdamW([w], weight_decay=-1)
!optim.SGD([("a", w), w], lr=1)
!optim.Optimizer([w], {}).step()
opt = optim.SGD([w], lr=0.1)
!opt.add_param_group(3)
!opt.add_param_group({"params": [w]})
!opt.load_state_dict({"state": {}, "param_groups": []})
!opt.load_state_dict({"state": {}, "param_groups": [{"params": [0, 1]}]})
opt.add_param_group({"params": torch.ones(1, requires_grad=True), "lr": 0.5})
print(opt)
print(opt.state_dict())
""",
    "optimizer step": """
w = torch.tensor([1.0, 2.0], requires_grad=True)
opt = optim.SGD([w], lr=0.1)
opt.step()
print(w, w._version)
(w ** 2).sum().backward()
opt.step()
print(w, w._version, w.grad)
def closure():
    opt.zero_grad()
    loss = (w ** 2).sum()
    loss.backward()
    return loss
print(opt.step(closure))
print(w, opt.state)
calls = []
handle = opt.register_step_pre_hook(lambda o, a, k: calls.append("pre"))
opt.register_step_post_hook(lambda o, a, k: calls.append("post"))
opt.step()
print(calls)
class Mine(optim.Optimizer):
    def __init__(self, params, lr=0.1):
        super().__init__(params, dict(lr=lr))
    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.add_(p.grad, alpha=-group["lr"])
mine = Mine([w], lr=1.0)
w.grad = torch.ones(2)
mine.step()
print(w, mine)
loss = (w ** 2).sum()
mine.step()
!loss.backward()
""",
    "scheduler order": """
w = torch.zeros(1, requires_grad=True)
opt = optim.SGD([w], lr=1.0)
s = optim.lr_scheduler.StepLR(opt, 1)
s.step()
print(opt.param_groups[0]["lr"], s.get_last_lr(), s.last_epoch)
opt.step(); s.step()
print(s.state_dict())
s.get_lr()
!optim.lr_scheduler.StepLR(3, 1)
!optim.lr_scheduler.LambdaLR(opt, [lambda e: 1, lambda e: 1])
!optim.lr_scheduler.OneCycleLR(opt, 1.0)
!optim.lr_scheduler.ReduceLROnPlateau(opt, mode="up")
!optim.lr_scheduler.SequentialLR(opt, [s], [1])
!optim.lr_scheduler.CosineAnnealingWarmRestarts(opt, 0)
!optim.lr_scheduler.StepLR(optim.SGD([w], lr=1.0), 1, last_epoch=3)
print(opt)
""",
    "clipping": """
a, b = torch.zeros(2, requires_grad=True), torch.zeros(1, requires_grad=True)
a.grad, b.grad = torch.tensor([3.0, 4.0]), torch.tensor([12.0])
c = torch.zeros(1, requires_grad=True)
print(nn.utils.clip_grad_norm_([a, b, c], 1.0), a.grad, b.grad, c.grad, a.grad._version)
print(nn.utils.clip_grad_norm_([a, b], 5.0), a.grad)
a.grad, b.grad = torch.tensor([3.0, -4.0]), torch.tensor([12.0])
print(nn.utils.clip_grad_norm_([a, b], 1.0, norm_type=float("inf")), a.grad, b.grad)
a.grad, b.grad = torch.tensor([3.0, -4.0]), torch.tensor([12.0])
print(nn.utils.clip_grad_norm_([a, b], 1.0, norm_type=1), a.grad)
nn.utils.clip_grad_value_([a, b], 0.1)
print(a.grad, b.grad)
a.grad = torch.tensor([float("nan"), 1.0])
!nn.utils.clip_grad_norm_([a], 1.0, error_if_nonfinite=True)
print(nn.utils.clip_grad_norm_([c], 1.0), nn.utils.clip_grad_norm_(a, 1.0))
v = nn.utils.parameters_to_vector([a, b])
print(v.shape, v.requires_grad)
nn.utils.vector_to_parameters(torch.arange(3.0), [a, b])
print(a, b)
""",
    "init": """
w = torch.empty(3, 3)
print(nn.init.constant_(w, 0.5), nn.init.zeros_(w), nn.init.ones_(w), nn.init.eye_(w), w._version)
print(nn.init.dirac_(torch.empty(2, 2, 3)))
print([round(nn.init.calculate_gain(n), 6) for n in ("linear", "conv2d", "sigmoid", "tanh", "relu", "leaky_relu", "selu")])
print(round(nn.init.calculate_gain("leaky_relu", 0.5), 6))
!nn.init.calculate_gain("nothing")
!nn.init.xavier_uniform_(torch.empty(3))
!nn.init.kaiming_normal_(torch.empty(3, 3), mode="fan")
!nn.init.eye_(torch.empty(3))
!nn.init.orthogonal_(torch.empty(3))
p = nn.Parameter(torch.empty(2, 2))
print(nn.init.constant_(p, 2.0), p.is_leaf, p.requires_grad)
for f in (nn.init.uniform_, nn.init.normal_, nn.init.xavier_uniform_, nn.init.xavier_normal_, nn.init.kaiming_uniform_,
          nn.init.kaiming_normal_, nn.init.trunc_normal_):
    t = f(torch.empty(64, 64))
    print(f.__name__, t.shape, t.dtype, t.requires_grad)
q = nn.init.orthogonal_(torch.empty(4, 6), gain=2.0)
print((q @ q.T).round(decimals=3).abs())
nn.init.kaiming_uniform_(torch.empty(0, 3))
""",
    "norm and dropout errors": """
!nn.BatchNorm1d(2)(torch.ones(2))
!nn.BatchNorm2d(2)(torch.ones(2, 2))
!nn.BatchNorm1d(2)(torch.ones(1, 2))
!nn.GroupNorm(3, 4)
!nn.Dropout(1.5)
!nn.Dropout(-0.1)
!nn.Embedding(3, 2, padding_idx=3)
!nn.MultiheadAttention(5, 2)
!nn.Conv2d(3, 4, 3, groups=2)
!nn.Conv2d(2, 4, 3, stride=2, padding="same")
!nn.RNN(2, 3, nonlinearity="sine")
!nn.LSTM(2, 0)
!nn.LSTM(2, 3)(torch.ones(2, 2, 2, 2))
!nn.LSTM(2, 3)(torch.ones(2, 2, 5))
!nn.GRU(2, 3)(torch.ones(4, 1, 2), torch.ones(2, 1, 3))
!nn.RNNCell(2, 3)(torch.ones(1, 1, 2))
!nn.GRUCell(2, 3)(torch.ones(2, 4))
!nn.GRUCell(2, 3)(torch.ones(2, 2), torch.ones(1, 3))
!nn.LSTMCell(2, 3)(torch.ones(2, 2), (torch.ones(2, 3), torch.ones(2, 4)))
!nn.Linear(2.0, 3)
!nn.Linear("a", 3)
!nn.Linear(-1, 2)
!nn.TripletMarginLoss(margin=-1)
!nn.Softmax2d()(torch.ones(2))
!nn.Hardtanh(2, 1)
""",
    "names of types": """
from torch.utils.data import DataLoader, TensorDataset
net = nn.Sequential(nn.Linear(1, 1), nn.ReLU(), nn.LSTM(1, 1), nn.Embedding(1, 1), nn.BatchNorm1d(1), nn.MSELoss())
print([type(m) for m in net.modules()])
print(type(net[0].weight), type(optim.SGD(net.parameters(), lr=0.1)), DataLoader, TensorDataset, optim.lr_scheduler.StepLR)
net.w = None
!net[0].weight = net[2]
!net.register_buffer("x", net[1])
""",
    "lazy layers": """
net = nn.Sequential(nn.LazyLinear(3), nn.ReLU(), nn.LazyLinear(1, bias=False))
print(net, net[0].weight, list(net.state_dict()))
!net[0].weight.shape
opt = optim.SGD(net.parameters(), lr=0.1)
net(torch.ones(2, 5)).sum().backward()
print(net, net[0].weight.shape, opt.param_groups[0]["params"][0] is net[0].weight, net[0].weight.grad.shape)
conv = nn.Sequential(nn.LazyConv2d(2, 3), nn.LazyBatchNorm2d())
print(conv)
conv(torch.ones(1, 3, 5, 5))
print(conv, conv[0].weight.shape)
""",
    "old reductions": """
print(nn.MSELoss(size_average=False).reduction)
print(nn.L1Loss(reduce=False).reduction)
print(nn.CrossEntropyLoss(size_average=True).reduction)
""",
    "batch norm statistics": """
bn = nn.BatchNorm1d(2)
x = torch.tensor([[1.0, 2.0], [3.0, 6.0]])
bn(x)
print(bn.running_mean, bn.running_var, bn.num_batches_tracked)
with torch.no_grad():
    bn(x)
print(bn.running_mean, bn.num_batches_tracked)
bn.requires_grad_(False)
bn(x)
print(bn.running_mean)
bn.eval()
bn(x)
print(bn.running_mean, bn.num_batches_tracked)
bn.train()
bn.load_state_dict({"weight": torch.ones(2), "bias": torch.zeros(2), "running_mean": torch.zeros(2), "running_var": torch.ones(2)})
print(bn.num_batches_tracked, bn.running_mean)
""",
    "data": """
from torch.utils.data import TensorDataset, DataLoader, Dataset, Subset, random_split, ConcatDataset, IterableDataset, BatchSampler, SequentialSampler
x, y = torch.arange(6.0).reshape(6, 1), torch.arange(6)
ds = TensorDataset(x, y)
print(len(ds), ds[2], ds[1:3])
for xb, yb in DataLoader(ds, batch_size=4):
    print(xb.tolist(), yb.tolist())
print(len(DataLoader(ds, batch_size=4)), len(DataLoader(ds, batch_size=4, drop_last=True)))
print([b for b in DataLoader([1.5, 2.5, 3.5], batch_size=2)], [b for b in DataLoader(range(3))])
class Mine(Dataset):
    def __len__(self):
        return 3
    def __getitem__(self, i):
        return {"x": torch.tensor([float(i)]), "name": "n" + str(i), "pair": (i, i / 2)}
for batch in DataLoader(Mine(), batch_size=2):
    print(batch)
print([b.tolist() for b in DataLoader(ConcatDataset([[1, 2], [3]]), batch_size=2)])
print(list(Subset(ds, [0, 5]))[1], sorted(len(p) for p in random_split(ds, [4, 2])), [len(p) for p in random_split(ds, [0.5, 0.5])])
print(sorted(int(b) for b in DataLoader(range(6), shuffle=True)))
print(list(BatchSampler(SequentialSampler(range(5)), 2, drop_last=False)))
class Stream(IterableDataset):
    def __iter__(self):
        return iter(range(5))
print([b.tolist() for b in DataLoader(Stream(), batch_size=2)])
print([b for b in DataLoader(range(3), batch_size=None)], DataLoader(ds, batch_size=3, collate_fn=len).__iter__().__next__())
!TensorDataset(x, y[:3])
!DataLoader(ds, batch_size=0)
!DataLoader(ds, shuffle=True, sampler=[0])
!DataLoader(ds, batch_sampler=[[0]], batch_size=2)
!DataLoader([], shuffle=True)
!random_split(ds, [1, 2])
!next(iter(DataLoader([object()])))
!Dataset()[0]
""",
}


def output(source: str, torch: Any) -> str:
    """What a program prints, warnings (category and text) included; lines marked ``!`` print the error they raise."""
    lines = []
    for line in source.strip().split("\n"):
        if line.startswith("!"):
            lines.append(f"raises({line[1:]!r}, globals())")
        else:
            lines.append(line)

    def raises(code: str, names: dict[str, Any]) -> None:
        try:
            exec(code, names)
        except Exception as error:
            print(f"{type(error).__name__}: {error}")
        else:
            print(f"no error: {code}")

    names = {"torch": torch, "nn": torch.nn, "optim": torch.optim, "raises": raises, "__name__": "program"}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        exec("\n".join(lines), names)
    said = [f"{w.category.__name__}: {w.message}" for w in caught if w.category is not DeprecationWarning]
    return printed.getvalue() + "".join(f"warning {line}\n" for line in said)
