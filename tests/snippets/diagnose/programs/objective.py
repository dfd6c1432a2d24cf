"""Programs about the sign of the objective: faults, their line marked, and sound look-alikes."""

FAULTY = {
    "sign": [
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Linear(4, 6)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(5, 4)
for _ in range(2):
    a, b = net(x), net(x + 0.1)
    scores = torch.log_softmax(a @ b.t(), dim=1)
    loss = scores.diag().mean()
    opt.zero_grad()
    loss.backward()  # fault
    opt.step()
""",
        """
import torch
import torch.nn as nn
policy = nn.Linear(3, 2)
opt = torch.optim.SGD(policy.parameters(), lr=0.1)
torch.manual_seed(0)
s = torch.randn(6, 3)
a = torch.tensor([0, 1, 0, 1, 1, 0])
adv = torch.ones(6)
for _ in range(4):
    logp = torch.log_softmax(policy(s), -1).gather(1, a[:, None]).squeeze(1)
    loss = (logp * adv).mean()
    opt.zero_grad()
    loss.backward()  # fault
    opt.step()
""",
        """
import torch
policy = torch.tensor([0.1, -0.2, 0.3], requires_grad=True)
opt = torch.optim.SGD([policy], lr=0.5)
for _ in range(3):
    log_prob = torch.log_softmax(policy, dim=0)[2]
    reward = 2.0
    loss = log_prob * reward
    opt.zero_grad()
    loss.backward()  # fault
    opt.step()
""",
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for _ in range(3):
    loss = -((w - 3.0) ** 2)
    opt.zero_grad()
    loss.backward()  # fault
    opt.step()
print(w)
""",
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
for _ in range(3):
    loss = (w - 3.0) ** 2
    loss.backward()
    with torch.no_grad():
        w += 0.1 * w.grad  # fault
    w.grad = None
""",
        """
import torch
mu = torch.tensor(0.5, requires_grad=True)
opt = torch.optim.SGD([mu], lr=0.1)
for step in range(4):
    log_lik = -0.5 * (mu - 2.0) ** 2
    kl = 0.5 * mu ** 2
    elbo = log_lik - kl
    opt.zero_grad()
    elbo.backward()  # fault
    opt.step()
print("mu:", round(mu.item(), 4))
""",
        """
import torch
theta = torch.tensor([0.5, -0.5], requires_grad=True)
for _ in range(3):
    loss = (theta ** 2).sum()
    loss.backward()
    with torch.no_grad():
        theta.add_(theta.grad, alpha=0.3)  # fault
    theta.grad = None
print([round(v, 3) for v in theta.tolist()])
""",
        """
import torch
theta = torch.tensor([0.0, 0.0, 0.0], requires_grad=True)
opt = torch.optim.Adam([theta], lr=0.1)
rewards = torch.tensor([0.0, 1.0, 0.2])
for _ in range(4):
    probs = torch.softmax(theta, dim=0)
    expected_reward = (probs * rewards).sum()
    opt.zero_grad()
    expected_reward.backward()  # fault
    opt.step()
print("p(best):", round(probs[1].item(), 3))
""",
    ],
}

SOUND = {
    "sign": [
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Linear(4, 6)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(5, 4)
for _ in range(2):
    a, b = net(x), net(x + 0.1)
    scores = torch.log_softmax(a @ b.t(), dim=1)
    loss = -scores.diag().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
import torch.nn as nn
policy = nn.Linear(3, 2)
opt = torch.optim.SGD(policy.parameters(), lr=0.1)
torch.manual_seed(0)
s = torch.randn(6, 3)
a = torch.tensor([0, 1, 0, 1, 1, 0])
adv = torch.ones(6)
for _ in range(4):
    logp = torch.log_softmax(policy(s), -1).gather(1, a[:, None]).squeeze(1)
    loss = -(logp * adv).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
theta = torch.tensor([0.1, 0.2], requires_grad=True)
opt = torch.optim.SGD([theta], lr=0.5)
for _ in range(3):
    loss = -torch.log_softmax(theta, dim=0)[1]
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
theta = torch.tensor(0.1, requires_grad=True)
opt = torch.optim.SGD([theta], lr=0.1, maximize=True)
for _ in range(3):
    reward = -(theta - 2.0) ** 2
    opt.zero_grad()
    reward.backward()
    opt.step()
""",
        """
import torch
mu = torch.tensor(0.5, requires_grad=True)
opt = torch.optim.SGD([mu], lr=0.1)
for step in range(4):
    log_lik = -0.5 * (mu - 2.0) ** 2
    kl = 0.5 * mu ** 2
    elbo = log_lik - kl
    opt.zero_grad()
    (-elbo).backward()
    opt.step()
print("mu:", round(mu.item(), 4))
""",
        """
import torch
theta = torch.tensor([0.5, -0.5], requires_grad=True)
for _ in range(3):
    loss = (theta ** 2).sum()
    loss.backward()
    with torch.no_grad():
        theta.add_(theta.grad, alpha=-0.3)
    theta.grad = None
print([round(v, 3) for v in theta.tolist()])
""",
        """
import torch
theta = torch.tensor([0.0, 0.0, 0.0], requires_grad=True)
opt = torch.optim.Adam([theta], lr=0.1)
rewards = torch.tensor([0.0, 1.0, 0.2])
for _ in range(4):
    probs = torch.softmax(theta, dim=0)
    expected_reward = (probs * rewards).sum()
    opt.zero_grad()
    (-expected_reward).backward()
    opt.step()
print("p(best):", round(probs[1].item(), 3))
""",
    ],
}
