"""Programs about losses: faults, their line marked, and sound look-alikes."""

FAULTY = {
    "loss-misuse": [
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Linear(3, 1)
x, y = torch.randn(9, 3), torch.ones(9, 1)
loss = nn.BCELoss()(net(x), y)  # fault
loss.backward()
""",
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(12, 4)
y = (x[:, 0] > 0).float()
for _ in range(2):
    p = net(x).squeeze(1).clamp(0.0, 1.0)
    loss = nn.functional.binary_cross_entropy(p, y)  # fault
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
import torch.nn as nn
net = nn.Linear(3, 2)
x, y = torch.randn(5, 3), torch.tensor([0, 1, 1, 0, 1])
pred = net(x).argmax(1).float()
kl = nn.KLDivLoss(reduction="batchmean")
t = torch.softmax(torch.randn(5, 2), 1)
loss = kl(torch.softmax(net(x), 1), t)  # fault
loss.backward()
""",
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(2, 3), nn.Softmax(dim=1))
x = torch.tensor([[1.0, 2.0], [0.0, 1.0]])
loss = nn.CrossEntropyLoss()(net(x), torch.tensor([0, 2]))  # fault
loss.backward()
""",
        """
import torch
import torch.nn.functional as F
z = torch.tensor([0.3, -1.2], requires_grad=True)
prob = torch.sigmoid(z)
loss = F.binary_cross_entropy_with_logits(prob, torch.tensor([1.0, 0.0]))  # fault
loss.backward()
""",
        """
import torch
import torch.nn.functional as F
logits = torch.tensor([[2.0, 0.5], [0.1, 1.0]], requires_grad=True)
p = F.softmax(logits, dim=1)
loss = F.nll_loss(p, torch.tensor([0, 1]))  # fault
loss.backward()
""",
        """
import torch
import torch.nn.functional as F
logits = torch.tensor([[2.0, 0.5, 0.0], [0.1, 1.0, 0.0]], requires_grad=True)
logp = F.log_softmax(logits, dim=0)  # fault
loss = F.nll_loss(logp, torch.tensor([0, 1]))
loss.backward()
""",
        """
import torch
import torch.nn.functional as F
logits = torch.tensor([[4.0, 1.0]], requires_grad=True)
loss = F.nll_loss(logits, torch.tensor([0]))  # fault
loss.backward()
print("loss:", loss.item())
print(logits.grad)
""",
        """
import torch
import torch.nn.functional as F
x = torch.tensor([0.4, -0.4], requires_grad=True)
prob = 1 / (1 + torch.exp(-x))
loss = F.binary_cross_entropy_with_logits(prob, torch.tensor([1.0, 0.0]))  # fault
loss.backward()
print(round(loss.item(), 4))
""",
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(2, 2), nn.Softmax(dim=0))
nn.init.constant_(net[0].weight, 0.5); nn.init.constant_(net[0].bias, 0.0)
with torch.no_grad():
    net[0].weight[0, 0] = 1.0
p = net(torch.tensor([[1.0, 2.0], [0.0, 1.0], [2.0, 2.0]]))  # fault
y = torch.tensor([0, 1, 0])
loss = -torch.log(p[torch.arange(3), y]).mean()
loss.backward()
print([round(v, 3) for v in p.sum(dim=1).tolist()])
""",
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(2, 2), nn.LogSoftmax(dim=1))
nn.init.constant_(net[0].bias, 0.0)
with torch.no_grad():
    net[0].weight.copy_(torch.tensor([[1.0, 0.0], [0.0, 1.0]]))
loss = nn.CrossEntropyLoss()(net(torch.tensor([[1.0, 2.0]])), torch.tensor([0]))  # fault
loss.backward()
print(round(loss.item(), 4))
""",
        """
import torch
import torch.nn.functional as F
logit = torch.tensor([[0.7], [-0.2]], requires_grad=True)
p = F.softmax(logit, dim=1)  # fault
loss = F.binary_cross_entropy(p, torch.tensor([[1.0], [0.0]]))
loss.backward()
print(p.tolist(), logit.grad)
""",
    ],
}

SOUND = {
    "loss-misuse": [
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(12, 4)
y = (x[:, 0] > 0).float()
for _ in range(2):
    p = torch.sigmoid(net(x)).squeeze(1).clamp(1e-6, 1 - 1e-6)
    loss = nn.functional.binary_cross_entropy(p, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
import torch.nn as nn
net = nn.Linear(3, 2)
x, y = torch.randn(5, 3), torch.tensor([0, 1, 1, 0, 1])
pred = net(x).argmax(1).float()
kl = nn.KLDivLoss(reduction="batchmean")
t = torch.softmax(torch.randn(5, 2), 1)
loss = kl(torch.log_softmax(net(x), 1), t)
loss.backward()
""",
        """
import torch
import torch.nn.functional as F
logits = torch.tensor([[2.0, 0.5], [0.1, 1.0]], requires_grad=True)
loss = F.nll_loss(F.log_softmax(logits, dim=1), torch.tensor([0, 1]))
loss.backward()
print(F.softmax(logits, dim=1).detach())
""",
        """
import torch
import torch.nn.functional as F
z = torch.tensor([0.3, -1.2], requires_grad=True)
F.binary_cross_entropy(torch.sigmoid(z), torch.tensor([1.0, 0.0])).backward()
""",
        """
import torch
import torch.nn.functional as F
logits = torch.tensor([[4.0, 1.0]], requires_grad=True)
loss = F.cross_entropy(logits, torch.tensor([0]))
loss.backward()
print("loss:", round(loss.item(), 4))
print(logits.grad)
""",
        """
import torch
import torch.nn.functional as F
x = torch.tensor([0.4, -0.4], requires_grad=True)
prob = 1 / (1 + torch.exp(-x))
loss = F.binary_cross_entropy(prob, torch.tensor([1.0, 0.0]))
loss.backward()
print(round(loss.item(), 4))
""",
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(2, 2), nn.Softmax(dim=1))
nn.init.constant_(net[0].weight, 0.5); nn.init.constant_(net[0].bias, 0.0)
with torch.no_grad():
    net[0].weight[0, 0] = 1.0
p = net(torch.tensor([[1.0, 2.0], [0.0, 1.0], [2.0, 2.0]]))
y = torch.tensor([0, 1, 0])
loss = -torch.log(p[torch.arange(3), y]).mean()
loss.backward()
print([round(v, 3) for v in p.sum(dim=1).tolist()])
""",
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(2, 2), nn.LogSoftmax(dim=1))
nn.init.constant_(net[0].bias, 0.0)
with torch.no_grad():
    net[0].weight.copy_(torch.tensor([[1.0, 0.0], [0.0, 1.0]]))
loss = nn.NLLLoss()(net(torch.tensor([[1.0, 2.0]])), torch.tensor([0]))
loss.backward()
print(round(loss.item(), 4))
""",
        """
import torch
import torch.nn.functional as F
logit = torch.tensor([[0.7], [-0.2]], requires_grad=True)
p = torch.sigmoid(logit)
loss = F.binary_cross_entropy(p, torch.tensor([[1.0], [0.0]]))
loss.backward()
print([round(v, 3) for v in logit.grad.flatten().tolist()])
""",
    ],
}
