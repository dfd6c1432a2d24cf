"""Programs about modules and their modes: faults, their line marked, and sound look-alikes."""

FAULTY = {
    "parameter-registration": [
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
class Gain(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = torch.ones(2, requires_grad=True)  # fault
    def forward(self, x):
        return x * self.gain
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(3, 2)
        self.scaled = Gain()
    def forward(self, x):
        return self.scaled(self.line(x))
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    loss = net(torch.randn(4, 3)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
import torch.nn as nn
class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.factor = torch.ones(1, requires_grad=True)  # fault
        self.lin = nn.Linear(1, 1)
    def forward(self, x):
        return self.lin(x) * self.factor
model = Scale()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
model(torch.ones(1, 1)).sum().backward()
opt.step()
""",
        """
import torch
import torch.nn as nn
class Heads(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = {"a": nn.Linear(2, 1), "b": nn.Linear(2, 1)}  # fault
        self.body = nn.Linear(2, 2)
    def forward(self, x):
        return sum(h(self.body(x)) for h in self.heads.values())
m = Heads()
print([n for n, _ in m.named_parameters()])
m(torch.ones(1, 2)).sum().backward()
""",
        """
import torch
import torch.nn as nn
class Deep(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.blocks = []  # fault
        for _ in range(n):
            self.blocks.append(nn.Linear(2, 2))
    def forward(self, x):
        for b in self.blocks:
            x = torch.relu(b(x))
        return x
net = Deep(3)
print(len(list(net.parameters())))
""",
        """
import torch
import torch.nn as nn
class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(2)) * 0.1  # fault
    def forward(self, x):
        return self.gain * x
m = Scale()
print([n for n, _ in m.named_parameters()])
opt = torch.optim.SGD(m.parameters(), lr=0.1)
""",
        """
import torch
import torch.nn as nn
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
    def forward(self, x):
        return torch.relu(self.fc(x))
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = []  # fault
        for _ in range(2):
            self.blocks.append(Block())
        self.out = nn.Linear(2, 1)
    def forward(self, x):
        for b in self.blocks:
            x = b(x)
        return self.out(x)
_net = Net()
count = sum(p.numel() for p in _net.parameters())
print(count)
""",
        """
import torch
import torch.nn as nn
class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.alpha = torch.ones(1)  # fault
        self.alpha.requires_grad_()
    def forward(self, x):
        return x * torch.sigmoid(self.alpha)
gate = Gate()
state = list(gate.state_dict().keys())
print(state)
gate(torch.ones(2)).sum().backward()
""",
        """
import torch
import torch.nn as nn
class Fresh(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(1, 1)
    def forward(self, x):
        layer = nn.Linear(1, 1)  # fault
        nn.init.constant_(layer.weight, 1.0); nn.init.constant_(layer.bias, 0.0)
        return layer(self.a(x))
net = Fresh()
nn.init.constant_(net.a.weight, 1.0); nn.init.constant_(net.a.bias, 0.0)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    opt.zero_grad()
    loss = net(torch.ones(1, 1)).pow(2).sum()
    loss.backward()
    opt.step()
print(len(list(net.parameters())))
""",
    ],
    "train-eval-mode": [
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 8), nn.Dropout(0.5), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(8, 3), torch.randn(8, 1)
def check(net):
    net.eval()  # fault
    with torch.no_grad():
        return (net(x) - y).abs().mean().item()
net.train()
for _ in range(3):
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(round(check(net), 3))
""",
        """
import torch
import torch.nn as nn
model = nn.Sequential(nn.Linear(2, 8), nn.Dropout(0.3), nn.Linear(8, 1))
with torch.no_grad():
    first = model(torch.ones(1, 2))  # fault
    second = model(torch.ones(1, 2))
print((first - second).abs().item() >= 0)
""",
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(2, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
net(torch.ones(1, 2))  # fault
""",
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(2, 4), nn.Dropout(0.5), nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(2):
    loss = net(torch.ones(3, 2)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    net.eval()  # fault
    with torch.no_grad():
        val = net(torch.ones(1, 2))
""",
        """
import torch
import torch.nn as nn
net = nn.Linear(3, 1)
net.eval()  # fault
predictions = []
for i in range(3):
    predictions.append(net(torch.ones(1, 3) * i))
print(len(predictions))
""",
        """
import torch
import torch.nn as nn
body = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
head = nn.Linear(2, 1)
for p in body.parameters():
    p.requires_grad = False
opt = torch.optim.SGD(head.parameters(), lr=0.1)
for _ in range(2):
    loss = head(body(torch.tensor([[1.0, 2.0], [3.0, 5.0]]))).pow(2).mean()  # fault
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(1, 4), nn.Dropout(0.5), nn.Linear(4, 1))
for p in net.parameters():
    nn.init.constant_(p, 0.1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
net.eval()  # fault
with torch.no_grad():
    start = net(torch.ones(1, 1)).item()
for _ in range(2):
    opt.zero_grad()
    loss = net(torch.ones(3, 1)).pow(2).mean()
    loss.backward()
    opt.step()
training = net.training
print("training:", training)
""",
        """
import torch
import torch.nn as nn
import torch.nn.functional as F
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
    def forward(self, x):
        return F.dropout(x, 0.5)  # fault
_net = Net()
_net.eval()
_x = torch.ones(1, 1000)
with torch.no_grad():
    dropped = bool((_net(_x) == 0).any())
print("dropped in eval:", dropped)
""",
        """
import torch
import torch.nn as nn
_net = nn.Sequential(nn.Linear(2, 50), nn.Dropout(0.5), nn.Linear(50, 1))
_opt = torch.optim.SGD(_net.parameters(), lr=0.01)
for epoch in range(2):
    _net.train()
    _opt.zero_grad()
    _net(torch.ones(4, 2)).pow(2).mean().backward()
    _opt.step()
    with torch.no_grad():
        _val = _net(torch.ones(4, 2))  # fault
print("mode:", _net.training)
""",
        """
import torch
import torch.nn as nn
_net = nn.Sequential(nn.Dropout(0.5), nn.Flatten(0))
_x = torch.ones(1000)
with torch.no_grad():
    _a = _net(_x)  # fault
zeros = bool((_a == 0).any())
print("zeros in prediction:", zeros)
""",
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(1, 2), nn.BatchNorm1d(2), nn.Linear(2, 1))
for p in net.parameters():
    nn.init.constant_(p, 0.5)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
x = torch.tensor([[1.0], [2.0]])
for epoch in range(2):
    opt.zero_grad()
    loss = net(x).pow(2).mean()
    loss.backward()
    opt.step()
    net.train(False)  # fault
    with torch.no_grad():
        net(x)
flag = net.training
print(flag)
""",
    ],
}

SOUND = {
    "parameter-registration": [
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
class Gain(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(2))
    def forward(self, x):
        return x * self.gain
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(3, 2)
        self.scaled = Gain()
    def forward(self, x):
        return self.scaled(self.line(x))
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    loss = net(torch.randn(4, 3)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
import torch.nn as nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(2)])
        self.scale = nn.Parameter(torch.ones(1))
        self.register_buffer("mean", torch.zeros(2))
        self.sizes = [2, 2]
    def forward(self, x):
        for layer in self.layers:
            x = layer(x - self.mean)
        return x * self.scale
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
loss = net(torch.ones(1, 2)).sum()
loss.backward()
opt.step()
""",
        """
import torch
import torch.nn as nn
class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(2) * 0.1)
    def forward(self, x):
        return self.gain * x
m = Scale()
print([n for n, _ in m.named_parameters()])
opt = torch.optim.SGD(m.parameters(), lr=0.1)
""",
        """
import torch
import torch.nn as nn
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
    def forward(self, x):
        return torch.relu(self.fc(x))
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList()
        for _ in range(2):
            self.blocks.append(Block())
        self.out = nn.Linear(2, 1)
    def forward(self, x):
        for b in self.blocks:
            x = b(x)
        return self.out(x)
_net = Net()
count = sum(p.numel() for p in _net.parameters())
print(count)
""",
        """
import torch
import torch.nn as nn
class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.alpha = nn.Parameter(torch.ones(1))
    def forward(self, x):
        return x * torch.sigmoid(self.alpha)
gate = Gate()
state = list(gate.state_dict().keys())
print(state)
gate(torch.ones(2)).sum().backward()
""",
        """
import torch
import torch.nn as nn
class Fresh(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(1, 1); self.layer = nn.Linear(1, 1)
    def forward(self, x):
        return self.layer(self.a(x))
net = Fresh()
nn.init.constant_(net.a.weight, 1.0); nn.init.constant_(net.a.bias, 0.0)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    opt.zero_grad()
    loss = net(torch.ones(1, 1)).pow(2).sum()
    loss.backward()
    opt.step()
print(len(list(net.parameters())))
""",
    ],
    "train-eval-mode": [
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 8), nn.Dropout(0.5), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(8, 3), torch.randn(8, 1)
def check(net):
    net.eval()
    with torch.no_grad():
        return (net(x) - y).abs().mean().item()
net.train()
for _ in range(3):
    net.train()
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(round(check(net), 3))
""",
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(2, 4), nn.Dropout(0.5), nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(2):
    net.train()
    loss = net(torch.ones(3, 2)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    net.eval()
    with torch.no_grad():
        val = net(torch.ones(1, 2))
print(val.shape)
""",
        """
import torch
import torch.nn as nn
net = nn.Linear(3, 1)
net.eval()
with torch.no_grad():
    out = net(torch.ones(1, 3))
print(out.requires_grad)
""",
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2), nn.Linear(2, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
loss = net(torch.tensor([[1.0, 2.0], [3.0, 1.0]])).sum()
opt.zero_grad()
loss.backward()
opt.step()
""",
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(1, 4), nn.Dropout(0.5), nn.Linear(4, 1))
for p in net.parameters():
    nn.init.constant_(p, 0.1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
net.eval()
with torch.no_grad():
    start = net(torch.ones(1, 1)).item()
net.train()
for _ in range(2):
    opt.zero_grad()
    loss = net(torch.ones(3, 1)).pow(2).mean()
    loss.backward()
    opt.step()
training = net.training
print("training:", training)
""",
        """
import torch
import torch.nn as nn
import torch.nn.functional as F
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
    def forward(self, x):
        return F.dropout(x, 0.5, training=self.training)
_net = Net()
_net.eval()
_x = torch.ones(1, 1000)
with torch.no_grad():
    dropped = bool((_net(_x) == 0).any())
print("dropped in eval:", dropped)
""",
        """
import torch
import torch.nn as nn
_net = nn.Sequential(nn.Linear(2, 50), nn.Dropout(0.5), nn.Linear(50, 1))
_opt = torch.optim.SGD(_net.parameters(), lr=0.01)
for epoch in range(2):
    _net.train()
    _opt.zero_grad()
    _net(torch.ones(4, 2)).pow(2).mean().backward()
    _opt.step()
    _net.eval()
    with torch.no_grad():
        _val = _net(torch.ones(4, 2))
print("mode:", _net.training)
""",
        """
import torch
import torch.nn as nn
_net = nn.Sequential(nn.Dropout(0.5), nn.Flatten(0))
_x = torch.ones(1000)
_net.eval()
with torch.no_grad():
    _a = _net(_x)
zeros = bool((_a == 0).any())
print("zeros in prediction:", zeros)
""",
        """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(1, 2), nn.BatchNorm1d(2), nn.Linear(2, 1))
for p in net.parameters():
    nn.init.constant_(p, 0.5)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
x = torch.tensor([[1.0], [2.0]])
for epoch in range(2):
    net.train()
    opt.zero_grad()
    loss = net(x).pow(2).mean()
    loss.backward()
    opt.step()
    net.train(False)
    with torch.no_grad():
        net(x)
flag = net.training
print(flag)
""",
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
body = nn.Sequential(nn.Linear(2, 4), nn.BatchNorm1d(4))
head = nn.Linear(4, 1)
body.requires_grad_(False)
body.eval()
opt = torch.optim.SGD(head.parameters(), lr=0.1)
for _ in range(2):
    loss = head(body(torch.randn(3, 2))).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
""",
    ],
}
