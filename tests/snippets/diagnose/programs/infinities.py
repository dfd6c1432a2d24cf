"""Programs about nan and infinity: faults, their line marked, and sound look-alikes."""

FAULTY = {
    "nan-gradient": [
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Linear(3, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
a = torch.randn(4, 3)
for _ in range(3):
    u, v = net(a), net(a.clone())
    gap = ((u - v) ** 2).sum(1)
    loss = gap.sqrt().mean()  # fault
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
v = torch.zeros(3, requires_grad=True)
length = (v * v).sum().sqrt()  # fault
length.backward()
print(v.grad)
""",
        """
import torch
p = torch.tensor([0.0, 1.0], requires_grad=True)
loss = -(torch.tensor([1.0, 0.0]) * torch.log(p)).sum()  # fault
loss.backward()
print(loss, p.grad)
""",
        """
import torch
a = torch.tensor([0.0, 2.0], requires_grad=True)
safe = torch.where(a > 0, 1.0 / a, torch.zeros(2))  # fault
safe.sum().backward()
print(a.grad)
""",
        """
import torch
n = torch.tensor([0.0, 0.0], requires_grad=True)
unit = n / torch.sqrt((n ** 2).sum())  # fault
unit.sum().backward()
""",
        """
import torch
u = torch.tensor([1.0, 0.0], requires_grad=True)
v = torch.tensor([1.0, 0.0])
angle = torch.acos((u * v).sum())  # fault
angle.backward()
print(angle.item(), u.grad)
""",
        """
import torch
x = torch.tensor([-1.0, 4.0], requires_grad=True)
y = torch.where(x > 0, torch.sqrt(x), torch.zeros(2))  # fault
y.sum().backward()
print(x.grad)
""",
        """
import torch
import torch.nn as nn
x = torch.tensor([1.0, 200.0], requires_grad=True)
y = torch.log(1 + torch.exp(x))  # fault
y.sum().backward()
print(y.tolist(), x.grad)
""",
        """
import torch
num = torch.tensor([0.0, 6.0], requires_grad=True)
den = torch.tensor([0.0, 3.0])
r = num / den  # fault
out = torch.where(den == 0, torch.zeros(2), r)
out.sum().backward()
print(num.grad)
""",
        """
import torch
x = torch.tensor([-1.0, 2.0], requires_grad=True)
y = torch.log(torch.relu(x))  # fault
y.sum().backward()
print(x.grad)
""",
        """
import torch
z = torch.tensor([1.0, 2.0, 0.5], requires_grad=True)
mask = torch.tensor([False, False, True])
logp = torch.log_softmax(z.masked_fill(mask, float("-inf")), dim=0)
target = torch.tensor([0.5, 0.5, 0.0])
loss = -(target * logp).sum()  # fault
loss.backward()
print(loss.item(), z.grad)
""",
        """
import torch
z = torch.tensor([100.0, 101.0], requires_grad=True)
lse = torch.log(torch.exp(z).sum())  # fault
lse.backward()
print(lse.item(), z.grad)
""",
    ],
}

SOUND = {
    "nan-gradient": [
        """
import torch
q = torch.tensor([[1.0, 0.0], [0.5, 1.0]], requires_grad=True)
scores = q @ q.t()
mask = torch.tensor([[False, True], [False, False]])
weights = torch.softmax(scores.masked_fill(mask, float("-inf")), dim=-1)
weights[1, 0].backward()
print(q.grad)
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
u = torch.tensor([1.0, 0.0], requires_grad=True)
v = torch.tensor([1.0, 0.0])
angle = torch.acos(((u * v).sum()).clamp(-1 + 1e-6, 1 - 1e-6) * 0.999)
angle.backward()
print(angle.item(), u.grad)
""",
        """
import torch
x = torch.tensor([-1.0, 4.0], requires_grad=True)
y = torch.where(x > 0, torch.sqrt(x.clamp(min=1e-6)), torch.zeros(2))
y.sum().backward()
print(x.grad)
""",
        """
import torch
import torch.nn as nn
x = torch.tensor([1.0, 200.0], requires_grad=True)
y = torch.nn.functional.softplus(x)
y.sum().backward()
print(x.grad.tolist()[1])
""",
        """
import torch
num = torch.tensor([0.0, 6.0], requires_grad=True)
den = torch.tensor([0.0, 3.0])
r = num / torch.where(den == 0, torch.ones(2), den)
out = torch.where(den == 0, torch.zeros(2), r)
out.sum().backward()
print(num.grad)
""",
        """
import torch
x = torch.tensor([-1.0, 2.0], requires_grad=True)
y = torch.log(torch.relu(x) + 1e-6)
y.sum().backward()
print(x.grad)
""",
        """
import torch
z = torch.tensor([1.0, 2.0, 0.5], requires_grad=True)
mask = torch.tensor([False, False, True])
logp = torch.log_softmax(z.masked_fill(mask, float("-inf")), dim=0)
target = torch.tensor([0.5, 0.5, 0.0])
loss = -(target * logp.masked_fill(mask, 0.0)).sum()
loss.backward()
print(loss.item(), z.grad)
""",
        """
import torch
z = torch.tensor([100.0, 101.0], requires_grad=True)
lse = torch.logsumexp(z, dim=0)
lse.backward()
print(lse.item(), z.grad)
""",
    ],
}
