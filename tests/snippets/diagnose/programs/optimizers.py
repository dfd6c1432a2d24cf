"""Programs about what optimizers hold, and the order of lines: faults, their line marked, and sound look-alikes."""

FAULTY = {
    "optimizer-params": [
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Linear(4, 3)
scale = nn.Parameter(torch.ones(()))
opt = torch.optim.SGD(net.parameters(), lr=0.1)  # fault
x, y = torch.randn(5, 4), torch.tensor([0, 1, 2, 0, 1])
for _ in range(2):
    loss = nn.functional.cross_entropy(net(x) * scale, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
import torch.nn as nn
old = nn.Linear(2, 1)
opt = torch.optim.Adam(old.parameters(), lr=0.1)  # fault
old = nn.Linear(2, 1)
for _ in range(2):
    opt.zero_grad()
    old(torch.ones(1, 2)).sum().backward()
    opt.step()
""",
        """
import torch
import torch.nn as nn
net = nn.Linear(2, 1)
weights = (p for p in net.parameters())  # fault
print(sum(p.numel() for p in weights))
opt = torch.optim.SGD(weights, lr=0.1)
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
frozen = torch.tensor([3.0], requires_grad=True)
opt = torch.optim.SGD([w, frozen], lr=0.1, momentum=0.9)
((w * frozen) ** 2).sum().backward()
opt.step()
opt.zero_grad(set_to_none=False)
frozen.requires_grad = False
(w ** 2).sum().backward()
opt.step()  # fault
print(frozen)
""",
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
net[0].weight.requires_grad = False
for p in net.parameters():
    p.requires_grad = True  # fault
net(torch.ones(1, 2)).sum().backward()
print(net[0].weight.grad)
""",
        """
import torch
import torch.nn as nn
model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
for p in model.parameters():
    nn.init.constant_(p, 0.5)
opt = torch.optim.SGD(model.parameters(), lr=0.1)  # fault
model[1] = nn.Linear(2, 1)
for p in model[1].parameters():
    nn.init.constant_(p, 0.5)
for _ in range(2):
    opt.zero_grad()
    loss = model(torch.ones(1, 2)).pow(2).sum()
    loss.backward()
    opt.step()
print(model[1].weight.tolist())
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
opt = torch.optim.SGD(w, lr=0.1)  # fault
(w ** 2).sum().backward()
opt.step()
""",
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(1, 1, bias=False), nn.Linear(1, 1, bias=False))
for p in net.parameters():
    nn.init.constant_(p, 1.0)
opt = torch.optim.SGD(net.parameters(), lr=0.1, weight_decay=0.1)
net(torch.ones(1, 1)).sum().backward()
opt.step()
net[0].weight.requires_grad = False
for _ in range(2):
    opt.zero_grad(set_to_none=False)
    net(torch.ones(1, 1)).sum().backward()
    opt.step()  # fault
print("frozen:", round(net[0].weight.item(), 4))
""",
        """
import torch
import torch.nn as nn
import copy
net = nn.Linear(1, 1, bias=False)
nn.init.constant_(net.weight, 1.0)
clone = copy.deepcopy(net)
opt = torch.optim.SGD(clone.parameters(), lr=0.1)  # fault
for _ in range(2):
    opt.zero_grad()
    loss = net(torch.ones(1, 1)).pow(2).sum()
    loss.backward()
    opt.step()
print(net.weight.item(), clone.weight.item())
""",
    ],
    "optimizer-order": [
        """
import torch
import torch.nn as nn
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
sched = torch.optim.lr_scheduler.StepLR(opt, 1)
x = torch.randn(8, 2)
for _ in range(3):
    sched.step()  # fault
    opt.zero_grad()
    net(x).pow(2).mean().backward()
    opt.step()
""",
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for x in [1.0, 2.0, 3.0]:
    loss = (w * x - 1) ** 2
    loss.backward()
    opt.zero_grad()  # fault
    opt.step()
print(w)
""",
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for x in [1.0, 2.0]:
    opt.zero_grad()
    loss = (w * x - 4) ** 2
    opt.step()  # fault
    loss.backward()
print(w)
""",
        """
import torch
import torch.nn as nn
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    opt.zero_grad()
    net(torch.ones(1, 2) * 100).pow(2).sum().backward()
    opt.step()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)  # fault
""",
        """
import torch
import torch.nn as nn
net = nn.Linear(1, 1, bias=False)
nn.init.constant_(net.weight, 3.0)
opt = torch.optim.Adam(net.parameters(), lr=0.1)
for i in range(3):
    loss = net(torch.ones(1, 1)).pow(2).sum()
    loss.backward()
    net.zero_grad()  # fault
    opt.step()
print(net.weight.item())
""",
        """
import torch
import torch.nn as nn
w = torch.tensor([10.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for _ in range(2):
    opt.zero_grad()
    loss = (w ** 4).sum()
    loss.backward()
    opt.step()
    torch.nn.utils.clip_grad_norm_([w], 1.0)  # fault
print(w)
""",
        """
import torch
import torch.nn as nn
w = torch.tensor([5.0, 5.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for _ in range(2):
    opt.zero_grad()
    loss = (w ** 4).sum()
    torch.nn.utils.clip_grad_norm_([w], 1.0)  # fault
    loss.backward()
    opt.step()
print(w.tolist())
""",
    ],
}

SOUND = {
    "optimizer-params": [
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Linear(4, 3)
scale = nn.Parameter(torch.ones(()))
opt = torch.optim.SGD([*net.parameters(), scale], lr=0.1)
x, y = torch.randn(5, 4), torch.tensor([0, 1, 2, 0, 1])
for _ in range(2):
    loss = nn.functional.cross_entropy(net(x) * scale, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
opt = torch.optim.LBFGS([w]) if False else torch.optim.SGD([w], lr=0.1, weight_decay=0.01)
for _ in range(2):
    opt.zero_grad()
    (w ** 2).sum().backward()
    opt.step()
print(w)
""",
        """
import torch
import torch.nn as nn
base = nn.Linear(2, 2)
head = nn.Linear(2, 1)
for p in base.parameters():
    p.requires_grad = False
opt = torch.optim.SGD(head.parameters(), lr=0.1)
loss = head(base(torch.ones(1, 2))).sum()
loss.backward()
opt.step()
""",
        """
import torch
import torch.nn as nn
model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
for p in model.parameters():
    nn.init.constant_(p, 0.5)
model[1] = nn.Linear(2, 1)
for p in model[1].parameters():
    nn.init.constant_(p, 0.5)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(2):
    opt.zero_grad()
    loss = model(torch.ones(1, 2)).pow(2).sum()
    loss.backward()
    opt.step()
print([round(v, 4) for v in model[1].weight[0].tolist()])
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
(w ** 2).sum().backward()
opt.step()
print([round(v, 4) for v in w.tolist()])
""",
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(1, 1, bias=False), nn.Linear(1, 1, bias=False))
for p in net.parameters():
    nn.init.constant_(p, 1.0)
opt = torch.optim.SGD(net.parameters(), lr=0.1, weight_decay=0.1)
net(torch.ones(1, 1)).sum().backward()
opt.step()
net[0].weight.requires_grad = False
opt = torch.optim.SGD(net[1].parameters(), lr=0.1, weight_decay=0.1)
for _ in range(2):
    opt.zero_grad(set_to_none=False)
    net(torch.ones(1, 1)).sum().backward()
    opt.step()
print("frozen:", round(net[0].weight.item(), 4))
""",
        """
import torch
import torch.nn as nn
import copy
net = nn.Linear(1, 1, bias=False)
nn.init.constant_(net.weight, 1.0)
clone = copy.deepcopy(net)
opt = torch.optim.SGD(clone.parameters(), lr=0.1)
for _ in range(2):
    opt.zero_grad()
    loss = clone(torch.ones(1, 1)).pow(2).sum()
    loss.backward()
    opt.step()
print(round(clone.weight.item(), 4))
""",
    ],
    "optimizer-order": [
        """
import torch
import torch.nn as nn
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
sched = torch.optim.lr_scheduler.StepLR(opt, 1)
x = torch.randn(8, 2)
for _ in range(3):
    opt.zero_grad()
    net(x).pow(2).mean().backward()
    opt.step()
    sched.step()
""",
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
x = torch.tensor([[1.0, 2.0], [0.0, -1.0]])
y = torch.tensor([[1.0], [0.0]])
for _ in range(3):
    opt.zero_grad()
    loss = ((net(x) - y) ** 2).mean()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
print(len(list(net.parameters())))
""",
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for x in [1.0, 2.0, 3.0]:
    loss = (w * x - 1) ** 2
    loss.backward()
    opt.step()
    opt.zero_grad()
print(w)
""",
        """
import torch
import torch.nn as nn
net = nn.Linear(1, 1, bias=False)
nn.init.constant_(net.weight, 3.0)
opt = torch.optim.Adam(net.parameters(), lr=0.1)
for i in range(3):
    loss = net(torch.ones(1, 1)).pow(2).sum()
    net.zero_grad()
    loss.backward()
    opt.step()
print(round(net.weight.item(), 3))
""",
        """
import torch
import torch.nn as nn
w = torch.tensor([10.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for _ in range(2):
    opt.zero_grad()
    loss = (w ** 4).sum()
    loss.backward()
    torch.nn.utils.clip_grad_norm_([w], 1.0)
    opt.step()
    print([round(v, 3) for v in w.tolist()])
""",
        """
import torch
import torch.nn as nn
w = torch.tensor([5.0, 5.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for _ in range(2):
    opt.zero_grad()
    loss = (w ** 4).sum()
    loss.backward()
    torch.nn.utils.clip_grad_norm_([w], 1.0)
    opt.step()
print([round(v, 3) for v in w.tolist()])
""",
    ],
}
