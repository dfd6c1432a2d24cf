"""Sound programs of the trade: training tricks, attacks, two networks, updates by hand."""

PROGRAMS = {
    "sam": """
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(0)
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(4, 2), torch.randn(4, 1)
for _ in range(2):
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    eps = []
    with torch.no_grad():
        norm = torch.sqrt(sum((p.grad ** 2).sum() for p in net.parameters())) + 1e-12
        for p in net.parameters():
            e = 0.05 * p.grad / norm
            p.add_(e)
            eps.append(e)
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    with torch.no_grad():
        for p, e in zip(net.parameters(), eps):
            p.sub_(e)
    opt.step()
print(loss.item() > 0)
""",
    "accumulate with leftover": """
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(0)
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
data = [(torch.randn(2, 2), torch.randn(2, 1)) for _ in range(5)]
k = 2
opt.zero_grad()
for i, (x, y) in enumerate(data):
    loss = F.mse_loss(net(x), y) / k
    loss.backward()
    if (i + 1) % k == 0 or i + 1 == len(data):
        opt.step()
        opt.zero_grad()
""",
    "ema data copy": """
import torch
import torch.nn as nn
import copy
torch.manual_seed(0)
net = nn.Linear(2, 1)
ema = copy.deepcopy(net)
for p in ema.parameters():
    p.requires_grad_(False)
opt = torch.optim.Adam(net.parameters(), lr=0.1)
for _ in range(3):
    loss = net(torch.randn(3, 2)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    for pe, p in zip(ema.parameters(), net.parameters()):
        pe.data.mul_(0.9).add_(p.data, alpha=0.1)
""",
    "unfreeze schedule": """
import torch
import torch.nn as nn
torch.manual_seed(0)
body, head = nn.Linear(2, 2), nn.Linear(2, 1)
for p in body.parameters():
    p.requires_grad = False
opt = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
for epoch in range(4):
    if epoch == 2:
        for p in body.parameters():
            p.requires_grad = True
    loss = head(torch.tanh(body(torch.randn(3, 2)))).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    "hard distillation": """
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(0)
teacher, student = nn.Linear(3, 2), nn.Linear(3, 2)
opt = torch.optim.SGD(student.parameters(), lr=0.1)
x = torch.randn(5, 3)
for _ in range(2):
    labels = teacher(x).argmax(dim=1)
    loss = F.cross_entropy(student(x), labels)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    "vqvae": """
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(0)
enc, dec = nn.Linear(3, 2), nn.Linear(2, 3)
book = nn.Parameter(torch.randn(4, 2))
opt = torch.optim.Adam([*enc.parameters(), *dec.parameters(), book], lr=0.01)
x = torch.randn(5, 3)
for _ in range(2):
    z = enc(x)
    d = (z.unsqueeze(1) - book.unsqueeze(0)).pow(2).sum(-1)
    idx = d.argmin(dim=1)
    q = book[idx]
    zq = z + (q - z).detach()
    loss = F.mse_loss(dec(zq), x) + F.mse_loss(q, z.detach()) + 0.25 * F.mse_loss(z, q.detach())
    opt.zero_grad()
    loss.backward()
    opt.step()
print(round(loss.item(), 2) > 0)
""",
    "ppo": """
import torch
import torch.nn as nn
torch.manual_seed(0)
policy = nn.Linear(2, 3)
opt = torch.optim.Adam(policy.parameters(), lr=0.01)
s = torch.randn(6, 2); a = torch.tensor([0, 1, 2, 0, 1, 2]); adv = torch.randn(6)
with torch.no_grad():
    old = torch.log_softmax(policy(s), dim=1)[torch.arange(6), a]
for _ in range(3):
    new = torch.log_softmax(policy(s), dim=1)[torch.arange(6), a]
    ratio = (new - old).exp()
    loss = -torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    "power iteration": """
import torch
import torch.nn.functional as F
torch.manual_seed(0)
W = torch.randn(3, 3, requires_grad=True)
u = torch.randn(3)
opt = torch.optim.SGD([W], lr=0.1)
for _ in range(2):
    with torch.no_grad():
        v = F.normalize(W.t() @ u, dim=0)
        u = F.normalize(W @ v, dim=0)
    sigma = u @ W @ v
    loss = (W / sigma).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    "pinn": """
import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
t = torch.linspace(0, 1, 5).unsqueeze(1).requires_grad_(True)
for _ in range(2):
    u = net(t)
    du = torch.autograd.grad(u, t, torch.ones_like(u), create_graph=True)[0]
    d2u = torch.autograd.grad(du, t, torch.ones_like(du), create_graph=True)[0]
    loss = (d2u + u).pow(2).mean() + (net(torch.zeros(1, 1)) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    "maml proper": """
import torch
torch.manual_seed(0)
w = torch.randn(2, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.05)
for _ in range(2):
    total = 0.0
    for task in range(2):
        x, y = torch.randn(3, 2), torch.randn(3)
        inner = ((x @ w - y) ** 2).mean()
        g, = torch.autograd.grad(inner, w, create_graph=True)
        fast = w - 0.1 * g
        total = total + ((x @ fast - y) ** 2).mean()
    opt.zero_grad()
    total.backward()
    opt.step()
""",
    "lookahead": """
import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Linear(2, 1)
slow = [p.detach().clone() for p in net.parameters()]
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    loss = net(torch.randn(3, 2)).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    if step % 2 == 1:
        with torch.no_grad():
            for s, p in zip(slow, net.parameters()):
                s += 0.5 * (p - s)
                p.copy_(s)
""",
    "early stopping": """
import torch
import torch.nn as nn
import copy
torch.manual_seed(0)
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
best, best_state = float("inf"), None
for _ in range(3):
    loss = net(torch.ones(2, 2)).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    if loss.item() < best:
        best = loss.item()
        best_state = copy.deepcopy(net.state_dict())
net.load_state_dict(best_state)
""",
    "wgan clip": """
import torch
import torch.nn as nn
torch.manual_seed(0)
D, G = nn.Linear(2, 1), nn.Linear(2, 2)
od = torch.optim.RMSprop(D.parameters(), lr=0.01); og = torch.optim.RMSprop(G.parameters(), lr=0.01)
for _ in range(2):
    real, z = torch.randn(4, 2), torch.randn(4, 2)
    loss_d = -(D(real).mean() - D(G(z).detach()).mean())
    od.zero_grad(); loss_d.backward(); od.step()
    for p in D.parameters():
        p.data.clamp_(-0.01, 0.01)
    loss_g = -D(G(z)).mean()
    og.zero_grad(); loss_g.backward(); og.step()
""",
    "dqn target": """
import torch
import torch.nn as nn
import torch.nn.functional as F
import copy
torch.manual_seed(0)
q = nn.Linear(2, 3)
target_q = copy.deepcopy(q)
opt = torch.optim.Adam(q.parameters(), lr=0.01)
for step in range(4):
    s, s2 = torch.randn(4, 2), torch.randn(4, 2)
    a, r = torch.tensor([0, 1, 2, 0]), torch.randn(4)
    with torch.no_grad():
        y = r + 0.9 * target_q(s2).max(1).values
    qa = q(s).gather(1, a.unsqueeze(1)).squeeze(1)
    loss = F.smooth_l1_loss(qa, y)
    opt.zero_grad(); loss.backward(); opt.step()
    if step % 2 == 0:
        target_q.load_state_dict(q.state_dict())
""",
    "actor critic": """
import torch
import torch.nn as nn
torch.manual_seed(0)
actor, critic = nn.Linear(2, 2), nn.Linear(2, 1)
opt = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=0.01)
for _ in range(2):
    s, ret = torch.randn(5, 2), torch.randn(5)
    a = torch.tensor([0, 1, 0, 1, 1])
    logp = torch.log_softmax(actor(s), 1)[torch.arange(5), a]
    value = critic(s).squeeze(1)
    advantage = ret - value
    actor_loss = -(logp * advantage.detach()).mean()
    critic_loss = advantage.pow(2).mean()
    loss = actor_loss + 0.5 * critic_loss
    opt.zero_grad(); loss.backward(); opt.step()
