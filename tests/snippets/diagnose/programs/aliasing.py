"""Programs about names that share storage: faults, their line marked, and sound look-alikes."""

FAULTY = {
    "aliasing": [
        """
import copy
import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Linear(3, 1)
frozen_net = copy.copy(net)  # fault
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(6, 3)
for _ in range(3):
    with torch.no_grad():
        y = frozen_net(x) + 1.0
    loss = (net(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import copy
import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Linear(3, 1)
frozen_net = net  # fault
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(6, 3)
for _ in range(3):
    with torch.no_grad():
        y = frozen_net(x) + 1.0
    loss = (net(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
ema = {k: p.detach() for k, p in net.named_parameters()}  # fault
x, y = torch.randn(8, 3), torch.randn(8, 1)
for _ in range(3):
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    for k, p in net.named_parameters():
        ema[k].lerp_(p.detach(), 0.1)
print(ema["weight"])
""",
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
class Average:
    def __init__(self, net, keep=0.9):
        self.net, self.keep, self.shadow = net, keep, {}
        for name, p in net.named_parameters():
            self.shadow[name] = p.data  # fault
    def update(self):
        for name, p in self.net.named_parameters():
            self.shadow[name].mul_(self.keep).add_(p.data, alpha=1 - self.keep)
net = nn.Linear(3, 1)
average = Average(net)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(8, 3), torch.randn(8, 1)
for _ in range(3):
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    average.update()
""",
        """
import torch
import torch.nn as nn
net = nn.Linear(2, 1)
init = {n: p for n, p in net.named_parameters()}  # fault
opt = torch.optim.SGD(net.parameters(), lr=0.5)
net(torch.ones(3, 2)).pow(2).mean().backward()
opt.step()
for n, p in net.named_parameters():
    print(n, (p - init[n]).norm().item())
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
start = w.detach()  # fault
loss = (w ** 2).sum()
loss.backward()
opt.step()
print("moved:", (w - start).abs().sum().item())
""",
        """
import torch
a = torch.tensor([1.0, 2.0, 3.0])
arr = a.numpy()
arr[0] = 50.0  # fault
print(a)
""",
        """
import torch
import torch.nn as nn
net = nn.Linear(1, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
best = net.state_dict()  # fault
net(torch.ones(1, 1)).sum().backward()
opt.step()
net.load_state_dict(best)
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
old = w.data
old.fill_(0.0)  # fault
print((w * 3).sum())
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.5)
history = []
for _ in range(3):
    opt.zero_grad()
    (w ** 2).sum().backward()
    opt.step()
    history.append(w.detach().numpy())  # fault
print([h.tolist() for h in history])
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
(w ** 2).sum().backward()
first = w.grad  # fault
(w ** 3).sum().backward()
second = w.grad
print("first:", first.tolist())
print("same:", first is second)
""",
        """
import torch
import torch.nn as nn
net = nn.Linear(1, 1, bias=False)
nn.init.constant_(net.weight, 1.0)
opt = torch.optim.SGD(net.parameters(), lr=0.5)
before = list(net.parameters())  # fault
net(torch.ones(1, 1)).sum().backward()
opt.step()
after = list(net.parameters())
print("changed:", any(not torch.equal(a, b) for a, b in zip(before, after)))
""",
        """
import torch
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
plot = x.detach()
plot += 100  # fault
y = (x ** 2).sum()
y.backward()
print(x.tolist(), x.grad)
""",
        """
import torch
w = torch.tensor([1.0], requires_grad=True)
trace = []
for _ in range(3):
    loss = (w ** 2).sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.25 * w.grad
    w.grad = None
    trace.append(w.data)  # fault
print(trace)
""",
        """
import torch
import numpy as np
batch = np.zeros((2, 2), dtype=np.float32)
tensors = []
for i in range(2):
    batch[:] = i  # fault
    tensors.append(torch.from_numpy(batch))
print([t.tolist() for t in tensors])
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
(w ** 2).sum().backward()
saved = w.grad  # fault
opt.zero_grad(set_to_none=False)
print("saved:", saved.tolist())
""",
        """
import torch
import torch.nn as nn
net = nn.Linear(1, 1, bias=False); target = nn.Linear(1, 1, bias=False)
nn.init.constant_(net.weight, 1.0)
target.weight.data = net.weight.data  # fault
opt = torch.optim.SGD(net.parameters(), lr=0.5)
net(torch.ones(1, 1)).sum().backward()
opt.step()
print("target:", target.weight.item(), "net:", net.weight.item())
""",
    ],
}

SOUND = {
    "aliasing": [
        """
import copy
import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Linear(3, 1)
frozen_net = copy.deepcopy(net)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(6, 3)
for _ in range(3):
    with torch.no_grad():
        y = frozen_net(x) + 1.0
    loss = (net(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
ema = {k: p.detach().clone() for k, p in net.named_parameters()}
x, y = torch.randn(8, 3), torch.randn(8, 1)
for _ in range(3):
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    for k, p in net.named_parameters():
        ema[k].lerp_(p.detach(), 0.1)
print(ema["weight"])
""",
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
class Average:
    def __init__(self, net, keep=0.9):
        self.net, self.keep, self.shadow = net, keep, {}
        for name, p in net.named_parameters():
            self.shadow[name] = p.data.clone()
    def update(self):
        for name, p in self.net.named_parameters():
            self.shadow[name].mul_(self.keep).add_(p.data, alpha=1 - self.keep)
net = nn.Linear(3, 1)
average = Average(net)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(8, 3), torch.randn(8, 1)
for _ in range(3):
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    average.update()
""",
        """
import torch
import torch.nn as nn
net = nn.Linear(2, 1)
init = {n: p.detach().clone() for n, p in net.named_parameters()}
opt = torch.optim.SGD(net.parameters(), lr=0.5)
net(torch.ones(3, 2)).pow(2).mean().backward()
opt.step()
for n, p in net.named_parameters():
    print(n, (p - init[n]).norm().item())
""",
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
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.5)
history = []
for _ in range(3):
    opt.zero_grad()
    (w ** 2).sum().backward()
    opt.step()
    history.append(w.detach().numpy().copy())
print([h.tolist() for h in history])
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
(w ** 2).sum().backward()
first = w.grad.clone()
(w ** 3).sum().backward()
second = w.grad
print("first:", first.tolist())
w.grad = None
""",
        """
import torch
import torch.nn as nn
net = nn.Linear(1, 1, bias=False)
nn.init.constant_(net.weight, 1.0)
opt = torch.optim.SGD(net.parameters(), lr=0.5)
before = [p.detach().clone() for p in net.parameters()]
net(torch.ones(1, 1)).sum().backward()
opt.step()
after = list(net.parameters())
print("changed:", any(not torch.equal(a, b) for a, b in zip(before, after)))
""",
        """
import torch
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
plot = x.detach().clone()
plot += 100
y = (x ** 2).sum()
y.backward()
print(x.tolist(), x.grad)
""",
        """
import torch
w = torch.tensor([1.0], requires_grad=True)
trace = []
for _ in range(3):
    loss = (w ** 2).sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.25 * w.grad
    w.grad = None
    trace.append(w.data.clone())
print(trace)
""",
        """
import torch
import numpy as np
batch = np.zeros((2, 2), dtype=np.float32)
tensors = []
for i in range(2):
    batch[:] = i
    tensors.append(torch.tensor(batch))
print([t.tolist() for t in tensors])
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
(w ** 2).sum().backward()
saved = w.grad.clone()
opt.zero_grad(set_to_none=False)
print("saved:", saved.tolist())
""",
        """
import torch
import torch.nn as nn
net = nn.Linear(1, 1, bias=False); target = nn.Linear(1, 1, bias=False)
nn.init.constant_(net.weight, 1.0)
target.weight.data = net.weight.data.clone()
opt = torch.optim.SGD(net.parameters(), lr=0.5)
net(torch.ones(1, 1)).sum().backward()
opt.step()
print("target:", target.weight.item(), "net:", net.weight.item())
""",
    ],
}
