"""Programs about misspelt names: faults, their line marked, and sound look-alikes."""

FAULTY = {
    "python-typo": [
        """
import torch
import torch.nn as nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 1)
    def foward(self, x):  # fault
        return self.linear(x)
net = Net()
net(torch.ones(1, 2)).sum().backward()
""",
        """
import torch
w = torch.tensor([1.0, 2.0])
w.requires_gradient = True  # fault
loss = (w ** 2).sum()
print(loss.requires_grad)
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
(w * 2).sum().backward()
w.zero_grad()  # fault
""",
        """
import torch
import torch.nn as nn
net = nn.Linear(2, 1)
for p in net.parameters():
    p.require_grad = False  # fault
net(torch.ones(1, 2)).sum().backward()
print(net.weight.grad)
""",
        """
import torch
w = torch.tensor([2.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for i in range(2):
    opt.zero_grad()
    loss = (w ** 2).sum()
    loss.backward()
    opt.step  # fault
print(w)
""",
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
y = w ** 3
y.backward(retain_grap=True)  # fault
y.backward()
""",
        """
import torch
import torch.nn as nn
w = nn.parameter(torch.zeros(2))  # fault
print(w)
""",
        """
import torch
w = torch.tensor([1.0], requires_grad=True)
with torch.nograd():  # fault
    w += 1
""",
    ],
}

SOUND = {
    "python-typo": [
        """
import torch
import torch.nn as nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 1)
    def forward(self, x):
        return self.linear(x)
net = Net()
net(torch.ones(1, 2)).sum().backward()
""",
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
w.requires_grad_(True)
y = w * 2
y.backward()
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
loss = (w ** 2).sum()
loss.backward()
print(w.grad)
""",
        """
import torch
w = torch.tensor([2.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for i in range(2):
    opt.zero_grad()
    loss = (w ** 2).sum()
    loss.backward()
    opt.step()
print(w)
""",
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
y = w ** 3
y.backward(retain_graph=True)
w.grad = None
y.backward()
print(w.grad)
""",
        """
import torch
import torch.nn as nn
w = nn.Parameter(torch.zeros(2))
print(w)
""",
        """
import torch
w = torch.tensor([1.0], requires_grad=True)
with torch.no_grad():
    w += 1
print(w)
""",
    ],
}