""",
    "line search": """
import torch
w = torch.tensor([2.0, -1.0], requires_grad=True)
def f(p):
    return (p ** 2).sum() + p[0]
for _ in range(2):
    loss = f(w)
    g, = torch.autograd.grad(loss, w)
    step = 1.0
    with torch.no_grad():
        while f(w - step * g) > loss - 0.5 * step * (g ** 2).sum() and step > 1e-3:
            step *= 0.5
        w -= step * g
print([round(v, 3) for v in w.tolist()])
""",
    "teacher forcing": """
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(0)
cell = nn.GRUCell(1, 4); out = nn.Linear(4, 1)
opt = torch.optim.Adam([*cell.parameters(), *out.parameters()], lr=0.01)
seq = torch.sin(torch.arange(6.0)).unsqueeze(1)
for epoch in range(2):
    h = torch.zeros(1, 4)
    loss = 0.0
    inp = seq[0:1]
    for t in range(5):
        h = cell(inp, h)
        pred = out(h)
        loss = loss + F.mse_loss(pred, seq[t + 1:t + 2])
        inp = seq[t + 1:t + 2] if t % 2 == 0 else pred.detach()
    opt.zero_grad(); loss.backward(); opt.step()
""",
    "inner loop no grad eval": """
import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.1), nn.Linear(8, 1))
opt = torch.optim.AdamW(net.parameters(), lr=0.01)
def evaluate():
    net.eval()
    with torch.no_grad():
        value = net(torch.randn(4, 2)).pow(2).mean().item()
    net.train()
    return value
