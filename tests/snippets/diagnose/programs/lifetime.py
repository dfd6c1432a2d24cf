"""Programs about how long a graph lives: faults, their line marked, and sound look-alikes."""

FAULTY = {
    "graph-freed": [
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
y = (w ** 3).sum()
y.backward()
y.backward()  # fault
""",
        """
import torch
w = torch.tensor(0.5, requires_grad=True)
penalty = (w ** 2)
for x in [1.0, 2.0]:
    loss = (w * x - 1) ** 2 + penalty
    w.grad = None
    loss.backward()  # fault
""",
        """
import torch
w = torch.tensor(0.5, requires_grad=True)
hidden = torch.zeros(1)
for x in [1.0, 2.0, 3.0]:
    hidden = torch.sigmoid(w * x + hidden)
    err = (hidden - 1).pow(2).sum()
    err.backward()  # fault
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = (x ** 3).sum()
g = torch.autograd.grad(y, x)[0]
print(g)
y.backward()  # fault
""",
        """
import torch
mu = torch.tensor([0.5], requires_grad=True)
log_var = torch.tensor([0.1], requires_grad=True)
kl = -0.5 * (1 + log_var - mu ** 2 - log_var.exp()).sum()
for eps in [0.1, -0.2]:
    z = mu + torch.exp(0.5 * log_var) * eps
    loss = (z - 1).pow(2).sum() + kl
    loss.backward()  # fault
""",
    ],
    "higher-order": [
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
judge = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 1))
opt = torch.optim.SGD(judge.parameters(), lr=0.01)
def slope_penalty(x):
    x = x.detach().requires_grad_()
    scores = judge(x)
    slope = torch.autograd.grad(outputs=scores.sum(), inputs=x, create_graph=False)[0]  # fault
    return (slope.norm(dim=1) - 1).pow(2).mean()
for _ in range(2):
    real, fake = torch.randn(4, 2), torch.randn(4, 2)
    loss = judge(fake).mean() - judge(real).mean() + slope_penalty(fake)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(1, 5), nn.Tanh(), nn.Linear(5, 1))
t = torch.linspace(0, 1, 6)[:, None].requires_grad_()
u = net(t)
du = torch.autograd.grad(u.sum(), t)[0]  # fault
res = (du + u).pow(2).mean()
res.backward()
""",
        """
import torch
t = torch.tensor(1.0, requires_grad=True)
position = t ** 4
(velocity,) = torch.autograd.grad(position, t)  # fault
(acceleration,) = torch.autograd.grad(velocity, t)
""",
        """
import torch
x = torch.tensor(2.0, requires_grad=True)
y = torch.sin(x)
y.backward()  # fault
slope = x.grad
slope.backward()
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = (x ** 3).sum()
g = torch.autograd.grad(y, x)[0]  # fault
penalty = (g.norm() - 1) ** 2
penalty.backward()
""",
        """
import torch
x = torch.tensor(3.0, requires_grad=True)
for _ in range(2):
    f = x ** 4
    f1 = torch.autograd.grad(f, x)[0]  # fault
    f2 = torch.autograd.grad(f1, x)[0]
    with torch.no_grad():
        x -= f1 / f2
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
f = (x ** 3).sum()
f.backward()  # fault
v = torch.tensor([1.0, 1.0])
hv = torch.autograd.grad((x.grad * v).sum(), x)[0]
print(hv)
""",
        """
import torch
import torch.nn as nn
x = torch.tensor([1.0, -1.0], requires_grad=True)
y = torch.relu(x).sum()
g = torch.autograd.grad(y, x, create_graph=True)[0]
h = torch.autograd.grad(g.sum(), x, allow_unused=True)[0]  # fault
print(h)
""",
    ],
    "memory-graph-retained": [
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.01)
history = []
for i in range(4):
    opt.zero_grad()
    loss = (w - i) ** 2
    loss.backward()
    opt.step()
    history.append(loss)  # fault
print(len(history))
""",
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
outputs = []
for i in range(3):
    pred = w * i
    loss = (pred - 1) ** 2
    opt.zero_grad()
    loss.backward()
    opt.step()
    outputs.append(pred)  # fault
""",
        """
import torch
w = torch.tensor(3.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
history = {}
for i in range(3):
    loss = (w - 1) ** 2
    opt.zero_grad()
    loss.backward()
    opt.step()
    history[i] = loss  # fault
print(len(history), history[0].grad_fn is not None)
""",
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
total = torch.zeros(())
for i in range(4):
    opt.zero_grad()
    loss = (w - i) ** 2
    loss.backward()
    opt.step()
    total += loss  # fault
print(total.grad_fn is not None)
""",
        """
import torch
class Meter:
    def __init__(self):
        self.total = 0.0
        self.n = 0
    def update(self, value):
        self.total = self.total + value  # fault
        self.n += 1
w = torch.tensor(2.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
_meter = Meter()
for i in range(3):
    loss = (w - 1) ** 2
    opt.zero_grad()
    loss.backward()
    opt.step()
    _meter.update(loss)
kept = _meter.total.requires_grad
print(kept)
""",
    ],
    "checkpointing": [
        """
import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint
layer = nn.Linear(2, 2)
data = torch.tensor([[1.0, 2.0]])
out = checkpoint(layer, data, use_reentrant=True)  # fault
loss = out.sum()
loss.backward()
""",
        """
import torch
from torch.utils.checkpoint import checkpoint
scale = torch.tensor(2.0, requires_grad=True)
def segment(v):
    return (scale * v).exp()
first = torch.tensor([0.1, 0.2])
mid = checkpoint(segment, first, use_reentrant=True)  # fault
other = torch.tensor(1.0, requires_grad=True)
(mid.sum() * other).backward()
print(scale.grad)
""",
        """
import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint
body = nn.Sequential(nn.Linear(2, 2), nn.Tanh())
head = nn.Linear(2, 1)
x = torch.ones(3, 2)
h = checkpoint(body, x, use_reentrant=True)  # fault
head(h).sum().backward()
print(body[0].weight.grad)
""",
        """
import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint_sequential
net = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 1))
for p in net.parameters():
    nn.init.constant_(p, 0.3)
