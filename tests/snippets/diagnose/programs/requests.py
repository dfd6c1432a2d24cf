"""Programs about requests that can not be met: faults, their line marked, and sound look-alikes."""

FAULTY = {
    "not-in-graph": [
        """
import torch
x = torch.tensor(1.0, requires_grad=True)
y = torch.tensor(2.0, requires_grad=True)
f = x ** 3
print(torch.autograd.grad(f, y))  # fault
""",
        """
import torch
v = torch.tensor([1.0, 2.0], requires_grad=True)
energy = (v ** 2).sum()
part = v[0]
print(torch.autograd.grad(energy, part))  # fault
""",
        """
import torch
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = (x * 2).sum()
z = x.reshape(3, 1)
torch.autograd.grad(y, z)  # fault
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
x = torch.tensor([0.5, 0.5], requires_grad=True)
y = (w * x).sum()
x = x.clone().detach().requires_grad_()
print(torch.autograd.grad(y, x))  # fault
""",
        """
import torch
x = torch.tensor(2.0, requires_grad=True)
z = torch.tensor(3.0, requires_grad=True)
y = x ** 2 + z.detach() ** 2
gx, gz = torch.autograd.grad(y, [x, z])  # fault
print(gx, gz)
""",
        """
import torch
import torch.nn as nn
net = nn.ModuleDict({"a": nn.Linear(1, 1), "b": nn.Linear(1, 1)})
for p in net.parameters():
    nn.init.constant_(p, 1.0)
loss = net["a"](torch.ones(1, 1)).sum()
grads = torch.autograd.grad(loss, list(net.parameters()))  # fault
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
noise = torch.tensor([0.1, 0.1], requires_grad=True)
z = x + noise
z = x * 2
loss = z.sum()
print(torch.autograd.grad(loss, noise)[0])  # fault
""",
    ],
    "python-value-not-tensor": [
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
losses = []
for x in [1.0, 2.0]:
    losses.append(((w * x) ** 2).sum().item())  # fault
mean_loss = sum(losses) / len(losses)
mean_loss.backward()
""",
        """
import torch
w = torch.tensor(2.0, requires_grad=True)
def step(w):
    loss = (w - 1.0) ** 2
loss = step(w)  # fault
loss.backward()
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
parts = [(w[0] - 1) ** 2, (w[1] + 1) ** 2]  # fault
parts.backward()
""",
        """
import torch
w = torch.tensor(2.0, requires_grad=True)
loss = float((w * 3.0) ** 2)  # fault
loss.backward()
""",
        """
import torch
w = torch.tensor([0.5], requires_grad=True)
epoch_loss = 0
for x in [1.0, 2.0]:
    batch_loss = ((w * x - 1) ** 2).sum()
    epoch_loss += batch_loss.item()  # fault
print(epoch_loss)
epoch_loss.backward()
""",
        """
import torch
import torch.nn as nn
criterion = nn.MSELoss()
w = torch.tensor([1.0, 2.0], requires_grad=True)
loss = criterion(w, torch.zeros(2))
print(loss.item())
criterion.backward()  # fault
""",
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
def loss_fn(p):
    value = (p - 2) ** 2
loss = loss_fn(w)  # fault
loss.backward()
""",
        """
import torch
import numpy as np
w = torch.tensor([1.0, 2.0], requires_grad=True)
pred = (w * 3).detach().numpy()  # fault
loss = np.mean((pred - 1.0) ** 2)
print(round(float(loss), 3))
loss.backward()
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
def compute():
    return {"mse": (w ** 2).mean(), "l1": w.abs().mean()}
loss = compute()  # fault
loss.backward()
""",
    ],
}

SOUND = {
    "not-in-graph": [
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
x = torch.tensor([0.5, 0.5], requires_grad=True)
y = (w * x).sum()
print(torch.autograd.grad(y, x))
""",
        """
import torch
x = torch.tensor(2.0, requires_grad=True)
z = torch.tensor(3.0, requires_grad=True)
y = x ** 2 + z ** 2
gx, gz = torch.autograd.grad(y, [x, z])
print(gx, gz)
""",
        """
import torch
import torch.nn as nn
net = nn.ModuleDict({"a": nn.Linear(1, 1), "b": nn.Linear(1, 1)})
for p in net.parameters():
    nn.init.constant_(p, 1.0)
loss = net["a"](torch.ones(1, 1)).sum()
grads = torch.autograd.grad(loss, list(net.parameters()), allow_unused=True)
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
noise = torch.tensor([0.1, 0.1], requires_grad=True)
z = x + noise
z = z * 2
loss = z.sum()
print(torch.autograd.grad(loss, noise)[0])
""",
    ],
    "python-value-not-tensor": [
        """
import torch
w = torch.tensor([0.5], requires_grad=True)
epoch_loss = 0
for x in [1.0, 2.0]:
    batch_loss = ((w * x - 1) ** 2).sum()
    epoch_loss += batch_loss
print(epoch_loss.item())
epoch_loss.backward()
""",
        """
import torch
import torch.nn as nn
criterion = nn.MSELoss()
w = torch.tensor([1.0, 2.0], requires_grad=True)
loss = criterion(w, torch.zeros(2))
print(loss.item())
loss.backward()
print(w.grad)
""",
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
def loss_fn(p):
    return (p - 2) ** 2
loss = loss_fn(w)
loss.backward()
print(w.grad)
""",
        """
import torch
import numpy as np
w = torch.tensor([1.0, 2.0], requires_grad=True)
pred = w * 3
loss = ((pred - 1.0) ** 2).mean()
print(round(loss.item(), 3))
loss.backward()
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
def compute():
    return {"mse": (w ** 2).mean(), "l1": w.abs().mean()}
loss = compute()
total = loss["mse"] + loss["l1"]
total.backward()
print(w.grad)
""",
    ],
}
