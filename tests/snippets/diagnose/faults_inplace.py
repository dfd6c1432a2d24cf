"""Faulty snippets and sound look-alikes: writes in place, aliases, lifetimes, constants."""

FAULTY = {
    "inplace-modified-saved": [
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x.exp()
z = y * 2
y += 1
z2 = (y + z).sum()
z2.backward()
""",
        """
import torch
x = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
h = torch.tanh(x)
h.mul_(0.5)
h.sum().backward()
""",
        """
import torch
import torch.nn as nn
net = nn.Linear(2, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
h = torch.ones(1, 2, requires_grad=True)
mid = net(h)
out = net(mid).sum()
first = mid.sum()
first.backward(retain_graph=True)
opt.step()
out.backward()
""",
        """
import torch
a = torch.tensor([2.0, 3.0], requires_grad=True)
b = torch.tensor([1.0, 4.0])
prod = a * b
b[0] = 100.0
prod.sum().backward()
""",
    ],
    "inplace-on-leaf": [
        """
import torch
w = torch.zeros(3, requires_grad=True)
w += 1.0
""",
        """
import torch
w = torch.ones(2, 2, requires_grad=True)
w[0, 0] = 5.0
(w ** 2).sum().backward()
""",
        """
import torch
import torch.nn as nn
layer = nn.Linear(2, 1)
layer.weight.fill_(0.5)
layer(torch.ones(1, 2)).sum().backward()
""",
    ],
    "inplace-on-view": [
        """
import torch
grid = torch.zeros(1, 3).expand(2, 3)
grid[:, 0] = torch.tensor([1.0, 2.0])
""",
        """
import torch
x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
y = x * 1.0
first, second = y.unbind(0)
first.mul_(2.0)
second.sum().backward()
""",
        """
import torch
base = torch.zeros(2, 3, requires_grad=True) * 1.0
with torch.no_grad():
    view = base[0]
view.add_(1.0)
""",
    ],
    "inplace-silent": [
        """
import torch
import torch.nn.functional as F
x = torch.tensor([-1.0, 2.0], requires_grad=True)
h = x + 0.0
act = F.relu(h, inplace=True)
both = act + h
both.sum().backward()
print(x.grad)
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
sq = w * w
w.data[0] = 10.0
sq.sum().backward()
print(w.grad)
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
skip = x * 1.0
out = skip.add_(5.0)
res = out - skip
res.sum().backward()
print(res)
""",
    ],
    "aliasing": [
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
start = w.detach()
loss = (w ** 2).sum()
loss.backward()
opt.step()
print("moved:", (w - start).abs().sum().item())
""",
        """
import torch
a = torch.tensor([1.0, 2.0, 3.0])
arr = a.numpy()
arr[0] = 50.0
print(a)
""",
        """
import torch
import torch.nn as nn
net = nn.Linear(1, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
best = net.state_dict()
net(torch.ones(1, 1)).sum().backward()
opt.step()
net.load_state_dict(best)
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
old = w.data
old.fill_(0.0)
print((w * 3).sum())
""",
    ],
    "result-discarded": [
        """
import torch
x = torch.tensor([-1.0, 2.0])
x.clamp(min=0.0)
w = torch.tensor(1.0, requires_grad=True)
(w * x).sum().backward()
print(w.grad)
""",
        """
import torch
import torch.nn as nn
x = torch.tensor([[1.0, 2.0]])
x.to(torch.float64)
layer = nn.Linear(2, 1).double()
layer(x.double()).sum().backward()
""",
        """
import torch
t = torch.arange(6.0)
t.view(2, 3)
print(t.shape)
""",
        """
import torch
x = torch.tensor([1.0, 5.0, 9.0])
x[[0, 2]].fill_(0.0)
print(x)
""",
    ],
    "graph-freed": [
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
y = (w ** 3).sum()
y.backward()
y.backward()
""",
        """
import torch
w = torch.tensor(0.5, requires_grad=True)
penalty = (w ** 2)
for x in [1.0, 2.0]:
    loss = (w * x - 1) ** 2 + penalty
    w.grad = None
    loss.backward()
""",
        """
import torch
w = torch.tensor(0.5, requires_grad=True)
hidden = torch.zeros(1)
for x in [1.0, 2.0, 3.0]:
    hidden = torch.sigmoid(w * x + hidden)
    err = (hidden - 1).pow(2).sum()
    err.backward()
""",
        """
import torch
x = torch.tensor(2.0, requires_grad=True)
features = torch.exp(x)
a = features * 2
b = features * features
torch.autograd.grad(b, x)
torch.autograd.grad(features * 3, x)
a.backward()
""",
    ],
    "higher-order": [
        """
import torch
t = torch.tensor(1.0, requires_grad=True)
position = t ** 4
(velocity,) = torch.autograd.grad(position, t)
(acceleration,) = torch.autograd.grad(velocity, t)
""",
        """
import torch
x = torch.tensor(2.0, requires_grad=True)
y = torch.sin(x)
y.backward()
slope = x.grad
slope.backward()
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = (x ** 3).sum()
g = torch.autograd.grad(y, x)[0]
penalty = (g.norm() - 1) ** 2
penalty.backward()
""",
        """
import torch
x = torch.tensor(3.0, requires_grad=True)
y = 5 * x
g = torch.autograd.grad(y, x, create_graph=True)[0]
h = torch.autograd.grad(g, x)[0]
""",
        """
import torch
x = torch.tensor(1.5, requires_grad=True)
y = x ** 4
y.backward(create_graph=True)
first = x.grad
first.backward()
print(x.grad)
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
    history.append(loss)
print(len(history))
""",
        """
import torch
import torch.nn as nn
net = nn.Linear(1, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
running = 0
for i in range(3):
    out = net(torch.ones(2, 1))
    loss = (out ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    running += loss
print(running / 3)
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
    outputs.append(pred)
""",
    ],
    "checkpointing": [
        """
import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint
layer = nn.Linear(2, 2)
data = torch.tensor([[1.0, 2.0]])
out = checkpoint(layer, data, use_reentrant=True)
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
mid = checkpoint(segment, first, use_reentrant=True)
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
h = checkpoint(body, x, use_reentrant=True)
head(h).sum().backward()
print(body[0].weight.grad)
""",
    ],
    "indexing": [
        """
import torch
hist = torch.zeros(3)
bins = torch.tensor([0, 0, 2, 2, 2])
hist[bins] += torch.ones(5)
print(hist)
""",
        """
import torch
w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = w * 2
y[1:] = torch.tensor([7.0, 8.0])
y.sum().backward()
print(w.grad)
""",
        """
import torch
a = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
out = a ** 2 + 0
out[0] = 0.0
out.sum().backward()
print(a.grad)
""",
    ],
    "missing-detach": [
        """
import torch
student = torch.tensor(0.5, requires_grad=True)
teacher = torch.tensor(2.0, requires_grad=True)
x = torch.tensor(3.0)
target = teacher * x
loss = (student * x - target) ** 2
loss.backward()
print(teacher.grad)
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
snapshot = w.clone()
loss = ((w - 1) ** 2).sum() + (snapshot * 0.5).sum()
loss.backward()
print(w.grad)
""",
        """
import torch
enc = torch.tensor(1.5, requires_grad=True)
z = enc * 2
loss = z ** 2
z.detach_()
loss.backward()
print(enc.grad)
""",
        """
import torch
actor = torch.tensor(0.3, requires_grad=True)
critic = torch.tensor(0.7, requires_grad=True)
action = actor * 2
critic_loss = (critic * action - 1) ** 2
critic_loss.backward()
print(actor.grad)
""",
    ],
    "over-cancelled-gradient": [
        """
import torch
x = torch.tensor([0.3, 0.8], requires_grad=True)
hard = torch.round(x)
straight = x + (hard - x)
straight.sum().backward()
print(x.grad)
""",
        """
import torch
v = torch.tensor([1.0, 2.0], requires_grad=True)
ratio = v / v
ratio.sum().backward()
print(v.grad)
""",
        """
import torch
logp = torch.tensor([-1.0, -0.5], requires_grad=True)
weight = torch.exp(logp - logp)
weight.sum().backward()
print(logp.grad)
""",
    ],
}

SOUND = {
    "inplace": [
        """
import torch
w = torch.ones(3, requires_grad=True)
with torch.no_grad():
    w.mul_(0.5)
(w ** 2).sum().backward()
print(w.grad)
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
y += 1
y.sum().backward()
print(x.grad)
""",
        """
import torch
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
out = torch.zeros(3)
for i in range(3):
    out[i] = x[i] ** 2
out.sum().backward()
print(x.grad)
""",
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(2, 2), nn.ReLU(inplace=True), nn.Linear(2, 1))
net(torch.ones(1, 2)).sum().backward()
print(net[0].weight.grad is not None)
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
loss = (w ** 2).sum()
loss.backward()
w.data -= 0.1 * w.grad
w.grad.zero_()
print(w)
""",
    ],
    "aliasing": [
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
start = w.detach().clone()
(w ** 2).sum().backward()
opt.step()
print((w - start).abs().sum().item())
""",
        """
import torch
a = torch.tensor([1.0, 2.0])
b = a.clone()
b.zero_()
print(a, b)
""",
        """
import torch
import torch.nn as nn
import copy
net = nn.Linear(1, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
best = copy.deepcopy(net.state_dict())
net(torch.ones(1, 1)).sum().backward()
opt.step()
net.load_state_dict(best)
""",
    ],
    "discarded": [
        """
import torch
x = torch.tensor([-1.0, 2.0])
x.clamp_(min=0.0)
print(x)
""",
        """
import torch
x = torch.tensor([1.0, 5.0, 9.0])
x[0:2].fill_(0.0)
print(x)
""",
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
w.requires_grad_(True)
y = w * 2
y.backward()
""",
        """
import torch
import torch.nn as nn
net = nn.Linear(2, 1)
net.to(torch.float64)
net.double()
net(torch.ones(1, 2, dtype=torch.float64)).sum().backward()
""",
    ],
    "lifetime": [
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
x = torch.tensor(2.0, requires_grad=True)
y = x ** 3
g = torch.autograd.grad(y, x, create_graph=True)[0]
h = torch.autograd.grad(g, x)[0]
print(g.item(), h.item())
""",
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
import torch.nn as nn
from torch.utils.checkpoint import checkpoint
layer = nn.Linear(2, 2)
x = torch.ones(1, 2)
out = checkpoint(layer, x, use_reentrant=False)
out.sum().backward()
print(layer.weight.grad is not None)
""",
    ],
    "constants": [
        """
import torch
student = torch.tensor(0.5, requires_grad=True)
teacher = torch.tensor(2.0, requires_grad=True)
x = torch.tensor(3.0)
target = (teacher * x).detach()
loss = (student * x - target) ** 2
loss.backward()
print(teacher.grad)
""",
        """
import torch
x = torch.tensor([1.0, 2.0, 4.0], requires_grad=True)
centred = x - x.mean()
loss = (centred ** 2).sum()
loss.backward()
print(x.grad)
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
probs = torch.softmax(x, dim=0)
probs.sum().backward()
print(x.grad)
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x.clone()
y[0] = 5.0
y.sum().backward()
print(x.grad)
""",
    ],
    "indexing": [
        """
import torch
hist = torch.zeros(3)
bins = torch.tensor([0, 1, 2])
hist[bins] += 1
print(hist)
""",
        """
import torch
w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
idx = torch.tensor([0, 0, 2])
w[idx].sum().backward()
print(w.grad)
""",
    ],
}