x = torch.ones(1, 2)
y = checkpoint_sequential(net[:2], 2, x, use_reentrant=True)  # fault
print(y.requires_grad)
net[2](y).sum().backward()
print(net[0].weight.grad)
""",
        """
import torch
from torch.utils.checkpoint import checkpoint
w1 = torch.tensor([0.5, 0.5], requires_grad=True)
w2 = torch.tensor([1.0, 1.0], requires_grad=True)
def enc(x):
    return torch.sigmoid(w1 * x)
x = torch.tensor([1.0, 2.0])
z = checkpoint(enc, x, use_reentrant=True)  # fault
loss = (w2 * z).sum()
loss.backward()
print(w2.grad is not None, w1.grad is not None)
""",
    ],
}

SOUND = {
    "graph-freed": [
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
y = (w ** 3).sum()
g1 = torch.autograd.grad(y, w, retain_graph=True)[0]
g2 = torch.autograd.grad(y, w)[0]
print(g1, g2)
""",
        """
import torch
w = torch.tensor(0.5, requires_grad=True)
hs = []
h = torch.tensor(1.0)
for t in range(3):
    h = torch.tanh(w * h)
    hs.append(h)
loss = torch.stack(hs).sum()
loss.backward()
print(w.grad)
""",
        """
import torch
w = torch.tensor([1.0, -2.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for x in [torch.tensor([1.0, 0.0]), torch.tensor([0.0, 1.0])]:
    l2 = w.pow(2).sum()
    loss = (w * x).sum() ** 2 + 0.1 * l2
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = (x ** 3).sum()
g = torch.autograd.grad(y, x, retain_graph=True)[0]
print(g)
y.backward()
print(x.grad)
""",
        """
import torch
mu = torch.tensor([0.5], requires_grad=True)
log_var = torch.tensor([0.1], requires_grad=True)
for eps in [0.1, -0.2]:
    kl = -0.5 * (1 + log_var - mu ** 2 - log_var.exp()).sum()
    z = mu + torch.exp(0.5 * log_var) * eps
    loss = (z - 1).pow(2).sum() + kl
    loss.backward()
""",
    ],
    "higher-order": [
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
judge = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 1))
opt = torch.optim.SGD(judge.parameters(), lr=0.01)
def slope_penalty(x):
    x = x.detach().requires_grad_()
    scores = judge(x)
    slope = torch.autograd.grad(outputs=scores.sum(), inputs=x, create_graph=True)[0]
    return (slope.norm(dim=1) - 1).pow(2).mean()
for _ in range(2):
    real, fake = torch.randn(4, 2), torch.randn(4, 2)
    loss = judge(fake).mean() - judge(real).mean() + slope_penalty(fake)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(1, 5), nn.Tanh(), nn.Linear(5, 1))
t = torch.linspace(0, 1, 6)[:, None].requires_grad_()
u = net(t)
du = torch.autograd.grad(u.sum(), t, create_graph=True)[0]
res = (du + u).pow(2).mean()
res.backward()
""",
        """
import torch
x = torch.tensor(2.0, requires_grad=True)
y = x ** 3
g = torch.autograd.grad(y, x, create_graph=True)[0]
h = torch.autograd.grad(g, x)[0]
print(g.item(), h.item())
""",
        """
