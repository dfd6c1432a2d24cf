"""Programs about shapes and upstream vectors: faults, their line marked, and sound look-alikes."""

FAULTY = {
    "non-scalar-backward": [
        """
import torch
import torch.nn as nn
net = nn.Linear(2, 3)
net(torch.ones(4, 2)).backward()  # fault
""",
        """
import torch
import torch.nn as nn
pred = torch.tensor([[0.2], [0.7]], requires_grad=True)
crit = nn.BCELoss(reduction="none")
loss = crit(pred, torch.tensor([[0.0], [1.0]]))
loss.backward()  # fault
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.exp(x)
torch.autograd.grad(y, x)  # fault
""",
        """
import torch
w = torch.tensor([[1.0], [2.0]], requires_grad=True)
x = torch.tensor([[1.0, 1.0], [2.0, 0.0]])
y = torch.tensor([[1.0], [0.0]])
loss = (x @ w - y) ** 2
print(tuple(loss.shape))
loss.backward()  # fault
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
losses = torch.stack([(w ** 2).sum(), w.abs().sum()])
losses.backward()  # fault
""",
        """
import torch
w = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
loss = (w ** 2).mean(dim=1)
loss.backward()  # fault
""",
    ],
    "jacobian": [
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
f = nn.Linear(3, 2)
x = torch.randn(3, requires_grad=True)
y = f(x)
jac = torch.autograd.grad(y, x, torch.ones_like(y))[0]  # fault
print(jac.shape)
""",
        """
import torch
m = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
x = torch.tensor([1.0, 1.0], requires_grad=True)
y = m @ x
for i in range(2):
    row = torch.zeros(2)
    row[i] = 1.0
    y.backward(row, retain_graph=True)  # fault
    print(x.grad)
""",
        """
import torch
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x ** 2
y.backward(torch.ones(2))  # fault
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.stack([x[0] * x[1], x[0] + x[1]])
jacobian = torch.autograd.grad(y, x, grad_outputs=torch.ones(2))[0]  # fault
print(jacobian)
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
W = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
y = W @ x
y.backward(torch.ones(3))  # fault
jacobian = x.grad
print(jacobian)
""",
        """
import torch
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x[:2] * x[1:]
y.backward(torch.ones(3))  # fault
print(x.grad)
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.stack([x.sum(), (x ** 2).sum()])
rows = []
for i in range(2):
    v = torch.zeros(2); v[i] = 1.0
    y.backward(v, retain_graph=True)  # fault
    rows.append(x.grad.clone())
print(torch.stack(rows))
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
def f(x):
    return torch.stack([x[0] ** 2, x[0] * x[1]])
y = f(x)
y.sum().backward()  # fault
jacobian = x.grad
print(jacobian)
""",
    ],
    "broadcasting": [
        """
import torch
import torch.nn as nn
net = nn.Linear(1, 1)
x = torch.tensor([[1.0], [2.0], [3.0], [4.0]])
y = torch.tensor([1.0, 2.0, 3.0, 4.0])
loss = nn.MSELoss()(net(x), y)  # fault
loss.backward()
""",
        """
import torch
pred = torch.tensor([0.1, 0.2, 0.3], requires_grad=True)
truth = torch.tensor([[0.0], [1.0], [0.0]])
loss = (pred - truth).abs().mean()  # fault
loss.backward()
""",
        """
import torch
v = torch.tensor([[1.0, 2.0, 3.0]], requires_grad=True)
t = torch.tensor([[1.0], [2.0], [3.0]])
sq = (t - v).pow(2)  # fault
sq.sum().backward()
""",
        """
import torch
logits = torch.tensor([[0.5], [-0.5], [1.0]], requires_grad=True)
y = torch.tensor([1.0, 0.0, 1.0])
p = torch.sigmoid(logits)
loss = -(y * torch.log(p) + (1 - y) * torch.log(1 - p)).mean()  # fault
loss.backward()
print(round(loss.item(), 4))
""",
        """
import torch
pred = torch.tensor([[0.5], [1.5], [2.0]], requires_grad=True)
target = torch.tensor([[1.0], [1.0], [1.0]])
weights = torch.tensor([1.0, 2.0, 3.0])
loss = (weights * (pred - target) ** 2).mean()  # fault
loss.backward()
print(pred.grad)
""",
        """
import torch
import torch.nn as nn
X = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
lin = nn.Linear(2, 1)
nn.init.constant_(lin.weight, 0.1); nn.init.constant_(lin.bias, 0.0)
y = torch.tensor([[1.0], [2.0], [3.0]])
pred = lin(X).squeeze()
loss = ((pred - y) ** 2).mean()  # fault
loss.backward()
print(round(loss.item(), 4))
""",
        """
import torch
logp = torch.tensor([[-0.5], [-1.0], [-0.2]], requires_grad=True)
adv = torch.tensor([1.0, -1.0, 2.0])
loss = -(logp * adv).mean()  # fault
loss.backward()
print(logp.grad)
""",
    ],
}

SOUND = {
    "non-scalar-backward": [
        """
import torch
w = torch.tensor([[1.0], [2.0]], requires_grad=True)
x = torch.tensor([[1.0, 1.0], [2.0, 0.0]])
y = torch.tensor([[1.0], [0.0]])
loss = (x @ w - y) ** 2
print(tuple(loss.shape))
loss.mean().backward()
print(w.grad)
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
losses = torch.stack([(w ** 2).sum(), w.abs().sum()])
losses.sum().backward()
print(w.grad)
""",
        """
import torch
w = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
loss = (w ** 2).mean()
loss.backward()
print(w.grad)
""",
    ],
    "jacobian": [
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
f = nn.Linear(3, 1)
x = torch.randn(4, 3, requires_grad=True)
y = f(x).squeeze(1)
jac = torch.autograd.grad(y, x, torch.ones_like(y))[0]
print(jac.shape)
""",
        """
import torch
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x ** 2
y.backward(torch.ones_like(y))
print(x.grad)
""",
        """
import torch
m = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
x = torch.tensor([1.0, 1.0], requires_grad=True)
y = m @ x
rows = [torch.autograd.grad(y, x, grad_outputs=e, retain_graph=True)[0] for e in torch.eye(2)]
print(torch.stack(rows))
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
W = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
y = W @ x
jacobian = torch.stack([torch.autograd.grad(y[i], x, retain_graph=True)[0] for i in range(3)])
print(jacobian)
""",
        """
import torch
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x[:2] * x[1:]
y.backward(torch.ones(2))
print(x.grad)
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.stack([x.sum(), (x ** 2).sum()])
rows = []
for i in range(2):
    v = torch.zeros(2); v[i] = 1.0
    x.grad = None
    y.backward(v, retain_graph=True)
    rows.append(x.grad.clone())
print(torch.stack(rows))
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
def f(x):
    return torch.stack([x[0] ** 2, x[0] * x[1]])
y = f(x)
jacobian = torch.stack([torch.autograd.grad(y[i], x, retain_graph=True)[0] for i in range(2)])
print(jacobian)
""",
    ],
    "broadcasting": [
        """
import torch
x = torch.tensor([[1.0], [2.0], [3.0]])
y = torch.tensor([[2.0], [4.0], [6.0]])
w = torch.tensor([[0.0]], requires_grad=True)
b = torch.tensor([0.0], requires_grad=True)
loss = ((x @ w + b - y) ** 2).mean()
loss.backward()
""",
        """
import torch
a = torch.tensor([[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]], requires_grad=True)
diff = a.unsqueeze(0) - a.unsqueeze(1)
sq = (diff ** 2).sum(-1)
sq.sum().backward()
""",
        """
import torch
logits = torch.tensor([[0.5], [-0.5], [1.0]], requires_grad=True)
y = torch.tensor([1.0, 0.0, 1.0])
p = torch.sigmoid(logits).squeeze(1)
loss = -(y * torch.log(p) + (1 - y) * torch.log(1 - p)).mean()
loss.backward()
print(round(loss.item(), 4))
""",
        """
import torch
pred = torch.tensor([[0.5], [1.5], [2.0]], requires_grad=True)
target = torch.tensor([[1.0], [1.0], [1.0]])
weights = torch.tensor([[1.0], [2.0], [3.0]])
loss = (weights * (pred - target) ** 2).mean()
loss.backward()
print(pred.grad)
""",
        """
import torch
import torch.nn as nn
X = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
lin = nn.Linear(2, 1)
nn.init.constant_(lin.weight, 0.1); nn.init.constant_(lin.bias, 0.0)
y = torch.tensor([[1.0], [2.0], [3.0]])
pred = lin(X)
loss = ((pred - y) ** 2).mean()
loss.backward()
print(round(loss.item(), 4))
""",
        """
import torch
logp = torch.tensor([[-0.5], [-1.0], [-0.2]], requires_grad=True)
adv = torch.tensor([[1.0], [-1.0], [2.0]])
loss = -(logp * adv).mean()
loss.backward()
print(logp.grad)
""",
    ],
}
