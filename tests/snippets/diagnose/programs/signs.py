"""Programs about the sign of one term of a loss: faults, their line marked, and sound look-alikes."""

FAULTY = {
    "sign": [
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Linear(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
a, near, far = torch.randn(6, 4), torch.randn(6, 4), torch.randn(6, 4)
for _ in range(2):
    dist_pos = (net(a) - net(near)).pow(2).sum(1)
    dist_neg = (net(a) - net(far)).pow(2).sum(1)
    loss = (dist_neg - dist_pos + 0.5).clamp(min=0).mean()  # fault
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
import torch.nn as nn
from torch.distributions import Categorical
torch.manual_seed(0)
pi = nn.Linear(3, 2)
opt = torch.optim.SGD(pi.parameters(), lr=0.1)
s, adv = torch.randn(6, 3), torch.randn(6)
for _ in range(2):
    dist = Categorical(logits=pi(s))
    policy_loss = -(dist.log_prob(dist.sample()) * adv).mean()
    entropy = dist.entropy().mean()
    loss = policy_loss + 0.01 * entropy  # fault
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
import torch.nn as nn
from torch.distributions import Normal
torch.manual_seed(0)
pi = nn.Linear(3, 1)
log_std = nn.Parameter(torch.zeros(1))
opt = torch.optim.SGD([*pi.parameters(), log_std], lr=0.1)
s, adv = torch.randn(5, 3), torch.randn(5)
for _ in range(2):
    dist = Normal(pi(s), log_std.exp())
    lp = dist.log_prob(dist.sample())
    loss = (lp.squeeze(-1) * adv).mean()  # fault
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
import torch.nn as nn
from torch.distributions import Categorical
torch.manual_seed(0)
chooser = nn.Linear(3, 2)
opt = torch.optim.SGD(chooser.parameters(), lr=0.1)
kept, gained = [], []
for t in range(4):
    dist = Categorical(logits=chooser(torch.randn(3)))
    move = dist.sample()
    kept.append(dist.log_prob(move))
    gained.append(1.0 if move.item() else -0.5)
returns = torch.tensor(gained)
loss = (torch.stack(kept) * returns).sum()  # fault
opt.zero_grad()
loss.backward()
opt.step()
""",
        """
import torch
from torch.distributions import Normal
torch.manual_seed(0)
mean = torch.zeros(1, requires_grad=True)
log_std = torch.zeros(1, requires_grad=True)
opt = torch.optim.Adam([mean, log_std], lr=0.1)
heights = torch.randn(20) + 3.0
for _ in range(3):
    loss = Normal(mean, log_std.exp()).log_prob(heights).mean()  # fault
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
enc, dec = nn.Linear(4, 4), nn.Linear(2, 4)
opt = torch.optim.Adam([*enc.parameters(), *dec.parameters()])
x = torch.randn(6, 4)
for _ in range(2):
    mu, logvar = enc(x).chunk(2, 1)
    z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
    rec = (dec(z) - x).pow(2).sum(1).mean()
    kld = 0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()  # fault
    loss = rec + kld
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
x, y = torch.randn(8, 3), torch.randn(8, 1)
for _ in range(2):
    fit = (net(x) - y).pow(2).mean()
    penalty = net.weight.pow(2).sum()
    loss = fit - 0.01 * penalty  # fault
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(0)
net = nn.Linear(5, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.5)
x = torch.randn(8, 5)
view = x + 0.1 * torch.randn(8, 5)
for _ in range(3):
    loss = F.cosine_similarity(net(x), net(view), dim=1).mean()  # fault
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Linear(4, 3)
net.requires_grad_(False)
x, y = torch.rand(2, 4), torch.tensor([0, 2])
delta = torch.zeros(2, 4, requires_grad=True)
for _ in range(4):
    loss = nn.functional.cross_entropy(net(x + delta), y)
    loss.backward()
    with torch.no_grad():
        delta -= 0.05 * delta.grad.sign()  # fault
    delta.grad = None
""",
    ],
}

SOUND = {
    "sign": [
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Linear(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
a, near, far = torch.randn(6, 4), torch.randn(6, 4), torch.randn(6, 4)
for _ in range(2):
    dist_pos = (net(a) - net(near)).pow(2).sum(1)
    dist_neg = (net(a) - net(far)).pow(2).sum(1)
    loss = (dist_pos - dist_neg + 0.5).clamp(min=0).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
import torch.nn as nn
from torch.distributions import Categorical
torch.manual_seed(0)
pi = nn.Linear(3, 2)
opt = torch.optim.SGD(pi.parameters(), lr=0.1)
s, adv = torch.randn(6, 3), torch.randn(6)
for _ in range(2):
    dist = Categorical(logits=pi(s))
    policy_loss = -(dist.log_prob(dist.sample()) * adv).mean()
    entropy = dist.entropy().mean()
    loss = policy_loss - 0.01 * entropy
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
import torch.nn as nn
from torch.distributions import Normal
torch.manual_seed(0)
pi = nn.Linear(3, 1)
log_std = nn.Parameter(torch.zeros(1))
opt = torch.optim.SGD([*pi.parameters(), log_std], lr=0.1)
s, adv = torch.randn(5, 3), torch.randn(5)
for _ in range(2):
    dist = Normal(pi(s), log_std.exp())
    lp = dist.log_prob(dist.sample())
    loss = -(lp.squeeze(-1) * adv).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
import torch.nn as nn
from torch.distributions import Categorical
torch.manual_seed(0)
chooser = nn.Linear(3, 2)
opt = torch.optim.SGD(chooser.parameters(), lr=0.1)
kept, gained = [], []
for t in range(4):
    dist = Categorical(logits=chooser(torch.randn(3)))
    move = dist.sample()
    kept.append(-dist.log_prob(move))
    gained.append(1.0 if move.item() else -0.5)
returns = torch.tensor(gained)
loss = (torch.stack(kept) * returns).sum()
opt.zero_grad()
loss.backward()
opt.step()
""",
        """
import torch
import torch.nn as nn
from torch.distributions import Normal
torch.manual_seed(0)
actor, critic = nn.Linear(3, 2), nn.Linear(4, 1)
opt = torch.optim.Adam(actor.parameters())
s, alpha = torch.randn(6, 3), 0.2
for _ in range(2):
    mean, log_std = actor(s).chunk(2, -1)
    dist = Normal(mean, log_std.exp())
    a = dist.rsample()
    log_pi = dist.log_prob(a)
    loss = (alpha * log_pi - critic(torch.cat([s, a], -1))).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
import torch.nn as nn
from torch.distributions import Normal, kl_divergence
torch.manual_seed(0)
enc, dec = nn.Linear(4, 4), nn.Linear(2, 4)
opt = torch.optim.Adam([*enc.parameters(), *dec.parameters()])
x = torch.randn(6, 4)
for _ in range(2):
    mu, log_std = enc(x).chunk(2, 1)
    q = Normal(mu, log_std.exp())
    log_lik = Normal(dec(q.rsample()), 1.0).log_prob(x).sum(1).mean()
    kl = kl_divergence(q, Normal(torch.zeros(2), torch.ones(2))).sum(1).mean()
    elbo = log_lik - kl
    opt.zero_grad()
    (-elbo).backward()
    opt.step()
""",
        """
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(0)
net = nn.Linear(5, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.5)
x = torch.randn(8, 5)
view = x + 0.1 * torch.randn(8, 5)
for _ in range(3):
    loss = 1 - F.cosine_similarity(net(x), net(view), dim=1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Linear(4, 3)
net.requires_grad_(False)
x, y = torch.rand(2, 4), torch.tensor([0, 2])
delta = torch.zeros(2, 4, requires_grad=True)
for _ in range(4):
    loss = nn.functional.cross_entropy(net(x + delta), y)
    loss.backward()
    with torch.no_grad():
        delta += 0.05 * delta.grad.sign()
    delta.grad = None
""",
    ],
}