import torch
x = torch.tensor(2.0, requires_grad=True)
w = torch.tensor(1.0, requires_grad=True)
inner = (w * x) ** 2
g = torch.autograd.grad(inner, w, create_graph=True)[0]
w2 = w - 0.1 * g
outer = (w2 * x - 1) ** 2
outer.backward()
print(x.grad)
""",
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
inner = (w * 2.0 - 1.0) ** 2
g = torch.autograd.grad(inner, w, create_graph=True)[0]
fast = w - 0.1 * g
outer = (fast * 3.0 - 2.0) ** 2
outer.backward()
print(round(w.grad.item(), 4))
""",
        """
import torch
x = torch.tensor(3.0, requires_grad=True)
for _ in range(2):
    f = x ** 4
    f1 = torch.autograd.grad(f, x, create_graph=True)[0]
    f2 = torch.autograd.grad(f1, x)[0]
    with torch.no_grad():
        x -= f1 / f2
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
f = (x ** 3).sum()
g = torch.autograd.grad(f, x, create_graph=True)[0]
v = torch.tensor([1.0, 1.0])
hv = torch.autograd.grad((g * v).sum(), x)[0]
print(hv)
""",
        """
import torch
import torch.nn as nn
x = torch.tensor([1.0, -1.0], requires_grad=True)
y = torch.nn.functional.softplus(x).sum()
g = torch.autograd.grad(y, x, create_graph=True)[0]
h = torch.autograd.grad(g.sum(), x, allow_unused=True)[0]
print([round(v, 4) for v in h.tolist()])
""",
    ],
    "memory-graph-retained": [
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
total = 0.0
for x in [1.0, 2.0, 3.0]:
    total = total + (w * x - 1) ** 2
total.backward()
print(w.grad)
""",
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
losses = []
for _ in range(3):
    opt.zero_grad()
    loss = (w - 2) ** 2
    loss.backward()
    opt.step()
    losses.append(loss.detach())
print(torch.stack(losses))
""",
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
log = {"loss": []}
for i in range(3):
    loss = (w - i) ** 2
    opt.zero_grad()
    loss.backward()
    opt.step()
    log["loss"].append(loss.item())
print(len(log["loss"]))
""",
        """
import torch
w = torch.tensor(3.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
history = {}
for i in range(3):
    loss = (w - 1) ** 2
    opt.zero_grad()
    loss.backward()
    opt.step()
    history[i] = loss.detach()
print(len(history), history[0].grad_fn is not None)
""",
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
total = torch.zeros(())
for i in range(4):
    opt.zero_grad()
    loss = (w - i) ** 2
    loss.backward()
    opt.step()
    total += loss.detach()
print(total.grad_fn is not None)
""",
        """
import torch
class Meter:
    def __init__(self):
        self.total = 0.0
        self.n = 0
    def update(self, value):
        self.total = self.total + value
        self.n += 1
w = torch.tensor(2.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
_meter = Meter()
for i in range(3):
    loss = (w - 1) ** 2
    opt.zero_grad()
    loss.backward()
    opt.step()
    _meter.update(loss.item())
kept = isinstance(_meter.total, torch.Tensor)
print(kept)
""",
    ],
    "checkpointing": [
        """
import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint
layer = nn.Linear(2, 2)
x = torch.ones(1, 2)
out = checkpoint(layer, x, use_reentrant=False)
out.sum().backward()
print(layer.weight.grad is not None)
""",
        """
import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint
body = nn.Linear(2, 2)
for p in body.parameters():
    nn.init.constant_(p, 0.5)
head = torch.tensor([1.0, 1.0], requires_grad=True)
feats = torch.tensor([[1.0, 2.0]], requires_grad=True)
h = checkpoint(body, feats.detach(), use_reentrant=False)
loss = (torch.tanh(h) * head).sum()
loss.backward()
print("body:", body.weight.grad)
""",
        """
import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint_sequential
net = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 1))
for p in net.parameters():
    nn.init.constant_(p, 0.3)
x = torch.ones(1, 2)
y = checkpoint_sequential(net[:2], 2, x, use_reentrant=False)
print(y.requires_grad)
net[2](y).sum().backward()
print(net[0].weight.grad)
""",
        """
import torch
from torch.utils.checkpoint import checkpoint
w1 = torch.tensor([0.5, 0.5], requires_grad=True)
w2 = torch.tensor([1.0, 1.0], requires_grad=True)
def enc(x):
    return torch.sigmoid(w1 * x)
x = torch.tensor([1.0, 2.0])
z = checkpoint(enc, x, use_reentrant=False)
loss = (w2 * z).sum()
loss.backward()
print(w2.grad is not None, w1.grad is not None)
""",
    ],
}
