"""Programs about writes in place: faults, their line marked, and sound look-alikes."""

FAULTY = {
    "inplace-modified-saved": [
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x.exp()
z = y * 2
y += 1  # fault
z2 = (y + z).sum()
z2.backward()
""",
        """
import torch
x = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
h = torch.tanh(x)
h.mul_(0.5)  # fault
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
opt.step()  # fault
out.backward()
""",
        """
import torch
g = torch.tensor([0.5], requires_grad=True)
d = torch.tensor([1.5], requires_grad=True)
opt_d = torch.optim.SGD([d], lr=0.1)
opt_g = torch.optim.SGD([g], lr=0.1)
fake = torch.tanh(g * 2)
score = d * fake
d_loss = score.sum()
g_loss = -(score ** 2).sum()
opt_d.zero_grad()
d_loss.backward(retain_graph=True)
opt_d.step()  # fault
opt_g.zero_grad()
g_loss.backward()
opt_g.step()
""",
        """
import torch
q = torch.tensor([[1.0, 0.5], [0.2, 0.3]], requires_grad=True)
a = torch.softmax(q, dim=1)
a[:, 1] = 0.0  # fault
out = a.sum()
out.backward()
""",
    ],
    "inplace-on-leaf": [
        """
import torch
w = torch.zeros(3, requires_grad=True)
w += 1.0  # fault
""",
        """
import torch
w = torch.ones(2, 2, requires_grad=True)
w[0, 0] = 5.0  # fault
(w ** 2).sum().backward()
""",
        """
import torch
import torch.nn as nn
layer = nn.Linear(2, 1)
layer.weight.fill_(0.5)  # fault
layer(torch.ones(1, 2)).sum().backward()
""",
        """
import torch
w = torch.tensor([2.0, -3.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
(w ** 2).sum().backward()
opt.step()
w.clamp_(-1.0, 1.0)  # fault
print(w)
""",
        """
import torch
emb = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
emb[emb > 2.5] = 0.0  # fault
emb.sum().backward()
""",
    ],
    "inplace-on-view": [
        """
import torch
grid = torch.zeros(1, 3).expand(2, 3)
grid[:, 0] = torch.tensor([1.0, 2.0])  # fault
""",
        """
import torch
x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
y = x * 1.0
first, second = y.unbind(0)
first.mul_(2.0)  # fault
second.sum().backward()
""",
        """
import torch
base = torch.zeros(2, 3, requires_grad=True) * 1.0
with torch.no_grad():
    view = base[0]
view.add_(1.0)  # fault
""",
        """
import torch
m = torch.zeros(3).expand(2, 3)
m += torch.tensor([[1.0], [2.0]])  # fault
print(m)
""",
        """
import torch
x = torch.tensor([[1.0, 2.0, 3.0, 4.0]], requires_grad=True)
h = x * 2
q, k = h.split(2, dim=1)
q *= 0.5  # fault
(q * k).sum().backward()
""",
    ],
    "inplace-silent": [
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Linear(3, 2)
gate = torch.sigmoid(net(torch.randn(4, 3)))
gate.data.clamp_(max=0.4)  # fault
loss = gate.sum()
loss.backward()
""",
        """
import torch
import torch.nn.functional as F
x = torch.tensor([-1.0, 2.0], requires_grad=True)
h = x + 0.0
act = F.relu(h, inplace=True)  # fault
both = act + h
both.sum().backward()
print(x.grad)
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
sq = w * w
w.data[0] = 10.0  # fault
sq.sum().backward()
print(w.grad)
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
skip = x * 1.0
out = skip.add_(5.0)  # fault
res = out - skip
res.sum().backward()
print(res)
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
h = x * 1.0
residual = h
h += 1.0  # fault
out = h + residual
out.sum().backward()
print(out.tolist(), x.grad)
""",
        """
import torch
a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([3.0, 4.0], requires_grad=True)
c = a * b
b.data.zero_()  # fault
c.sum().backward()
print(a.grad)
""",
    ],
    "result-discarded": [
        """
import torch
import torch.nn as nn
lin = nn.Linear(4, 4)
with torch.no_grad():
    lin.weight[torch.tensor([0, 2])].zero_()  # fault
print(lin.weight)
out = lin(torch.ones(1, 4)).sum()
out.backward()
""",
        """
import torch
x = torch.tensor([-1.0, 2.0])
x.clamp(min=0.0)  # fault
w = torch.tensor(1.0, requires_grad=True)
(w * x).sum().backward()
print(w.grad)
""",
        """
import torch
import torch.nn as nn
x = torch.tensor([[1.0, 2.0]])
x.to(torch.float64)  # fault
layer = nn.Linear(2, 1).double()
layer(x.double()).sum().backward()
""",
        """
import torch
t = torch.arange(6.0)
t.view(2, 3)  # fault
print(t.shape)
""",
        """
import torch
x = torch.zeros(3, 2)
rows = torch.tensor([0, 2])
x[rows][:, 0] = 5.0  # fault
print(x.tolist())
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=1.0)
(w ** 2).sum().backward()
w.grad.mul(0.1)  # fault
opt.step()
print(w.tolist())
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
(w ** 2).sum().backward()
torch.zeros_like(w.grad)  # fault
(w ** 2).sum().backward()
print(w.grad)
""",
    ],
}

SOUND = {
    "inplace-modified-saved": [
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
x = torch.tensor([3.0, 4.0], requires_grad=True)
h = x * 1.0
n = h.pow(2).sum().sqrt()
h = h / n
h.sum().backward()
print(x.grad)
""",
        """
import torch
g = torch.tensor([0.5], requires_grad=True)
d = torch.tensor([1.5], requires_grad=True)
opt_d = torch.optim.SGD([d], lr=0.1)
opt_g = torch.optim.SGD([g], lr=0.1)
fake = torch.tanh(g * 2)
score = d * fake
d_loss = score.sum()
g_loss = -(score ** 2).sum()
opt_d.zero_grad()
d_loss.backward(retain_graph=True)
opt_d.step()
g_loss = -((d * fake) ** 2).sum()
opt_g.zero_grad()
g_loss.backward()
opt_g.step()
""",
        """
import torch
q = torch.tensor([[1.0, 0.5], [0.2, 0.3]], requires_grad=True)
a = torch.softmax(q, dim=1)
a = a * torch.tensor([1.0, 0.0])
out = a.sum()
out.backward()
print(q.grad.shape)
""",
    ],
    "inplace-on-leaf": [
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
bias = torch.zeros(3, requires_grad=True)
with torch.no_grad():
    bias[0] = -1.0
out = (bias * torch.tensor([1.0, 2.0, 3.0])).sum()
out.backward()
print(bias.grad)
""",
        """
import torch
w = torch.tensor([2.0, -3.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
(w ** 2).sum().backward()
opt.step()
with torch.no_grad():
    w.clamp_(-1.0, 1.0)
print(w)
""",
        """
import torch
emb = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
emb = torch.where(emb > 2.5, torch.zeros(()), emb)
emb.sum().backward()
""",
    ],
    "inplace-on-view": [
        """
import torch
x = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
y = x * 1.0
a, b = y.chunk(2)
a = a + b
(a.sum() + b.sum()).backward()
print(x.grad)
""",
        """
import torch
m = torch.zeros(3).repeat(2, 1)
m += torch.tensor([[1.0], [2.0]])
print(m)
""",
        """
import torch
x = torch.tensor([[1.0, 2.0, 3.0, 4.0]], requires_grad=True)
h = x * 2
q, k = h.split(2, dim=1)
q = q * 0.5
(q * k).sum().backward()
print(x.grad)
""",
    ],
    "inplace-silent": [
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Linear(3, 2)
gate = torch.sigmoid(net(torch.randn(4, 3)))
gate = gate.clamp(max=0.4)
loss = gate.sum()
loss.backward()
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
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 2
z = y ** 2
scaled = y.detach() * 10
z.sum().backward()
print(x.grad)
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
h = x * 1.0
residual = h
h = h + 1.0
out = h + residual
out.sum().backward()
print(out.tolist(), x.grad)
""",
        """
import torch
a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([3.0, 4.0], requires_grad=True)
c = a * b
c.sum().backward()
b.data.zero_()
print(a.grad)
""",
    ],
    "result-discarded": [
        """
import torch
import torch.nn as nn
lin = nn.Linear(4, 4)
with torch.no_grad():
    lin.weight[torch.tensor([0, 2])] = 0.0
print(lin.weight)
out = lin(torch.ones(1, 4)).sum()
out.backward()
""",
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
scores = torch.tensor([[1.0, 2.0, 3.0]], requires_grad=True)
pad = torch.tensor([[False, False, True]])
masked = scores.masked_fill(pad, float("-inf"))
attn = torch.softmax(masked, dim=1)
attn[0, 0].backward()
print([round(v, 4) for v in attn[0].tolist()])
""",
        """
import torch
x = torch.zeros(3, 2)
rows = torch.tensor([0, 2])
x[rows, 0] = 5.0
print(x.tolist())
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=1.0)
(w ** 2).sum().backward()
w.grad.mul_(0.1)
opt.step()
print([round(v, 3) for v in w.tolist()])
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
(w ** 2).sum().backward()
w.grad = None
(w ** 2).sum().backward()
print(w.grad)
""",
    ],
}