for _ in range(2):
    loss = net(torch.randn(6, 2)).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    val = evaluate()
""",
    "deep dream": """
import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
net.requires_grad_(False)
x = torch.randn(1, 3, requires_grad=True)
for _ in range(3):
    score = net(x).sum()
    score.backward()
    with torch.no_grad():
        x += 0.1 * x.grad / (x.grad.norm() + 1e-8)
        x.grad.zero_()
""",
    "fgsm": """
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(0)
net = nn.Linear(3, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(4, 3), torch.tensor([0, 1, 0, 1])
for _ in range(2):
    x_adv = x.clone().requires_grad_(True)
    F.cross_entropy(net(x_adv), y).backward()
    x_adv = (x_adv + 0.1 * x_adv.grad.sign()).detach()
    opt.zero_grad()
    loss = F.cross_entropy(net(x_adv), y)
    loss.backward()
    opt.step()
""",
    "vae": """
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(0)
enc, dec = nn.Linear(3, 4), nn.Linear(2, 3)
opt = torch.optim.Adam([*enc.parameters(), *dec.parameters()], lr=0.01)
x = torch.randn(5, 3)
for _ in range(2):
    mu, logvar = enc(x).chunk(2, dim=1)
    z = mu + torch.exp(0.5 * logvar) * torch.randn_like(mu)
    kl = -0.5 * (1 + logvar - mu ** 2 - logvar.exp()).sum(1).mean()
    loss = F.mse_loss(dec(z), x) + kl
    opt.zero_grad(); loss.backward(); opt.step()
""",
    "running stats buffer": """
import torch
import torch.nn as nn
class Norm(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(2))
        self.scale = nn.Parameter(torch.ones(2))
    def forward(self, x):
        if self.training:
            with torch.no_grad():
                self.mean.mul_(0.9).add_(0.1 * x.mean(0))
        return (x - self.mean) * self.scale
net = Norm()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    loss = net(torch.ones(3, 2) * 2).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
net.eval()
with torch.no_grad():
    print(net(torch.ones(1, 2)).shape)
""",
    "scheduler lr from loss": """
import torch
w = torch.tensor(4.0, requires_grad=True)
lr = 0.1
last = float("inf")
for _ in range(4):
    loss = (w - 1) ** 2
    if loss.item() > last:
        lr *= 0.5
    last = loss.item()
    w.grad = None
    loss.backward()
    with torch.no_grad():
        w -= lr * w.grad
print(round(w.item(), 4))
""",
    "adaptive penalty weight": """
import torch
w = torch.tensor([1.0, -2.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.05)
lam = 1.0
for _ in range(3):
    mse = (w - 3).pow(2).mean()
    reg = w.abs().sum()
    loss = mse + lam * reg
    opt.zero_grad(); loss.backward(); opt.step()
    lam = 0.9 * lam if reg.item() < 3 else lam
print(round(lam, 3))
""",
    "normalise loss by detached": """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
a = (w ** 2).sum()
b = (w - 5).pow(2).sum()
loss = a / a.detach() + b / b.detach()
loss.backward()
print([round(v, 4) for v in w.grad.tolist()])
""",
    "max subtracted softmax": """
import torch
z = torch.tensor([[1.0, 2.0, 3.0], [0.5, 0.1, 0.2]], requires_grad=True)
m = z.max(dim=1, keepdim=True).values
e = torch.exp(z - m)
p = e / e.sum(dim=1, keepdim=True)
loss = -torch.log(p[torch.arange(2), torch.tensor([2, 0])]).mean()
loss.backward()
print([[round(v, 4) for v in r] for r in z.grad.tolist()])
""",
    "momentum by hand": """
import torch
w = torch.tensor([3.0, -2.0], requires_grad=True)
v = torch.zeros(2)
for _ in range(3):
    loss = (w ** 2).sum()
    loss.backward()
    with torch.no_grad():
        v = 0.9 * v + w.grad
        w -= 0.1 * v
    w.grad.zero_()
print([round(x, 4) for x in w.tolist()])
""",
    "adam by hand": """
import torch
p = torch.tensor([1.0], requires_grad=True)
m = s = torch.zeros(1)
for t in range(1, 4):
    loss = (p - 2).pow(2).sum()
    loss.backward()
    g = p.grad
    m = 0.9 * m + 0.1 * g
    s = 0.999 * s + 0.001 * g * g
    with torch.no_grad():
        p -= 0.1 * (m / (1 - 0.9 ** t)) / ((s / (1 - 0.999 ** t)).sqrt() + 1e-8)
    p.grad = None
print(round(p.item(), 4))
""",
    "label smoothing": """
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(0)
net = nn.Linear(3, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(5, 3), torch.tensor([0, 1, 2, 3, 0])
for _ in range(2):
    logp = F.log_softmax(net(x), dim=1)
    nll = -logp.gather(1, y.unsqueeze(1)).squeeze(1)
    smooth = -logp.mean(dim=1)
    loss = (0.9 * nll + 0.1 * smooth).mean()
    opt.zero_grad(); loss.backward(); opt.step()
""",
    "matrix factorisation": """
import torch
import torch.nn.functional as F
torch.manual_seed(0)
U = torch.randn(4, 2, requires_grad=True); V = torch.randn(5, 2, requires_grad=True)
rows = torch.tensor([0, 1, 2, 3, 0]); cols = torch.tensor([1, 1, 4, 2, 0]); r = torch.rand(5)
opt = torch.optim.SGD([U, V], lr=0.1)
for _ in range(2):
    pred = (U[rows] * V[cols]).sum(1)
    loss = F.mse_loss(pred, r) + 0.01 * (U.pow(2).mean() + V.pow(2).mean())
    opt.zero_grad(); loss.backward(); opt.step()
""",
}
