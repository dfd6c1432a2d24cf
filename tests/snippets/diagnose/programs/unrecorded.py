"""Programs about what was never recorded: faults, their line marked, and sound look-alikes."""

FAULTY = {
    "nothing-requires-grad": [
        """
import torch
speed = torch.tensor([1.0, 2.0])
drag = torch.tensor(0.3)  # fault
energy = (speed * drag).sum()
energy.backward()
""",
        """
import torch
gain = torch.tensor(2.0, requires_grad=True)
signal = torch.tensor([1.0, -1.0])  # fault
out = (gain * signal).abs().sum()
out.backward()
print(signal.grad)
""",
        """
import torch
import torch.nn as nn
layer = nn.Linear(2, 1)
for p in layer.parameters():
    p.requires_grad = False  # fault
out = layer(torch.tensor([[1.0, 2.0]])).sum()
out.backward()
""",
        """
import torch
theta = torch.tensor(0.4, requires_grad=True)
@torch.no_grad()
def model(t):
    return torch.sin(theta * t)  # fault
value = model(torch.tensor(2.0))
value.backward()
""",
        """
import torch
a = torch.tensor([1.0, 2.0])  # fault
a.retain_grad()
""",
        """
import torch
import torch.nn as nn
model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
for p in model.parameters():
    nn.init.constant_(p, 0.5)
model.requires_grad_(False)  # fault
x = torch.tensor([[1.0, 2.0]])
loss = (model(x) - 1.0).pow(2).mean()
print("loss:", loss.item())
loss.backward()
""",
        """
import torch
import torch.nn as nn
net = nn.Linear(3, 2)
with torch.no_grad():
    net.weight.copy_(torch.tensor([[1.0, 2.0, 3.0], [0.0, 1.0, -1.0]])); net.bias.zero_()
image = torch.tensor([[0.2, 0.4, 0.6]])  # fault
score = net(image)[0, 0]
score.backward()
saliency = image.grad.abs()
print(saliency)
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
@torch.no_grad()
def train_step(x):
    loss = ((w * x).sum() - 1) ** 2  # fault
    loss.backward()
    return loss.item()
print(train_step(torch.tensor([1.0, 1.0])))
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
pred = (w * 2).sum()
target = torch.tensor(3.0)
baseline = torch.tensor(1.0)
loss = (baseline - target) ** 2  # fault
loss.backward()
""",
        """
import torch
w = torch.tensor([0.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
def run_epoch(train):
    with torch.set_grad_enabled(not train):
        loss = ((w - 1) ** 2).sum()  # fault
    if train:
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()
print(run_epoch(True))
""",
    ],
}

SOUND = {
    "nothing-requires-grad": [
        """
import torch
w = torch.tensor([0.5, 1.5], requires_grad=True)
x = torch.tensor([1.0, 2.0])
loss = ((w * x) ** 2).mean()
loss.backward()
print(w.grad)
""",
        """
import torch
with torch.no_grad():
    table = torch.tensor([1.0, 2.0]) * 3
w = torch.tensor(1.0, requires_grad=True)
loss = (w * table).sum()
loss.backward()
print(w.grad)
""",
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
net[0].requires_grad_(False)
net(torch.ones(1, 2)).sum().backward()
print(net[0].weight.grad)
""",
        """
import torch
import torch.nn as nn
model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
for p in model.parameters():
    nn.init.constant_(p, 0.5)
model[0].requires_grad_(False)
x = torch.tensor([[1.0, 2.0]])
loss = (model(x) - 1.0).pow(2).mean()
print("loss:", loss.item())
loss.backward()
print(model[2].weight.grad)
""",
        """
import torch
import torch.nn as nn
net = nn.Linear(3, 2)
with torch.no_grad():
    net.weight.copy_(torch.tensor([[1.0, 2.0, 3.0], [0.0, 1.0, -1.0]])); net.bias.zero_()
image = torch.tensor([[0.2, 0.4, 0.6]], requires_grad=True)
score = net(image)[0, 0]
score.backward()
saliency = image.grad.abs()
print(saliency)
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
def train_step(x):
    loss = ((w * x).sum() - 1) ** 2
    loss.backward()
    return loss.item()
print(train_step(torch.tensor([1.0, 1.0])))
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
pred = (w * 2).sum()
target = torch.tensor(3.0)
baseline = torch.tensor(1.0)
loss = (pred - target) ** 2
loss.backward()
print(w.grad)
""",
        """
import torch
w = torch.tensor([0.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
def run_epoch(train):
    with torch.set_grad_enabled(train):
        loss = ((w - 1) ** 2).sum()
    if train:
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()
print(run_epoch(True))
""",
    ],
}
