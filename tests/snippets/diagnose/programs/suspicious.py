"""Sound programs that look suspicious and are right: nothing to report."""

FAULTY: dict[str, list[str]] = {}

SOUND = {
    "not-a-fault": [
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = (x ** 2).sum()
z = y ** 2
gy = torch.autograd.grad(y, x, retain_graph=True)[0]
gz = torch.autograd.grad(z, x)[0]
print(gy, gz)
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
h = x * 3.0
h += 1.0
h *= 2.0
h.sum().backward()
print(x.grad)
""",
        """
import torch
x = torch.tensor(2.0, requires_grad=True)
z = torch.tensor(3.0, requires_grad=True)
y = x ** 2
g = torch.autograd.grad(y, [x, z], allow_unused=True)
print(g[0].item(), g[1])
""",
        """
import torch
z = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
total = torch.softmax(z, dim=0).sum()
total.backward()
print([round(abs(v), 5) for v in z.grad.tolist()])
""",
        """
import torch
w = torch.tensor(2.0, requires_grad=True)
x = torch.tensor(3.0)
h = w * x
y = w * h
y.backward()
print(w.grad)
""",
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
opt.zero_grad()
for x in [1.0, 2.0]:
    loss = ((w * x - 3) ** 2) / 2
    loss.backward()
opt.step()
print(round(w.item(), 4))
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
log = []
for i in range(2):
    loss = ((w - i) ** 2).sum()
    log.append(loss.detach())
    w.grad = None
    loss.backward()
print(torch.stack(log))
""",
        """
import torch
x = torch.tensor([1.0, -2.0], requires_grad=True)
h = x * 2
h.relu_()
h.sum().backward()
print(x.grad)
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
h = x * 2
h.register_hook(lambda g: g * 0.5)
h.sum().backward()
print(x.grad)
""",
        """
import torch
import torch.nn as nn
w = torch.tensor([3.0, 4.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for _ in range(2):
    opt.zero_grad()
    loss = (w ** 2).sum()
    loss.backward()
    torch.nn.utils.clip_grad_norm_([w], 1.0)
    opt.step()
print([round(v, 3) for v in w.tolist()])
""",
        """
import torch
w = torch.empty(2, requires_grad=True)
with torch.no_grad():
    w.fill_(0.5)
    w[0] = 1.0
(w ** 2).sum().backward()
print(w.grad)
""",
        """
import torch
a = torch.tensor(1.0, requires_grad=True)
b = torch.tensor(2.0, requires_grad=True)
for i in range(4):
    p = a if i % 2 == 0 else b
    loss = (a * b - 3) ** 2
    g, = torch.autograd.grad(loss, [p])
    with torch.no_grad():
        p -= 0.05 * g
print(round(a.item(), 4), round(b.item(), 4))
""",
        """
import torch
W = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
x = torch.tensor([1.0, -1.0])
h = torch.tanh(x @ W)
y = h @ W.t()
loss = (y - x).pow(2).sum()
loss.backward()
print([[round(v, 4) for v in r] for r in W.grad.tolist()])
""",
        """
import torch
x = torch.tensor([1.0, 5.0, 2.0], requires_grad=True)
x.max().backward()
print(x.grad)
""",
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
for _ in range(3):
    w.grad = None
    loss = (w - 2) ** 2
    loss.backward()
    w.data -= 0.1 * w.grad
print(round(w.item(), 4))
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
opt = torch.optim.Adam([w], lr=0.1)
best = None
for i in range(3):
    opt.zero_grad()
    loss = (w ** 2).sum()
    loss.backward()
    opt.step()
    if best is None or loss.item() < best[0]:
        best = (loss.item(), w.detach().clone())
print(round(best[0], 4))
""",
        """
import torch
b = torch.tensor([1.0, 2.0], requires_grad=True)
x = torch.ones(3, 2)
y = (x + b.expand(3, 2)).sum()
y.backward()
print(b.grad)
""",
        """
import torch
w = torch.tensor(0.5, requires_grad=True)
loss = (w - 1.0) ** 2 + w ** 2
loss.backward()
print(w.grad)
""",
        """
import torch
u = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
v = torch.tensor([1.0, 0.5, 2.0])
outer = u.unsqueeze(1) * v
outer.mean().backward()
print(u.grad)
""",
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for _ in range(2):
    opt.zero_grad()
    a = (w - 2) ** 2
    b = 0.1 * w ** 2
    a.backward()
    b.backward()
    opt.step()
print(round(w.item(), 4))
""",
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(1, 1), nn.Linear(1, 1))
for p in net.parameters():
    nn.init.constant_(p, 0.5)
net[0].requires_grad_(False)
opt = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)
for _ in range(2):
    opt.zero_grad()
    loss = net(torch.ones(2, 1)).pow(2).mean()
    loss.backward()
    opt.step()
print(round(net[1].weight.item(), 4))
""",
        """
import torch
w = torch.zeros(4)
grid = w.view(2, 2)
grid[0, 0] = 1.0
grid[1, 1] = 2.0
print(w.tolist())
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
curve = []
for _ in range(2):
    loss = (w ** 2).sum()
    w.grad = None
    loss.backward()
    curve.append(loss.detach().numpy().item())
    with torch.no_grad():
        w -= 0.1 * w.grad
print([round(float(c), 3) for c in curve])
""",
        """
import torch
d = torch.tensor(0.5, requires_grad=True); g = torch.tensor(0.3, requires_grad=True)
od = torch.optim.SGD([d], lr=0.1); og = torch.optim.SGD([g], lr=0.1)
for _ in range(2):
    fake = g * 2.0
    od.zero_grad()
    loss_d = (d * fake.detach() + 0.2) ** 2 + (d - 1) ** 2
    loss_d.backward()
    od.step()
    og.zero_grad()
    loss_g = (d * fake - 1) ** 2
    loss_g.backward()
    og.step()
print(round(d.item(), 4), round(g.item(), 4))
""",
        """
import torch
x = torch.tensor([0.2, 0.8], requires_grad=True)
hard = (x > 0.5).float()
y = x + (hard - x).detach()
(y * torch.tensor([1.0, 2.0])).sum().backward()
print(x.grad)
""",
        """
import torch
w = torch.tensor(0.5, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
h = torch.tensor(1.0)
for chunk in range(3):
    h = h.detach()
    for t in range(2):
        h = torch.tanh(w * h)
    loss = (h - 0.3) ** 2
    opt.zero_grad()
    loss.backward()
    opt.step()
print(round(w.item(), 4))
""",
        """
import torch
x = torch.tensor([[1.0, 2.0, 4.0]], requires_grad=True)
mu = x.mean(dim=1, keepdim=True)
sd = (x.var(dim=1, keepdim=True, unbiased=False) + 1e-5).sqrt()
y = (x - mu) / sd
(y * torch.tensor([[1.0, 0.0, 2.0]])).sum().backward()
print([round(v, 4) for v in x.grad[0].tolist()])
""",
        """
import torch
q = torch.tensor([[1.0, 0.0], [0.0, 1.0]], requires_grad=True)
att = torch.softmax(q @ q.t() / 2 ** 0.5, dim=-1)
out = att @ q
out.pow(2).mean().backward()
print(q.grad.shape)
""",
    ],
}
