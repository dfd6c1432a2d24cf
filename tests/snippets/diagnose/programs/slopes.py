"""Programs about slopes of zero, kinks and ties: faults, their line marked, and sound look-alikes."""

FAULTY = {
    "zero-gradient-op": [
        """
import torch
x = torch.tensor([0.2, 1.7], requires_grad=True)
y = torch.round(x * 3)  # fault
((y - 1.0) ** 2).sum().backward()
print(x.grad)
""",
        """
import torch
logit = torch.tensor(60.0, requires_grad=True)
p = torch.sigmoid(logit)  # fault
loss = (p - 0.0) ** 2
loss.backward()
print(logit.grad)
""",
        """
import torch
x = torch.tensor([-3.0, -1.0], requires_grad=True)
w = torch.relu(x)  # fault
((w - 2) ** 2).sum().backward()
print(x.grad)
""",
        """
import torch
h = torch.tensor(3.7, requires_grad=True)
steps = torch.floor(h)  # fault
loss = (steps * 2 - 1) ** 2
loss.backward()
""",
        """
import torch
import torch.nn as nn
w = torch.tensor([0.5, 0.5], requires_grad=True)
b = torch.tensor(-10.0, requires_grad=True)
x = torch.tensor([[1.0, 2.0], [0.5, 1.0]])
h = torch.relu(x @ w + b)  # fault
loss = ((h - 1.0) ** 2).mean()
loss.backward()
print("w.grad:", w.grad, "b.grad:", b.grad)
""",
        """
import torch
w = torch.tensor([0.3, -0.2], requires_grad=True)
gate = torch.heaviside(w, torch.tensor(0.0))  # fault
loss = ((gate - 0.5) ** 2).sum()
loss.backward()
print(w.grad)
""",
        """
import torch
import torch.nn.functional as F
x = torch.tensor([7.0, 9.0], requires_grad=True)
y = F.relu6(x)  # fault
((y - 1) ** 2).sum().backward()
print(x.grad)
""",
        """
import torch
z = torch.tensor([0.0, 200.0], requires_grad=True)
p = torch.softmax(z, dim=0)  # fault
loss = ((p - torch.tensor([1.0, 0.0])) ** 2).sum()
loss.backward()
print(p.tolist(), z.grad)
""",
        """
import torch
w = torch.tensor([2.0, -3.0], requires_grad=True)
hard = (w.abs() > 5).float() * w  # fault
loss = (hard.sum() - 1) ** 2
loss.backward()
print(w.grad)
""",
    ],
    "subgradient": [
        """
import torch
x = torch.tensor([0.0, 1.0], requires_grad=True)
torch.relu(x).sum().backward()  # fault
print(x.grad)
""",
        """
import torch
s = torch.tensor([2.0, 5.0, 5.0], requires_grad=True)
s.max().backward()  # fault
print(s.grad)
""",
        """
import torch
x = torch.tensor([-1.0, 0.5, 1.0], requires_grad=True)
torch.clamp(x, -1.0, 1.0).sum().backward()  # fault
print(x.grad)
""",
        """
import torch
a = torch.tensor([1.0, 3.0], requires_grad=True)
b = torch.tensor([1.0, 2.0], requires_grad=True)
torch.minimum(a, b).sum().backward()  # fault
print(a.grad, b.grad)
""",
        """
import torch
x = torch.tensor([[2.0, 2.0, 1.0]], requires_grad=True)
m = x.amax(dim=1)  # fault
m.sum().backward()
print(x.grad)
""",
        """
import torch
score = torch.tensor([1.0, 0.2], requires_grad=True)
y = torch.tensor([1.0, 1.0])
loss = torch.clamp(1 - y * score, min=0).sum()  # fault
loss.backward()
print(score.grad)
""",
        """
import torch
w = torch.tensor([0.0, 0.5], requires_grad=True)
penalty = w.abs().sum()  # fault
penalty.backward()
print(w.grad)
""",
        """
import torch
v = torch.zeros(3, requires_grad=True)
n = torch.norm(v)  # fault
n.backward()
print(n.item(), v.grad)
""",
    ],
}

SOUND = {
    "zero-gradient-op": [
        """
import torch
x = torch.tensor([0.2, 3.0], requires_grad=True)
y = torch.clamp(x, max=1.0)
((y - 0.5) ** 2).sum().backward()
print(x.grad)
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
import torch.nn as nn
w = torch.tensor([0.5, 0.5], requires_grad=True)
b = torch.tensor(-10.0, requires_grad=True)
x = torch.tensor([[1.0, 2.0], [0.5, 1.0]])
h = torch.nn.functional.leaky_relu(x @ w + b, 0.1)
loss = ((h - 1.0) ** 2).mean()
loss.backward()
print("b.grad:", round(b.grad.item(), 4))
""",
        """
import torch
w = torch.tensor([0.3, -0.2], requires_grad=True)
gate = torch.sigmoid(w)
loss = ((gate - 0.5) ** 2).sum()
loss.backward()
print([round(v, 4) for v in w.grad.tolist()])
""",
        """
import torch
import torch.nn.functional as F
x = torch.tensor([7.0, 9.0], requires_grad=True)
y = F.softplus(x)
((y - 1) ** 2).sum().backward()
print(x.grad)
""",
        """
import torch
z = torch.tensor([0.0, 200.0], requires_grad=True)
p = torch.softmax(z, dim=0)
loss = -torch.log_softmax(z, dim=0)[0]
loss.backward()
print(p.tolist(), z.grad)
""",
        """
import torch
w = torch.tensor([2.0, -3.0], requires_grad=True)
hard = torch.sigmoid(w.abs() - 2.0) * w
loss = (hard.sum() - 1) ** 2
loss.backward()
print(w.grad)
""",
    ],
    "subgradient": [
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Linear(3, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(16, 3)
for _ in range(2):
    loss = (net(x).max(1).values - 1.0).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
x = torch.tensor([0.5, -0.5, 2.0], requires_grad=True)
torch.relu(x).sum().backward()
print(x.grad)
""",
        """
import torch
x = torch.tensor([[2.0, 2.0, 1.0]], requires_grad=True)
m = torch.logsumexp(x, dim=1)
m.sum().backward()
print([round(v, 4) for v in x.grad[0].tolist()])
""",
        """
import torch
score = torch.tensor([0.9, 0.2], requires_grad=True)
y = torch.tensor([1.0, 1.0])
loss = torch.clamp(1 - y * score, min=0).sum()
loss.backward()
print(score.grad)
""",
        """
import torch
w = torch.tensor([0.0, 0.5], requires_grad=True)
penalty = torch.sqrt(w ** 2 + 1e-4).sum()
penalty.backward()
print([round(v, 3) for v in w.grad.tolist()])
""",
        """
import torch
v = torch.tensor([1.0, 2.0, 2.0], requires_grad=True)
n = torch.norm(v)
n.backward()
print(n.item(), v.grad)
""",
    ],
}
