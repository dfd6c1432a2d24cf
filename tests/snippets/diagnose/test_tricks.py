"""Sound programs of kinds that look suspicious: no fault, whatever trick of the trade they use."""

import pytest

from snippets import run
from tests.snippets.diagnose import idioms

PROGRAMS = {
    "grad clipping by value + scheduler": """
import torch, torch.nn as nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Dropout(0.2), nn.Linear(8, 1))
opt = torch.optim.AdamW(net.parameters(), lr=1e-2, weight_decay=0.01)
sched = torch.optim.lr_scheduler.StepLR(opt, step_size=2)
x, y = torch.randn(16, 2), torch.randn(16, 1)
best = float('inf')
for epoch in range(3):
    net.train()
    for i in range(0, 16, 4):
        loss = nn.functional.mse_loss(net(x[i:i+4]), y[i:i+4])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
    sched.step()
    net.eval()
    with torch.no_grad():
        val = nn.functional.mse_loss(net(x), y).item()
    if val < best:
        best = val
        state = {k: v.clone() for k, v in net.state_dict().items()}
print(best)
""",
    "GAN proper": """
import torch, torch.nn as nn
torch.manual_seed(0)
g = nn.Linear(2, 2); d = nn.Linear(2, 1)
og = torch.optim.Adam(g.parameters(), lr=1e-2); od = torch.optim.Adam(d.parameters(), lr=1e-2)
bce = nn.BCEWithLogitsLoss()
for _ in range(2):
    real = torch.randn(4, 2) + 2
    fake = g(torch.randn(4, 2))
    od.zero_grad()
    loss_d = bce(d(real), torch.ones(4, 1)) + bce(d(fake.detach()), torch.zeros(4, 1))
    loss_d.backward()
    od.step()
    og.zero_grad()
    loss_g = bce(d(fake), torch.ones(4, 1))
    loss_g.backward()
    og.step()
""",
    "RL reinforce": """
import torch
torch.manual_seed(0)
logits = torch.zeros(3, requires_grad=True)
opt = torch.optim.SGD([logits], lr=0.5)
baseline = 0.0
for _ in range(4):
    p = torch.softmax(logits, 0)
    a = torch.multinomial(p, 1).item()
    reward = float(a == 1)
    loss = -(reward - baseline) * torch.log(p[a])
    opt.zero_grad()
    loss.backward()
    opt.step()
    baseline = 0.9 * baseline + 0.1 * reward
""",
    "RNN truncated bptt": """
import torch, torch.nn as nn
torch.manual_seed(0)
cell = nn.RNNCell(1, 4); out = nn.Linear(4, 1)
opt = torch.optim.SGD([*cell.parameters(), *out.parameters()], lr=0.05)
h = torch.zeros(1, 4)
seq = torch.sin(torch.arange(12.0))
for t in range(0, 9, 3):
    h = h.detach()
    loss = 0
    for k in range(3):
        h = cell(seq[t + k].view(1, 1), h)
        loss = loss + (out(h) - seq[t + k + 1]).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    "frozen backbone": """
import torch, torch.nn as nn
torch.manual_seed(0)
backbone = nn.Sequential(nn.Linear(3, 4), nn.ReLU())
head = nn.Linear(4, 2)
for p in backbone.parameters():
    p.requires_grad_(False)
opt = torch.optim.SGD(head.parameters(), lr=0.1, momentum=0.9)
x = torch.randn(6, 3); y = torch.tensor([0, 1, 0, 1, 1, 0])
for _ in range(3):
    loss = nn.functional.cross_entropy(head(backbone(x)), y)
    opt.zero_grad(); loss.backward(); opt.step()
acc = (head(backbone(x)).argmax(1) == y).float().mean().item()
print(acc)
""",
    "contrastive stop-grad": """
import torch, torch.nn as nn
torch.manual_seed(0)
f = nn.Linear(4, 4); h = nn.Linear(4, 4)
opt = torch.optim.SGD([*f.parameters(), *h.parameters()], lr=0.1)
a, b = torch.randn(5, 4), torch.randn(5, 4)
for _ in range(2):
    za, zb = f(a), f(b)
    near = nn.functional.cosine_similarity
    loss = -(near(h(za), zb.detach(), dim=1).mean() + near(h(zb), za.detach(), dim=1).mean()) / 2
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    "gradient penalty": """
import torch, torch.nn as nn
torch.manual_seed(0)
d = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
opt = torch.optim.Adam(d.parameters(), lr=1e-3)
for _ in range(2):
    x = torch.randn(5, 2, requires_grad=True)
    g = torch.autograd.grad(d(x).sum(), x, create_graph=True)[0]
    gp = ((g.norm(dim=1) - 1) ** 2).mean()
    loss = d(x).mean() + 10 * gp
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    "newton with two grads": """
import torch
x = torch.tensor(3.0, requires_grad=True)
for _ in range(4):
    y = x ** 4 - x
    g, = torch.autograd.grad(y, x, create_graph=True)
    h, = torch.autograd.grad(g, x)
    with torch.no_grad():
        x -= g / h
print(x)
""",
    "EMA target": """
import torch, torch.nn as nn, copy
torch.manual_seed(0)
online = nn.Linear(2, 2)
target = copy.deepcopy(online)
opt = torch.optim.SGD(online.parameters(), lr=0.1)
for _ in range(3):
    x = torch.randn(4, 2)
    with torch.no_grad():
        want = target(x)
    loss = (online(x) - want - 1).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    with torch.no_grad():
        for p, q in zip(target.parameters(), online.parameters()):
            p.mul_(0.99).add_(0.01 * q)
""",
    "accumulation scaled": """
import torch, torch.nn as nn
torch.manual_seed(0)
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(8, 3), torch.randn(8, 1)
opt.zero_grad()
for i in range(4):
    loss = ((net(x[2*i:2*i+2]) - y[2*i:2*i+2]) ** 2).mean() / 4
    loss.backward()
    if i % 2 == 1:
        opt.step()
        opt.zero_grad()
""",
    "custom function": """
import torch
class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x ** 3
    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return g * 3 * x ** 2
x = torch.tensor([1.0, 2.0], requires_grad=True)
Cube.apply(x).sum().backward()
print(x.grad)
""",
    "straight through": """
import torch
w = torch.tensor([0.3, 0.8], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for _ in range(3):
    q = w + (w.round() - w).detach()
    loss = ((q - 1) ** 2).sum()
    opt.zero_grad(); loss.backward(); opt.step()
""",
}


ALL = PROGRAMS | idioms.PROGRAMS


@pytest.mark.parametrize("program", ALL.values(), ids=ALL)
def test_a_trick_of_the_trade_is_no_fault(program: str) -> None:
    result = run(program.lstrip())
    assert result.error is None, result.error
    assert not [report for report in result.diagnosis if report["severity"] == "fault"]
