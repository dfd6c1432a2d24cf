"""Programs about histories that are cut: faults, their line marked, and sound look-alikes."""

FAULTY = {
    "graph-cut": [
        """
import torch
class Shift(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, by):
        return x + by
    @staticmethod
    def backward(ctx, g):
        return g, None  # fault
x = torch.tensor([1.0, 2.0], requires_grad=True)
by = torch.tensor(0.5, requires_grad=True)
opt = torch.optim.SGD([x, by], lr=0.1)
loss = Shift.apply(x, by).pow(2).sum()
loss.backward()
opt.step()
""",
        """
import torch
import torch.nn as nn
from torch.distributions import Normal
torch.manual_seed(0)
encode = nn.Linear(3, 4)
decode = nn.Linear(2, 3)
opt = torch.optim.Adam([*encode.parameters(), *decode.parameters()], lr=0.01)
x = torch.randn(8, 3)
mean, log_std = encode(x).chunk(2, -1)
z = Normal(mean, log_std.exp()).sample()  # fault
loss = (decode(z) - x).pow(2).mean()
opt.zero_grad()
loss.backward()
opt.step()
print(encode.weight.grad)
""",
        """
import torch
from torch.distributions import Categorical
scores = torch.tensor([0.1, 0.3, 0.2], requires_grad=True)
gains = torch.tensor([1.0, 5.0, 2.0])
choice = Categorical(logits=scores).sample()  # fault
loss = -gains[choice]
loss.backward()
""",
        """
import torch
import torch.nn as nn
class Attn(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Linear(4, 4)
        self.k = nn.Linear(4, 4)
        self.v = nn.Linear(4, 4)
    def forward(self, x):
        scores = self.q(x) @ self.k(x).transpose(-1, -2) / 2
        top = scores.argmax(-1)  # fault
        w = nn.functional.one_hot(top, x.shape[0]).float()
        return w @ self.v(x)
torch.manual_seed(0)
a = Attn()
a(torch.randn(5, 4)).pow(2).sum().backward()
print({n: p.grad is None for n, p in a.named_parameters()})
""",
        """
import torch
rate = torch.tensor(0.5, requires_grad=True)
height = rate * 4.0
again = torch.tensor(height.item(), requires_grad=True)  # fault
cost = again ** 2
cost.backward()
print(rate.grad)
""",
        """
import torch
import numpy as np
k = torch.tensor([1.0, 2.0], requires_grad=True)
curve = np.sin(k.detach().numpy())  # fault
loss = torch.from_numpy(curve).sum()
loss.backward()
""",
        """
import torch
scores = torch.tensor([0.1, 0.7, 0.2], requires_grad=True)
table = torch.tensor([10.0, 20.0, 30.0])
best = table[scores.argmax()]  # fault
best.backward()
""",
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.tensor([[1.0, 2.0]])
for _ in range(2):
    hidden = net[0](x).detach()  # fault
    loss = net[2](net[1](hidden)).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
p = torch.tensor(0.3, requires_grad=True)
q = torch.tensor(0.8, requires_grad=True)
both = torch.tensor([p, q])  # fault
total = (both ** 2).sum()
total.backward()
""",
        """
import torch
state = torch.tensor(1.0)
decay = torch.tensor(0.9, requires_grad=True)
for _ in range(4):
    state = state.detach() * decay  # fault
final = (state - 0.2) ** 2
final.backward()
print(decay.grad)
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
loss = (w.data * 3.0).sum()  # fault
loss.backward()
""",
        """
import torch
w = torch.tensor([0.2, 0.9], requires_grad=True)
hits = (w > 0.5).float()  # fault
accuracy = hits.mean()
loss = 1 - accuracy
loss.requires_grad_()
loss.backward()
print(w.grad)
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
print(w.numpy().sum())  # fault
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor(0.5, requires_grad=True)
rows = torch.tensor([[1.0, 0.0], [1.0, 1.0]])
total = b * 0.0
for r in rows:
    pred = (r * w).sum()
    total = total + pred.item() * 2.0  # fault
total.backward()
print("b.grad:", b.grad)
print("w.grad:", w.grad)
""",
        """
import torch
scores = torch.tensor([0.3, 0.9, 0.5], requires_grad=True)
values = torch.tensor([1.0, 2.0, 4.0], requires_grad=True)
_, top = scores.topk(2)  # fault
loss = values[top].sum()
loss.backward()
print("values.grad:", values.grad)
print("scores.grad:", scores.grad)
""",
        """
import torch
w = torch.tensor([3.0, 4.0], requires_grad=True)
g = torch.tensor(1.0, requires_grad=True)
x = torch.tensor([1.0, 1.0])
unit = w.data / w.data.norm()  # fault
loss = ((g * unit * x).sum() - 1) ** 2
loss.backward()
print("g.grad:", round(g.grad.item(), 4))
print("w.grad:", w.grad)
""",
        """
import torch
emb = torch.tensor([[0.1, 0.2], [0.3, 0.4]], requires_grad=True)
w = torch.tensor([1.0, 1.0], requires_grad=True)
rows = [[v for v in emb[i].tolist()] for i in (0, 1)]  # fault
x = torch.tensor(rows)
loss = (x @ w).pow(2).sum()
loss.backward()
print("w.grad:", [round(v, 4) for v in w.grad.tolist()])
print("emb.grad:", emb.grad)
""",
        """
import torch
import torch.nn as nn
class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor(0.5))
    def forward(self, x, h):
        return torch.tanh(self.w * h.detach() + x)  # fault
cell = Cell()
h = torch.tensor(0.0)
for x in [1.0, 0.5, 0.2]:
    h = cell(x, h)
h.backward()
print(round(cell.w.grad.item(), 4))
""",
        """
import torch
w = torch.tensor([1.0, -2.0], requires_grad=True)
x = torch.tensor([1.0, 1.0])
mse = ((w * x).sum() - 3) ** 2
penalty = (w ** 2).sum().item()  # fault
loss = mse + 0.1 * penalty
loss.backward()
print(w.grad)
""",
        """
import torch
x = torch.tensor([3.0, 1.0, 2.0], requires_grad=True)
k = torch.tensor(1.0, requires_grad=True)
top = sorted(x.tolist())[-1]  # fault
loss = k * top
loss.backward()
print(k.grad, x.grad)
""",
    ],
}

SOUND = {
    "graph-cut": [
        """
import torch
class Shift(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, by):
        return x + by
    @staticmethod
    def backward(ctx, g):
        return g, None
x = torch.tensor([1.0, 2.0], requires_grad=True)
by = torch.tensor(0.5)
opt = torch.optim.SGD([x], lr=0.1)
loss = Shift.apply(x, by).pow(2).sum()
loss.backward()
opt.step()
""",
        """
import torch
class Shift(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, by):
        return x + by
    @staticmethod
    def backward(ctx, g):
        return g, g.sum()
x = torch.tensor([1.0, 2.0], requires_grad=True)
by = torch.tensor(0.5, requires_grad=True)
opt = torch.optim.SGD([x, by], lr=0.1)
loss = Shift.apply(x, by).pow(2).sum()
loss.backward()
opt.step()
""",
        """
import torch
import torch.nn as nn
from torch.distributions import Normal, kl_divergence
torch.manual_seed(0)
encode = nn.Linear(3, 4)
decode = nn.Linear(2, 3)
opt = torch.optim.Adam([*encode.parameters(), *decode.parameters()], lr=0.01)
x = torch.randn(8, 3)
for _ in range(3):
    mean, log_std = encode(x).chunk(2, -1)
    q = Normal(mean, log_std.exp())
    z = q.rsample()
    loss = (decode(z) - x).pow(2).sum(-1).mean() + kl_divergence(q, Normal(0.0, 1.0)).sum(-1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item() > 0)
""",
        """
import torch
from torch.distributions import Categorical
torch.manual_seed(0)
scores = torch.zeros(3, requires_grad=True)
gains = torch.tensor([1.0, 5.0, 2.0])
opt = torch.optim.SGD([scores], lr=0.1)
for _ in range(4):
    policy = Categorical(logits=scores)
    choice = policy.sample()
    loss = -policy.log_prob(choice) * (gains[choice] - 2.0) - 0.01 * policy.entropy()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(scores.grad)
""",
        """
import torch
import torch.nn as nn
class Attn(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Linear(4, 4)
        self.k = nn.Linear(4, 4)
        self.v = nn.Linear(4, 4)
    def forward(self, x):
        scores = self.q(x) @ self.k(x).transpose(-1, -2) / 2
        w = torch.softmax(scores, -1)
        return w @ self.v(x)
torch.manual_seed(0)
a = Attn()
a(torch.randn(5, 4)).pow(2).sum().backward()
print({n: p.grad is None for n, p in a.named_parameters()})
""",
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
        """
import torch
best = float("inf")
w = torch.tensor(1.0, requires_grad=True)
for _ in range(2):
    loss = (w - 2) ** 2
    best = min(best, loss.item())
    w.grad = None
    loss.backward()
print(best)
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor(0.5, requires_grad=True)
rows = torch.tensor([[1.0, 0.0], [1.0, 1.0]])
total = b * 0.0
for r in rows:
    pred = (r * w).sum()
    total = total + pred * 2.0
total.backward()
print("b.grad:", b.grad)
print("w.grad:", w.grad)
""",
        """
import torch
scores = torch.tensor([0.3, 0.9, 0.5], requires_grad=True)
values = torch.tensor([1.0, 2.0, 4.0], requires_grad=True)
s, top = scores.topk(2)
loss = (s * values[top]).sum()
loss.backward()
print("values.grad:", values.grad)
print("scores.grad:", scores.grad)
""",
        """
import torch
w = torch.tensor([3.0, 4.0], requires_grad=True)
g = torch.tensor(1.0, requires_grad=True)
x = torch.tensor([1.0, 1.0])
unit = w / w.norm()
loss = ((g * unit * x).sum() - 1) ** 2
loss.backward()
print("g.grad:", round(g.grad.item(), 4))
print("w.grad:", w.grad)
""",
        """
import torch
emb = torch.tensor([[0.1, 0.2], [0.3, 0.4]], requires_grad=True)
w = torch.tensor([1.0, 1.0], requires_grad=True)
rows = [emb[i] for i in (0, 1)]
x = torch.stack(rows)
loss = (x @ w).pow(2).sum()
loss.backward()
print("w.grad:", [round(v, 4) for v in w.grad.tolist()])
print("emb.grad:", emb.grad.shape)
""",
        """
import torch
import torch.nn as nn
class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor(0.5))
    def forward(self, x, h):
        return torch.tanh(self.w * h + x)
cell = Cell()
h = torch.tensor(0.0)
for x in [1.0, 0.5, 0.2]:
    h = cell(x, h)
h.backward()
print(round(cell.w.grad.item(), 4))
""",
        """
import torch
w = torch.tensor([1.0, -2.0], requires_grad=True)
x = torch.tensor([1.0, 1.0])
mse = ((w * x).sum() - 3) ** 2
penalty = (w ** 2).sum()
loss = mse + 0.1 * penalty
loss.backward()
print(w.grad)
""",
        """
import torch
x = torch.tensor([3.0, 1.0, 2.0], requires_grad=True)
k = torch.tensor(1.0, requires_grad=True)
top = x.max()
loss = k * top
loss.backward()
print(k.grad, x.grad)
""",
    ],
}
