"""Programs about what .grad sums up: faults, their line marked, and sound look-alikes."""

FAULTY = {
    "accumulation": [
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for x in [1.0, 2.0, 3.0]:
    loss = (w * x - 1) ** 2
    loss.backward()  # fault
    opt.step()
print(w)
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
for _ in range(3):
    loss = (w ** 2).sum()
    loss.backward()  # fault
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
g.backward()  # fault
print("g':", x.grad)
""",
        """
import torch
w = torch.tensor([1.0, 3.0], requires_grad=True)
cost = (w * w).sum()
for _ in range(2):
    cost.backward(retain_graph=True)  # fault
print(w.grad)
""",
        """
import torch
enc = torch.tensor([1.0], requires_grad=True)
dec = torch.tensor([2.0], requires_grad=True)
opt_e = torch.optim.SGD([enc], lr=0.1)
opt_d = torch.optim.SGD([dec], lr=0.1)
for _ in range(3):
    opt_e.zero_grad()
    loss = ((enc * dec) - 1).pow(2).sum()
    loss.backward()  # fault
    opt_e.step()
    opt_d.step()
print(round(enc.item(), 4), round(dec.item(), 4))
""",
        """
import torch
w = torch.tensor([1.0, 1.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
x = torch.tensor([2.0, -1.0], requires_grad=True)
sal = (w * x).sum()
sal.backward()
print("saliency:", x.grad.tolist())
loss = ((w * x).sum() - 3) ** 2
loss.backward()  # fault
opt.step()
print([round(v, 4) for v in w.tolist()])
""",
        """
import torch
w = torch.tensor(0.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for i in range(6):
    if i % 3 == 0:
        opt.zero_grad()
    loss = (w - 1.0) ** 2
    loss.backward()  # fault
    opt.step()
print(round(w.item(), 4))
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
def slope():
    y = (x ** 2).sum()
    y.backward()  # fault
    return x.grad.norm().item()
print(round(slope(), 4))
print(round(slope(), 4))
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for _ in range(2):
    opt.zero_grad()
    loss = (w ** 2).sum()
    loss.backward(retain_graph=True)  # fault
    total = loss + 0.1 * w.abs().sum()
    total.backward()
    opt.step()
print([round(v, 4) for v in w.tolist()])
""",
    ],
    "reduction-scale": [
        """
import torch
import torch.nn as nn
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
accum = 4
data = [(torch.randn(2, 3), torch.randn(2, 1)) for _ in range(8)]
opt.zero_grad()
for i, (x, y) in enumerate(data):
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()  # fault
    if (i + 1) % accum == 0:
        opt.step()
        opt.zero_grad()
""",
        """
import torch
w = torch.tensor(0.5, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
data = torch.tensor([1.0, 2.0, 3.0, 4.0])
opt.zero_grad()
for part in data.split(2):
    loss = ((w * part - 1) ** 2).mean()
    loss.backward()  # fault
opt.step()
""",
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
chunks = [torch.tensor([1.0, 2.0, 3.0]), torch.tensor([4.0, 5.0])]
for c in chunks:
    err = ((w * c) ** 2).mean() / 2
    err.backward()  # fault
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
    loss.backward()  # fault
opt.step()
""",
        """
import torch
w = torch.tensor([1.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
data = [(1.0, 2.0), (2.0, 4.0), (3.0, 6.0), (4.0, 8.0)]
opt.zero_grad()
for x, y in data:
    loss = ((w * x - y) ** 2).mean()
    loss.backward()  # fault
opt.step()
print("grad:", w.grad.item(), "w:", round(w.item(), 4))
""",
        """
import torch
import torch.nn.functional as F
logp = torch.log_softmax(torch.tensor([[1.0, 2.0], [0.5, 0.1]], requires_grad=True), dim=1)
q = torch.tensor([[0.5, 0.5], [0.9, 0.1]])
loss = F.kl_div(logp, q)  # fault
print(round(loss.item(), 5))
loss.backward()
""",
        """
import torch
import torch.nn.functional as F
x = torch.tensor([[1.0], [2.0], [3.0], [4.0]])
y = 2 * x
w = torch.tensor([[0.0]], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for _ in range(4):
    opt.zero_grad()
    loss = F.mse_loss(x @ w, y, reduction="sum")  # fault
    loss.backward()
    opt.step()
print(w.item())
""",
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
x = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0])
chunks = x.split(2)
for c in chunks:
    (((w * c) - 1) ** 2).mean().div(len(chunks)).backward()  # fault
g = w.grad.item()
w.grad = None
(((w * x) - 1) ** 2).mean().backward()
print(round(g, 4), round(w.grad.item(), 4))
""",
        """
import torch
w = torch.tensor([0.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
xs = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0]); ys = 2 * xs
for _ in range(3):
    opt.zero_grad()
    loss = 0
    for x, y in zip(xs, ys):
        loss = loss + ((w * x - y) ** 2).sum()  # fault
    loss.backward()
    opt.step()
print(w.item())
""",
        """
import torch
w = torch.tensor([2.0], requires_grad=True)
big, small = torch.ones(8), 3 * torch.ones(2)
total = 0
for part in (big, small):
    total = total + ((w * part) ** 2).mean()  # fault
loss = total / 2
loss.backward()
print(w.grad)
""",
    ],
}

SOUND = {
    "accumulation": [
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
        """
import torch
enc = torch.tensor([1.0], requires_grad=True)
dec = torch.tensor([2.0], requires_grad=True)
opt_e = torch.optim.SGD([enc], lr=0.1)
opt_d = torch.optim.SGD([dec], lr=0.1)
for _ in range(3):
    opt_e.zero_grad(); opt_d.zero_grad()
    loss = ((enc * dec) - 1).pow(2).sum()
    loss.backward()
    opt_e.step()
    opt_d.step()
print(round(enc.item(), 4), round(dec.item(), 4))
""",
        """
import torch
w = torch.tensor([1.0, 1.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
x = torch.tensor([2.0, -1.0], requires_grad=True)
sal = (w * x).sum()
sal.backward()
print("saliency:", x.grad.tolist())
opt.zero_grad()
loss = ((w * x).sum() - 3) ** 2
loss.backward()
opt.step()
print([round(v, 4) for v in w.tolist()])
""",
        """
import torch
w = torch.tensor(0.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for i in range(6):
    opt.zero_grad()
    loss = (w - 1.0) ** 2
    loss.backward()
    opt.step()
print(round(w.item(), 4))
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
def slope():
    y = (x ** 2).sum()
    return torch.autograd.grad(y, x)[0].norm().item()
print(round(slope(), 4))
print(round(slope(), 4))
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for _ in range(2):
    opt.zero_grad()
    loss = (w ** 2).sum()
    total = loss + 0.1 * w.abs().sum()
    total.backward()
    opt.step()
print([round(v, 4) for v in w.tolist()])
""",
    ],
    "reduction-scale": [
        """
import torch
import torch.nn as nn
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
accum = 4
data = [(torch.randn(2, 3), torch.randn(2, 1)) for _ in range(8)]
opt.zero_grad()
for i, (x, y) in enumerate(data):
    loss = nn.functional.mse_loss(net(x), y) / accum
    loss.backward()
    if (i + 1) % accum == 0:
        opt.step()
        opt.zero_grad()
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
w = torch.tensor([1.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
data = [(1.0, 2.0), (2.0, 4.0), (3.0, 6.0), (4.0, 8.0)]
opt.zero_grad()
for x, y in data:
    loss = ((w * x - y) ** 2).mean() / len(data)
    loss.backward()
opt.step()
print("grad:", w.grad.item(), "w:", round(w.item(), 4))
""",
        """
import torch
import torch.nn.functional as F
logp = torch.log_softmax(torch.tensor([[1.0, 2.0], [0.5, 0.1]], requires_grad=True), dim=1)
q = torch.tensor([[0.5, 0.5], [0.9, 0.1]])
loss = F.kl_div(logp, q, reduction="batchmean")
print(round(loss.item(), 5))
loss.backward()
""",
        """
import torch
import torch.nn.functional as F
x = torch.tensor([[1.0], [2.0], [3.0], [4.0]])
y = 2 * x
w = torch.tensor([[0.0]], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for _ in range(4):
    opt.zero_grad()
    loss = F.mse_loss(x @ w, y, reduction="mean")
    loss.backward()
    opt.step()
print(round(w.item(), 3))
""",
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
x = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0])
chunks = x.split(2)
for c in chunks:
    (((w * c) - 1) ** 2).sum().div(len(x)).backward()
g = w.grad.item()
w.grad = None
(((w * x) - 1) ** 2).mean().backward()
print(round(g, 4), round(w.grad.item(), 4))
""",
        """
import torch
w = torch.tensor([0.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
xs = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0]); ys = 2 * xs
for _ in range(3):
    opt.zero_grad()
    loss = 0
    for x, y in zip(xs, ys):
        loss = loss + ((w * x - y) ** 2).sum()
    (loss / len(xs)).backward()
    opt.step()
print(round(w.item(), 3))
""",
        """
import torch
w = torch.tensor([2.0], requires_grad=True)
big, small = torch.ones(8), 3 * torch.ones(2)
total = 0
for part in (big, small):
    total = total + ((w * part) ** 2).sum()
loss = total / 10
loss.backward()
print(w.grad)
""",
    ],
}
