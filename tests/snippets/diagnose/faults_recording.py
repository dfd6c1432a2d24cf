"""Faulty snippets and sound look-alikes: recording, cuts, leaves, dtypes."""

FAULTY = {
    "nothing-requires-grad": [
        """
import torch
speed = torch.tensor([1.0, 2.0])
drag = torch.tensor(0.3)
energy = (speed * drag).sum()
energy.backward()
""",
        """
import torch
gain = torch.tensor(2.0, requires_grad=True)
signal = torch.tensor([1.0, -1.0])
out = (gain * signal).abs().sum()
out.backward()
print(signal.grad)
""",
        """
import torch
import torch.nn as nn
layer = nn.Linear(2, 1)
for p in layer.parameters():
    p.requires_grad = False
out = layer(torch.tensor([[1.0, 2.0]])).sum()
out.backward()
""",
        """
import torch
mass = torch.tensor(3.0)
force = mass * 2.0
mass.requires_grad = True
g = torch.autograd.grad(force, mass)
""",
        """
import torch
theta = torch.tensor(0.4, requires_grad=True)
@torch.no_grad()
def model(t):
    return torch.sin(theta * t)
value = model(torch.tensor(2.0))
value.backward()
""",
        """
import torch
a = torch.tensor([1.0, 2.0])
a.retain_grad()
""",
    ],
    "graph-cut": [
        """
import torch
rate = torch.tensor(0.5, requires_grad=True)
height = rate * 4.0
again = torch.tensor(height.item(), requires_grad=True)
cost = again ** 2
cost.backward()
print(rate.grad)
""",
        """
import torch
import numpy as np
k = torch.tensor([1.0, 2.0], requires_grad=True)
curve = np.sin(k.detach().numpy())
loss = torch.from_numpy(curve).sum()
loss.backward()
""",
        """
import torch
scores = torch.tensor([0.1, 0.7, 0.2], requires_grad=True)
table = torch.tensor([10.0, 20.0, 30.0])
best = table[scores.argmax()]
best.backward()
""",
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.tensor([[1.0, 2.0]])
for _ in range(2):
    hidden = net[0](x).detach()
    loss = net[2](net[1](hidden)).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
p = torch.tensor(0.3, requires_grad=True)
q = torch.tensor(0.8, requires_grad=True)
both = torch.tensor([p, q])
total = (both ** 2).sum()
total.backward()
""",
        """
import torch
state = torch.tensor(1.0)
decay = torch.tensor(0.9, requires_grad=True)
for _ in range(4):
    state = state.detach() * decay
final = (state - 0.2) ** 2
final.backward()
print(decay.grad)
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
loss = (w.data * 3.0).sum()
loss.backward()
""",
        """
import torch
w = torch.tensor([0.2, 0.9], requires_grad=True)
hits = (w > 0.5).float()
accuracy = hits.mean()
loss = 1 - accuracy
loss.requires_grad_()
loss.backward()
print(w.grad)
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
print(w.numpy().sum())
""",
    ],
    "python-value-not-tensor": [
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
losses = []
for x in [1.0, 2.0]:
    losses.append(((w * x) ** 2).sum().item())
mean_loss = sum(losses) / len(losses)
mean_loss.backward()
""",
        """
import torch
w = torch.tensor(2.0, requires_grad=True)
def step(w):
    loss = (w - 1.0) ** 2
loss = step(w)
loss.backward()
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
parts = [(w[0] - 1) ** 2, (w[1] + 1) ** 2]
parts.backward()
""",
        """
import torch
w = torch.tensor(2.0, requires_grad=True)
loss = float((w * 3.0) ** 2)
loss.backward()
""",
    ],
    "not-in-graph": [
        """
import torch
x = torch.tensor(1.0, requires_grad=True)
y = torch.tensor(2.0, requires_grad=True)
f = x ** 3
print(torch.autograd.grad(f, y))
""",
        """
import torch
v = torch.tensor([1.0, 2.0], requires_grad=True)
energy = (v ** 2).sum()
part = v[0]
print(torch.autograd.grad(energy, part))
""",
        """
import torch
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = (x * 2).sum()
z = x.reshape(3, 1)
torch.autograd.grad(y, z)
""",
    ],
    "non-leaf-grad": [
        """
import torch
points = torch.ones(2, 2, requires_grad=True) * 0.5
loss = (points ** 2).sum()
loss.backward()
print(points.grad)
""",
        """
import torch
z = torch.tensor([1.0, 2.0], requires_grad=True)
scaled = z / 2
opt = torch.optim.Adam([scaled], lr=0.01)
""",
        """
import torch
a = torch.tensor([1.0], requires_grad=True)
hidden = torch.tanh(a)
out = hidden * 3
out.backward()
print(hidden.grad)
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 2
y.requires_grad = False
""",
        """
import torch, copy
a = torch.tensor([1.0, 2.0], requires_grad=True)
b = a * 3
c = copy.deepcopy(b)
""",
    ],
    "leaf-reassigned": [
        """
import torch
slope = torch.tensor(0.0, requires_grad=True)
bias = torch.tensor(0.0, requires_grad=True)
for _ in range(3):
    loss = (slope * 2.0 + bias - 5.0) ** 2
    loss.backward()
    slope = slope - 0.01 * slope.grad
    bias = bias - 0.01 * bias.grad
""",
        """
import torch
w = torch.tensor([1.0], requires_grad=True)
lr = 0.5
for i in range(2):
    y = (w * w).sum()
    y.backward()
    g = w.grad
    w = w - lr * g
""",
        """
import torch
params = {"w": torch.tensor(2.0, requires_grad=True)}
for _ in range(2):
    loss = params["w"] ** 2
    loss.backward()
    params["w"] = params["w"] - 0.1 * params["w"].grad
""",
    ],
    "grad-is-none": [
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
loss = (w ** 2).sum()
print(w.grad.sum())
loss.backward()
""",
        """
import torch
used = torch.tensor(1.0, requires_grad=True)
spare = torch.tensor(1.0, requires_grad=True)
(used * 2).backward()
total = used.grad + spare.grad
""",
        """
import torch
import torch.nn as nn
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    loss = net(torch.ones(1, 2)).sum()
    loss.backward()
    opt.step()
    opt.zero_grad()
    print(net.weight.grad.abs().max())
""",
    ],
    "dtype": [
        """
import torch
counts = torch.arange(4, requires_grad=True)
""",
        """
import torch
import torch.nn.functional as F
logits = torch.tensor([[1.0, 2.0], [0.5, 0.1]], requires_grad=True)
labels = torch.tensor([1.0, 0.0])
loss = F.cross_entropy(logits, labels)
""",
        """
import torch
ages = torch.tensor([20, 30, 40])
print(ages.mean())
""",
        """
import torch
import torch.nn as nn
net = nn.Linear(2, 1)
x = torch.tensor([[1.0, 2.0]], dtype=torch.float64)
net(x).sum().backward()
""",
    ],
    "python-typo": [
        """
import torch
w = torch.tensor([1.0, 2.0])
w.requires_gradient = True
loss = (w ** 2).sum()
print(loss.requires_grad)
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
(w * 2).sum().backward()
w.zero_grad()
""",
        """
import torch
import torch.nn as nn
net = nn.Linear(2, 1)
for p in net.parameters():
    p.require_grad = False
net(torch.ones(1, 2)).sum().backward()
print(net.weight.grad)
""",
        """
import torch
w = torch.tensor(2.0, requires_grad=True)
loss = w ** 2
loss.backwards()
""",
    ],
}

SOUND = {
    "nothing-requires-grad": [
        """
import torch
w = torch.tensor([0.5, 1.5], requires_grad=True)
x = torch.tensor([1.0, 2.0])
loss = ((w * x) ** 2).mean()
loss.backward()
print(w.grad)
""",
        """
import torch
with torch.no_grad():
    table = torch.tensor([1.0, 2.0]) * 3
w = torch.tensor(1.0, requires_grad=True)
loss = (w * table).sum()
loss.backward()
print(w.grad)
""",
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
net[0].requires_grad_(False)
net(torch.ones(1, 2)).sum().backward()
print(net[0].weight.grad)
""",
    ],
    "graph-cut": [
        """
import torch
import torch.nn as nn
online = nn.Linear(2, 1)
target = nn.Linear(2, 1)
opt = torch.optim.SGD(online.parameters(), lr=0.1)
s = torch.tensor([[1.0, 2.0]])
with torch.no_grad():
    goal = 1.0 + 0.9 * target(s)
loss = ((online(s) - goal) ** 2).mean()
opt.zero_grad()
loss.backward()
opt.step()
""",
        """
import torch
x = torch.tensor([0.2, 0.7], requires_grad=True)
hard = (x > 0.5).float()
straight = x + (hard - x).detach()
loss = ((straight - 1.0) ** 2).sum()
loss.backward()
print(x.grad)
""",
        """
import torch
w = torch.tensor(0.5, requires_grad=True)
h = torch.tensor(1.0)
for chunk in range(2):
    h = h.detach()
    for t in range(3):
        h = torch.tanh(w * h)
    loss = (h - 0.2) ** 2
    w.grad = None
    loss.backward()
print(w.grad)
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
log = []
for _ in range(2):
    loss = (w ** 2).sum()
    log.append(loss.item())
    w.grad = None
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
print(log)
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
loss = (w ** 2).sum()
loss.backward()
print(w.detach().numpy().tolist())
""",
        """
import torch
import torch.nn as nn
backbone = nn.Linear(3, 2)
head = nn.Linear(2, 1)
opt = torch.optim.SGD(head.parameters(), lr=0.1)
x = torch.ones(4, 3)
with torch.no_grad():
    features = backbone(x)
for _ in range(2):
    loss = head(features).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
logits = torch.tensor([1.0, 2.0, 0.5], requires_grad=True)
shifted = logits - logits.max().detach()
loss = -(shifted[0] - shifted.exp().sum().log())
loss.backward()
print(logits.grad)
""",
    ],
    "leaf": [
        """
import torch
w = torch.tensor([1.0], requires_grad=True)
h = w * 2
h.retain_grad()
(h ** 2).sum().backward()
print(h.grad, w.grad)
""",
        """
import torch
x = torch.tensor([0.5, 0.5])
w = torch.tensor([1.0, -2.0])
for _ in range(3):
    x = x.detach().requires_grad_()
    score = (w * x).sum()
    g = torch.autograd.grad(score, x)[0]
    x = x + 0.1 * g.sign()
print(x)
""",
        """
import torch
w = torch.tensor(2.0, requires_grad=True)
loss = w ** 2
loss.backward()
w = (w - 0.1 * w.grad).detach().requires_grad_()
print(w)
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
for name, p in {"a": torch.tensor(1.0, requires_grad=True), "b": torch.tensor(2.0)}.items():
    if p.requires_grad:
        (p * 2).backward()
    if p.grad is not None:
        print(name, p.grad.item())
""",
    ],
    "dtype": [
        """
import torch
import torch.nn.functional as F
logits = torch.tensor([[1.0, 2.0], [0.5, 0.1]], requires_grad=True)
labels = torch.tensor([1, 0])
F.cross_entropy(logits, labels).backward()
print(logits.grad)
""",
        """
import torch
idx = torch.tensor([2, 0])
w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
w[idx].sum().backward()
print(w.grad)
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True, dtype=torch.float64)
(w.sum() ** 2).backward()
print(w.grad)
""",
    ],
}
