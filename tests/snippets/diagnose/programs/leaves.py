"""Programs about leaves and their names: faults, their line marked, and sound look-alikes."""

FAULTY = {
    "non-leaf-grad": [
        """
import torch
points = torch.ones(2, 2, requires_grad=True) * 0.5  # fault
loss = (points ** 2).sum()
loss.backward()
print(points.grad)
""",
        """
import torch
z = torch.tensor([1.0, 2.0], requires_grad=True)
scaled = z / 2  # fault
opt = torch.optim.Adam([scaled], lr=0.01)
""",
        """
import torch
a = torch.tensor([1.0], requires_grad=True)
hidden = torch.tanh(a)  # fault
out = hidden * 3
out.backward()
print(hidden.grad)
""",
        """
import torch
log_s = torch.tensor([0.0], requires_grad=True)
s = log_s.exp()  # fault
opt = torch.optim.Adam([s], lr=0.1)
""",
        """
import torch
w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
w[:1].requires_grad = False  # fault
(w ** 2).sum().backward()
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
    slope = slope - 0.01 * slope.grad  # fault
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
    w = w - lr * g  # fault
""",
        """
import torch
params = {"w": torch.tensor(2.0, requires_grad=True)}
for _ in range(2):
    loss = params["w"] ** 2
    loss.backward()
    params["w"] = params["w"] - 0.1 * params["w"].grad  # fault
""",
        """
import torch
w = torch.tensor([4.0], requires_grad=True)
for _ in range(2):
    loss = ((w - 1) ** 2).sum()
    loss.backward()
    w = w.detach() - 0.1 * w.grad  # fault
print(w)
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
v = torch.zeros(2)
for _ in range(3):
    loss = (w ** 2).sum()
    loss.backward()
    v = 0.9 * v + w.grad
    w = w - 0.1 * v  # fault
""",
        """
import torch
x = torch.tensor([3.0, -3.0], requires_grad=True)
for i in range(3):
    loss = (x ** 2).sum()
    loss.backward()
    x = (x - 0.1 * x.grad).clamp(-2, 2)  # fault
    print(i, x.is_leaf)
""",
    ],
    "grad-is-none": [
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
loss = (w ** 2).sum()
print(w.grad.sum())  # fault
loss.backward()
""",
        """
import torch
used = torch.tensor(1.0, requires_grad=True)
spare = torch.tensor(1.0, requires_grad=True)
(used * 2).backward()
total = used.grad + spare.grad  # fault
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
    print(net.weight.grad.abs().max())  # fault
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
loss = (w ** 2).sum()
torch.autograd.grad(loss, w)
print(w.grad.norm())  # fault
""",
        """
import torch
import torch.nn as nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Linear(2, 1)
        self.aux = nn.Linear(2, 1)
    def forward(self, x):
        return self.main(x)
net = Net()
net(torch.ones(1, 2)).sum().backward()
norms = [p.grad.norm().item() for p in net.parameters()]  # fault
""",
    ],
}

SOUND = {
    "non-leaf-grad": [
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
w = (torch.tensor([[1.0, -1.0], [0.5, 2.0]]) * 0.01).requires_grad_()
x = torch.tensor([1.0, 2.0])
loss = (w @ x).pow(2).sum()
loss.backward()
print("leaf:", w.is_leaf)
print(w.grad)
""",
        """
import torch
log_s = torch.tensor([0.0], requires_grad=True)
s = log_s.exp()
opt = torch.optim.Adam([log_s], lr=0.1)
(s ** 2).sum().backward()
opt.step()
print(round(log_s.item(), 3))
""",
        """
import torch
w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
w.register_hook(lambda g: g * torch.tensor([0.0, 1.0, 1.0]))
(w ** 2).sum().backward()
print(w.grad)
""",
    ],
    "leaf-reassigned": [
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
w = torch.tensor(1.0, requires_grad=True)
b = torch.tensor(0.0, requires_grad=True)
for x, y in [(1.0, 2.0), (2.0, 3.0)]:
    loss = (w * x + b - y) ** 2
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad; b -= 0.1 * b.grad
    w.grad = None; b.grad = None
print(round(w.item(), 4), round(b.item(), 4))
""",
        """
import torch
w = torch.tensor([4.0], requires_grad=True)
for _ in range(2):
    loss = ((w - 1) ** 2).sum()
    loss.backward()
    w = (w.detach() - 0.1 * w.grad).requires_grad_()
print(round(w.item(), 4))
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
v = torch.zeros(2)
for _ in range(3):
    loss = (w ** 2).sum()
    loss.backward()
    v = 0.9 * v + w.grad
    with torch.no_grad():
        w -= 0.1 * v
    w.grad = None
""",
        """
import torch
x = torch.tensor([3.0, -3.0], requires_grad=True)
for i in range(3):
    loss = (x ** 2).sum()
    loss.backward()
    x = (x - 0.1 * x.grad).clamp(-2, 2).detach().requires_grad_()
    print(i, x.is_leaf)
""",
    ],
    "grad-is-none": [
        """
import torch
for name, p in {"a": torch.tensor(1.0, requires_grad=True), "b": torch.tensor(2.0)}.items():
    if p.requires_grad:
        (p * 2).backward()
    if p.grad is not None:
        print(name, p.grad.item())
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
for step in range(2):
    w.grad = None
    loss = (w ** 2).sum()
    loss.backward()
    print(step, w.grad.tolist())
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
loss = (w ** 2).sum()
g = torch.autograd.grad(loss, w)[0]
print(round(g.norm().item(), 4))
""",
        """
import torch
import torch.nn as nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Linear(2, 1)
        self.aux = nn.Linear(2, 1)
    def forward(self, x):
        return self.main(x)
net = Net()
net(torch.ones(1, 2)).sum().backward()
norms = [round(p.grad.norm().item(), 4) for p in net.parameters() if p.grad is not None]
""",
    ],
}
