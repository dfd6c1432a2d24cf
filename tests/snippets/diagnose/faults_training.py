"""Faulty snippets and sound look-alikes: the training step, modules, modes, losses and numbers."""

FAULTY = {
    "parameter-registration": [
        """
import torch
import torch.nn as nn
class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.factor = torch.ones(1, requires_grad=True)
        self.lin = nn.Linear(1, 1)
    def forward(self, x):
        return self.lin(x) * self.factor
model = Scale()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
model(torch.ones(1, 1)).sum().backward()
opt.step()
""",
        """
import torch
import torch.nn as nn
class Heads(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = {"a": nn.Linear(2, 1), "b": nn.Linear(2, 1)}
        self.body = nn.Linear(2, 2)
    def forward(self, x):
        return sum(h(self.body(x)) for h in self.heads.values())
m = Heads()
print([n for n, _ in m.named_parameters()])
m(torch.ones(1, 2)).sum().backward()
""",
        """
import torch
import torch.nn as nn
class Deep(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.blocks = []
        for _ in range(n):
            self.blocks.append(nn.Linear(2, 2))
    def forward(self, x):
        for b in self.blocks:
            x = torch.relu(b(x))
        return x
net = Deep(3)
print(len(list(net.parameters())))
""",
    ],
    "optimizer-params": [
        """
import torch
import torch.nn as nn
old = nn.Linear(2, 1)
opt = torch.optim.Adam(old.parameters(), lr=0.1)
old = nn.Linear(2, 1)
for _ in range(2):
    opt.zero_grad()
    old(torch.ones(1, 2)).sum().backward()
    opt.step()
""",
        """
import torch
import torch.nn as nn
net = nn.Linear(2, 1)
weights = (p for p in net.parameters())
print(sum(p.numel() for p in weights))
opt = torch.optim.SGD(weights, lr=0.1)
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
frozen = torch.tensor([3.0], requires_grad=True)
opt = torch.optim.SGD([w, frozen], lr=0.1, momentum=0.9)
((w * frozen) ** 2).sum().backward()
opt.step()
opt.zero_grad(set_to_none=False)
frozen.requires_grad = False
(w ** 2).sum().backward()
opt.step()
print(frozen)
""",
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
net[0].weight.requires_grad = False
for p in net.parameters():
    p.requires_grad = True
net(torch.ones(1, 2)).sum().backward()
print(net[0].weight.grad)
""",
    ],
    "optimizer-order": [
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for x in [1.0, 2.0, 3.0]:
    loss = (w * x - 1) ** 2
    loss.backward()
    opt.zero_grad()
    opt.step()
print(w)
""",
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for x in [1.0, 2.0]:
    opt.zero_grad()
    loss = (w * x - 4) ** 2
    opt.step()
    loss.backward()
print(w)
""",
        """
import torch
import torch.nn as nn
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    opt.zero_grad()
    net(torch.ones(1, 2) * 100).pow(2).sum().backward()
    opt.step()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
""",
    ],
    "accumulation": [
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for x in [1.0, 2.0, 3.0]:
    loss = (w * x - 1) ** 2
    loss.backward()
    opt.step()
print(w)
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
for _ in range(3):
    loss = (w ** 2).sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
""",
        """
import torch
x = torch.tensor(2.0, requires_grad=True)
f = x ** 2
f.backward()
print("f':", x.grad)
g = x ** 3
g.backward()
print("g':", x.grad)
""",
        """
import torch
w = torch.tensor([1.0, 3.0], requires_grad=True)
cost = (w * w).sum()
for _ in range(2):
    cost.backward(retain_graph=True)
print(w.grad)
""",
    ],
    "reduction-scale": [
        """
import torch
w = torch.tensor(0.5, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
data = torch.tensor([1.0, 2.0, 3.0, 4.0])
opt.zero_grad()
for part in data.split(2):
    loss = ((w * part - 1) ** 2).mean()
    loss.backward()
opt.step()
""",
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
chunks = [torch.tensor([1.0, 2.0, 3.0]), torch.tensor([4.0, 5.0])]
for c in chunks:
    err = ((w * c) ** 2).mean() / 2
    err.backward()
print(w.grad)
""",
        """
import torch
import torch.nn.functional as F
w = torch.tensor([[0.5]], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.01)
opt.zero_grad()
for xb in [torch.ones(4, 1), torch.ones(4, 1), torch.ones(4, 1)]:
    loss = F.mse_loss(xb @ w, torch.zeros(4, 1))
    loss.backward()
opt.step()
""",
    ],
    "sign": [
        """
import torch
policy = torch.tensor([0.1, -0.2, 0.3], requires_grad=True)
opt = torch.optim.SGD([policy], lr=0.5)
for _ in range(3):
    log_prob = torch.log_softmax(policy, dim=0)[2]
    reward = 2.0
    loss = log_prob * reward
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for _ in range(3):
    loss = -((w - 3.0) ** 2)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(w)
""",
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
for _ in range(3):
    loss = (w - 3.0) ** 2
    loss.backward()
    with torch.no_grad():
        w += 0.1 * w.grad
    w.grad = None
""",
    ],
    "train-eval-mode": [
        """
import torch
import torch.nn as nn
model = nn.Sequential(nn.Linear(2, 8), nn.Dropout(0.3), nn.Linear(8, 1))
with torch.no_grad():
    first = model(torch.ones(1, 2))
    second = model(torch.ones(1, 2))
print((first - second).abs().item() >= 0)
""",
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(2, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
net(torch.ones(1, 2))
""",
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(2, 4), nn.Dropout(0.5), nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(2):
    loss = net(torch.ones(3, 2)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    net.eval()
    with torch.no_grad():
        val = net(torch.ones(1, 2))
""",
        """
import torch
import torch.nn as nn
net = nn.Linear(3, 1)
net.eval()
predictions = []
for i in range(3):
    predictions.append(net(torch.ones(1, 3) * i))
print(len(predictions))
""",
        """
import torch
import torch.nn as nn
body = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
head = nn.Linear(2, 1)
for p in body.parameters():
    p.requires_grad = False
opt = torch.optim.SGD(head.parameters(), lr=0.1)
for _ in range(2):
    loss = head(body(torch.tensor([[1.0, 2.0], [3.0, 5.0]]))).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    ],
    "non-scalar-backward": [
        """
import torch
import torch.nn as nn
net = nn.Linear(2, 3)
net(torch.ones(4, 2)).backward()
""",
        """
import torch
import torch.nn as nn
pred = torch.tensor([[0.2], [0.7]], requires_grad=True)
crit = nn.BCELoss(reduction="none")
loss = crit(pred, torch.tensor([[0.0], [1.0]]))
loss.backward()
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.exp(x)
torch.autograd.grad(y, x)
""",
    ],
    "jacobian": [
        """
import torch
m = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
x = torch.tensor([1.0, 1.0], requires_grad=True)
y = m @ x
for i in range(2):
    row = torch.zeros(2)
    row[i] = 1.0
    y.backward(row, retain_graph=True)
    print(x.grad)
""",
        """
import torch
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x ** 2
y.backward(torch.ones(2))
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.stack([x[0] * x[1], x[0] + x[1]])
jacobian = torch.autograd.grad(y, x, grad_outputs=torch.ones(2))[0]
print(jacobian)
""",
    ],
    "broadcasting": [
        """
import torch
import torch.nn as nn
net = nn.Linear(1, 1)
x = torch.tensor([[1.0], [2.0], [3.0], [4.0]])
y = torch.tensor([1.0, 2.0, 3.0, 4.0])
loss = nn.MSELoss()(net(x), y)
loss.backward()
""",
        """
import torch
pred = torch.tensor([0.1, 0.2, 0.3], requires_grad=True)
truth = torch.tensor([[0.0], [1.0], [0.0]])
loss = (pred - truth).abs().mean()
loss.backward()
""",
        """
import torch
v = torch.tensor([[1.0, 2.0, 3.0]], requires_grad=True)
t = torch.tensor([[1.0], [2.0], [3.0]])
sq = (t - v).pow(2)
sq.sum().backward()
""",
    ],
    "nan-gradient": [
        """
import torch
v = torch.zeros(3, requires_grad=True)
length = (v * v).sum().sqrt()
length.backward()
print(v.grad)
""",
        """
import torch
p = torch.tensor([0.0, 1.0], requires_grad=True)
loss = -(torch.tensor([1.0, 0.0]) * torch.log(p)).sum()
loss.backward()
print(loss, p.grad)
""",
        """
import torch
a = torch.tensor([0.0, 2.0], requires_grad=True)
safe = torch.where(a > 0, 1.0 / a, torch.zeros(2))
safe.sum().backward()
print(a.grad)
""",
        """
import torch
z = torch.tensor([1000.0, 0.0], requires_grad=True)
soft = torch.exp(z) / torch.exp(z).sum()
loss = -torch.log(soft[0])
loss.backward()
print(z.grad)
""",
        """
import torch
x = torch.tensor(0.0, requires_grad=True)
y = x / x
y.backward()
print(x.grad)
""",
        """
import torch
n = torch.tensor([0.0, 0.0], requires_grad=True)
unit = n / torch.sqrt((n ** 2).sum())
unit.sum().backward()
""",
    ],
    "zero-gradient-op": [
        """
import torch
x = torch.tensor([0.2, 1.7], requires_grad=True)
y = torch.round(x * 3)
((y - 1.0) ** 2).sum().backward()
print(x.grad)
""",
        """
import torch
logit = torch.tensor(60.0, requires_grad=True)
p = torch.sigmoid(logit)
loss = (p - 0.0) ** 2
loss.backward()
print(logit.grad)
""",
        """
import torch
x = torch.tensor([-3.0, -1.0], requires_grad=True)
w = torch.relu(x)
((w - 2) ** 2).sum().backward()
print(x.grad)
""",
        """
import torch
h = torch.tensor(3.7, requires_grad=True)
steps = torch.floor(h)
loss = (steps * 2 - 1) ** 2
loss.backward()
""",
    ],
    "subgradient": [
        """
import torch
x = torch.tensor([0.0, 1.0], requires_grad=True)
torch.relu(x).sum().backward()
print(x.grad)
""",
        """
import torch
s = torch.tensor([2.0, 5.0, 5.0], requires_grad=True)
s.max().backward()
print(s.grad)
""",
        """
import torch
x = torch.tensor([-1.0, 0.5, 1.0], requires_grad=True)
torch.clamp(x, -1.0, 1.0).sum().backward()
print(x.grad)
""",
        """
import torch
a = torch.tensor([1.0, 3.0], requires_grad=True)
b = torch.tensor([1.0, 2.0], requires_grad=True)
torch.minimum(a, b).sum().backward()
print(a.grad, b.grad)
""",
    ],
    "loss-misuse": [
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(2, 3), nn.Softmax(dim=1))
x = torch.tensor([[1.0, 2.0], [0.0, 1.0]])
loss = nn.CrossEntropyLoss()(net(x), torch.tensor([0, 2]))
loss.backward()
""",
        """
import torch
import torch.nn.functional as F
z = torch.tensor([0.3, -1.2], requires_grad=True)
prob = torch.sigmoid(z)
loss = F.binary_cross_entropy_with_logits(prob, torch.tensor([1.0, 0.0]))
loss.backward()
""",
        """
import torch
import torch.nn.functional as F
logits = torch.tensor([[2.0, 0.5], [0.1, 1.0]], requires_grad=True)
p = F.softmax(logits, dim=1)
loss = F.nll_loss(p, torch.tensor([0, 1]))
loss.backward()
""",
        """
import torch
import torch.nn.functional as F
logits = torch.tensor([[2.0, 0.5, 0.0], [0.1, 1.0, 0.0]], requires_grad=True)
logp = F.log_softmax(logits, dim=0)
loss = F.nll_loss(logp, torch.tensor([0, 1]))
loss.backward()
""",
    ],
}

SOUND = {
    "training-step": [
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
x = torch.tensor([[1.0, 2.0], [0.0, -1.0]])
y = torch.tensor([[1.0], [0.0]])
for _ in range(3):
    opt.zero_grad()
    loss = ((net(x) - y) ** 2).mean()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
print(len(list(net.parameters())))
""",
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for x in [1.0, 2.0, 3.0]:
    loss = (w * x - 1) ** 2
    loss.backward()
    opt.step()
    opt.zero_grad()
print(w)
""",
        """
import torch
w = torch.tensor(0.5, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
data = torch.tensor([1.0, 2.0, 3.0, 4.0])
opt.zero_grad()
for part in data.split(2):
    loss = ((w * part - 1) ** 2).mean() / 2
    loss.backward()
opt.step()
""",
        """
import torch
gen = torch.tensor(0.5, requires_grad=True)
dis = torch.tensor(1.0, requires_grad=True)
og = torch.optim.SGD([gen], lr=0.1)
od = torch.optim.SGD([dis], lr=0.1)
for _ in range(2):
    fake = gen * 2.0
    d_loss = (dis * fake.detach()) ** 2 + (dis * 3.0 - 1) ** 2
    od.zero_grad()
    d_loss.backward()
    od.step()
    g_loss = (dis * (gen * 2.0) - 1) ** 2
    og.zero_grad()
    g_loss.backward()
    og.step()
""",
        """
import torch
theta = torch.tensor([0.1, 0.2], requires_grad=True)
opt = torch.optim.SGD([theta], lr=0.5)
for _ in range(3):
    loss = -torch.log_softmax(theta, dim=0)[1]
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
theta = torch.tensor(0.1, requires_grad=True)
opt = torch.optim.SGD([theta], lr=0.1, maximize=True)
for _ in range(3):
    reward = -(theta - 2.0) ** 2
    opt.zero_grad()
    reward.backward()
    opt.step()
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
opt = torch.optim.LBFGS([w]) if False else torch.optim.SGD([w], lr=0.1, weight_decay=0.01)
for _ in range(2):
    opt.zero_grad()
    (w ** 2).sum().backward()
    opt.step()
print(w)
""",
        """
import torch
x = torch.tensor(2.0, requires_grad=True)
a = x ** 2
b = x ** 3
(a + b).backward()
print(x.grad)
""",
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
l1 = (w - 2) ** 2
l2 = (w + 1) ** 2
l1.backward()
l2.backward()
print(w.grad)
""",
    ],
    "modules": [
        """
import torch
import torch.nn as nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(2)])
        self.scale = nn.Parameter(torch.ones(1))
        self.register_buffer("mean", torch.zeros(2))
        self.sizes = [2, 2]
    def forward(self, x):
        for layer in self.layers:
            x = layer(x - self.mean)
        return x * self.scale
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
loss = net(torch.ones(1, 2)).sum()
loss.backward()
opt.step()
""",
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(2, 4), nn.Dropout(0.5), nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(2):
    net.train()
    loss = net(torch.ones(3, 2)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    net.eval()
    with torch.no_grad():
        val = net(torch.ones(1, 2))
print(val.shape)
""",
        """
import torch
import torch.nn as nn
net = nn.Linear(3, 1)
net.eval()
with torch.no_grad():
    out = net(torch.ones(1, 3))
print(out.requires_grad)
""",
        """
import torch
import torch.nn as nn
base = nn.Linear(2, 2)
head = nn.Linear(2, 1)
for p in base.parameters():
    p.requires_grad = False
opt = torch.optim.SGD(head.parameters(), lr=0.1)
loss = head(base(torch.ones(1, 2))).sum()
loss.backward()
opt.step()
""",
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2), nn.Linear(2, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
loss = net(torch.tensor([[1.0, 2.0], [3.0, 1.0]])).sum()
opt.zero_grad()
loss.backward()
opt.step()
""",
    ],
    "shapes-and-losses": [
        """
import torch
x = torch.tensor([[1.0], [2.0], [3.0]])
y = torch.tensor([[2.0], [4.0], [6.0]])
w = torch.tensor([[0.0]], requires_grad=True)
b = torch.tensor([0.0], requires_grad=True)
loss = ((x @ w + b - y) ** 2).mean()
loss.backward()
""",
        """
import torch
a = torch.tensor([[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]], requires_grad=True)
diff = a.unsqueeze(0) - a.unsqueeze(1)
sq = (diff ** 2).sum(-1)
sq.sum().backward()
""",
        """
import torch
import torch.nn.functional as F
logits = torch.tensor([[2.0, 0.5], [0.1, 1.0]], requires_grad=True)
loss = F.nll_loss(F.log_softmax(logits, dim=1), torch.tensor([0, 1]))
loss.backward()
print(F.softmax(logits, dim=1).detach())
""",
        """
import torch
import torch.nn.functional as F
z = torch.tensor([0.3, -1.2], requires_grad=True)
F.binary_cross_entropy(torch.sigmoid(z), torch.tensor([1.0, 0.0])).backward()
""",
        """
import torch
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x ** 2
y.backward(torch.ones_like(y))
print(x.grad)
""",
        """
import torch
m = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
x = torch.tensor([1.0, 1.0], requires_grad=True)
y = m @ x
rows = [torch.autograd.grad(y, x, grad_outputs=e, retain_graph=True)[0] for e in torch.eye(2)]
print(torch.stack(rows))
""",
        """
import torch
q = torch.tensor([[1.0, 0.0], [0.5, 1.0]], requires_grad=True)
scores = q @ q.t()
mask = torch.tensor([[False, True], [False, False]])
weights = torch.softmax(scores.masked_fill(mask, float("-inf")), dim=-1)
weights[1, 0].backward()
print(q.grad)
""",
    ],
    "numbers": [
        """
import torch
x = torch.tensor([0.5, -0.5, 2.0], requires_grad=True)
torch.relu(x).sum().backward()
print(x.grad)
""",
        """
import torch
x = torch.tensor([0.2, 3.0], requires_grad=True)
y = torch.clamp(x, max=1.0)
((y - 0.5) ** 2).sum().backward()
print(x.grad)
""",
        """
import torch
a = torch.tensor([0.0, 2.0], requires_grad=True)
safe = torch.where(a > 0, a, torch.ones(2))
out = torch.where(a > 0, 1.0 / safe, torch.zeros(2))
out.sum().backward()
print(a.grad)
""",
        """
import torch
w = torch.tensor(3.0, requires_grad=True)
loss = (w - 3.0) ** 2
loss.backward()
print(w.grad)
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
    ],
}
