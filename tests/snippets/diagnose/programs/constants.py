"""Programs about what should be a constant: faults, their line marked, and sound look-alikes."""

FAULTY = {
    "missing-detach": [
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
quick, slow = nn.Linear(4, 3), nn.Linear(4, 3)
opt = torch.optim.SGD(quick.parameters(), lr=0.1)
x = torch.randn(6, 4)
for _ in range(2):
    a = quick(x)
    b = slow(x + 0.1)  # fault
    loss = (a - b).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for p, q in zip(slow.parameters(), quick.parameters()):
            p.lerp_(q, 0.1)
""",
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
class Learner:
    def __init__(self):
        self.q = nn.Linear(3, 2)
        self.opt = torch.optim.SGD(self.q.parameters(), lr=0.1)
    def step(self, s, a, reward, s2):
        ahead = self.q(s2).max(1).values
        wanted = reward + 0.9 * ahead  # fault
        now = self.q(s).gather(1, a[:, None]).squeeze(1)
        loss = nn.functional.mse_loss(now, wanted)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
learner = Learner()
for _ in range(2):
    learner.step(torch.randn(4, 3), torch.tensor([0, 1, 0, 1]), torch.randn(4), torch.randn(4, 3))
""",
        """
import torch
import torch.nn as nn
from torch.distributions import Categorical
torch.manual_seed(0)
body, head, worth = nn.Linear(3, 4), nn.Linear(4, 2), nn.Linear(4, 1)
opt = torch.optim.SGD([*body.parameters(), *head.parameters(), *worth.parameters()], lr=0.1)
s, gained = torch.randn(6, 3), torch.randn(6)
for _ in range(2):
    h = torch.tanh(body(s))
    dist = Categorical(logits=head(h))
    log_prob = dist.log_prob(dist.sample())
    advantage = gained - worth(h).squeeze(-1)  # fault
    loss = -(log_prob * advantage).mean() + advantage.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
maker, judge = nn.Linear(3, 2), nn.Linear(2, 1)
make_opt = torch.optim.SGD(maker.parameters(), lr=0.1)
judge_opt = torch.optim.SGD(judge.parameters(), lr=0.1)
real = torch.randn(4, 2)
for _ in range(2):
    made = maker(torch.randn(4, 3))
    right = judge(real).sigmoid().log().mean()
    wrong = (1 - judge(made).sigmoid()).log().mean()  # fault
    judge_opt.zero_grad()
    (-right - wrong).backward(retain_graph=True)
    judge_opt.step()
    make_opt.zero_grad()
    (-judge(made).sigmoid().log().mean()).backward()
    make_opt.step()
""",
        """
import torch
student = torch.tensor(0.5, requires_grad=True)
teacher = torch.tensor(2.0, requires_grad=True)
x = torch.tensor(3.0)
target = teacher * x  # fault
loss = (student * x - target) ** 2
loss.backward()
print(teacher.grad)
""",
        """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
snapshot = w.clone()  # fault
loss = ((w - 1) ** 2).sum() + (snapshot * 0.5).sum()
loss.backward()
print(w.grad)
""",
        """
import torch
enc = torch.tensor(1.5, requires_grad=True)
z = enc * 2
loss = z ** 2
z.detach_()  # fault
loss.backward()
print(enc.grad)
""",
        """
import torch
actor = torch.tensor(0.3, requires_grad=True)
critic = torch.tensor(0.7, requires_grad=True)
action = actor * 2  # fault
critic_loss = (critic * action - 1) ** 2
critic_loss.backward()
print(actor.grad)
""",
        """
import torch
import torch.nn as nn
q = nn.Linear(2, 2, bias=False)
with torch.no_grad():
    q.weight.copy_(torch.tensor([[1.0, 0.0], [0.0, 1.0]]))
s = torch.tensor([[1.0, 0.5]]); s2 = torch.tensor([[0.5, 1.0]])
target = 1.0 + 0.9 * q(s2).max(dim=1).values  # fault
loss = (q(s)[:, 0] - target).pow(2).mean()
loss.backward()
print(q.weight.grad)
""",
        """
import torch
policy = torch.tensor([0.2, 0.1], requires_grad=True)
value = torch.tensor(0.5, requires_grad=True)
logp = torch.log_softmax(policy, dim=0)[0]
advantage = 2.0 - value  # fault
actor_loss = -logp * advantage
actor_loss.backward()
print("policy.grad:", [round(v, 4) for v in policy.grad.tolist()])
print("value.grad:", value.grad)
""",
        """
import torch
w = torch.tensor([1.0, 3.0], requires_grad=True)
target = torch.tensor([0.0, 1.0])
err = (w - target) ** 2
weight = err / err.sum()  # fault
loss = (weight * err).sum()
loss.backward()
print(w.grad)
""",
        """
import torch
import torch.nn as nn
student = nn.Linear(2, 2)
teacher = nn.Linear(2, 2)
with torch.no_grad():
    for p in [*student.parameters(), *teacher.parameters()]:
        p.fill_(0.3)
    teacher.weight[0, 0] = 1.0
x = torch.tensor([[1.0, 2.0]])
soft = torch.softmax(teacher(x), dim=1)  # fault
loss = -(soft * torch.log_softmax(student(x), dim=1)).sum()
loss.backward()
print("teacher touched:", teacher.weight.grad is not None)
""",
        """
import torch
import torch.nn as nn
online = nn.Linear(2, 2); target_net = nn.Linear(2, 2)
for p in [*online.parameters(), *target_net.parameters()]:
    nn.init.constant_(p, 0.2)
opt = torch.optim.SGD(online.parameters(), lr=0.1)
a = torch.tensor([[1.0, 0.0]]); b = torch.tensor([[0.9, 0.1]])
for _ in range(2):
    p = online(a)
    z = target_net(b)  # fault
    loss = (p - z).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(target_net.weight.grad is not None)
""",
    ],
    "over-cancelled-gradient": [
        """
import torch
x = torch.tensor([0.3, 0.8], requires_grad=True)
hard = torch.round(x)
straight = x + (hard - x)  # fault
straight.sum().backward()
print(x.grad)
""",
        """
import torch
v = torch.tensor([1.0, 2.0], requires_grad=True)
ratio = v / v  # fault
ratio.sum().backward()
print(v.grad)
""",
        """
import torch
logp = torch.tensor([-1.0, -0.5], requires_grad=True)
weight = torch.exp(logp - logp)  # fault
weight.sum().backward()
print(logp.grad)
""",
        """
import torch
x = torch.tensor([0.2, 0.7], requires_grad=True)
hard = (x > 0.5).float()
y = hard - x + x  # fault
loss = (y * torch.tensor([1.0, 2.0])).sum()
loss.backward()
print(x.grad)
""",
        """
import torch
theta = torch.tensor([0.1, 0.4], requires_grad=True)
logp = torch.log_softmax(theta, dim=0)[0]
ratio = torch.exp(logp - logp)  # fault
loss = -ratio * 1.5
loss.backward()
print(theta.grad)
""",
        """
import torch
z = torch.tensor([0.3, 0.9], requires_grad=True)
soft = torch.softmax(z, dim=0)
hard = torch.tensor([0.0, 1.0])
y = hard + soft - soft  # fault
loss = (y * torch.tensor([1.0, 3.0])).sum()
loss.backward()
print(z.grad)
""",
        """
import torch
theta = torch.tensor([0.1, 0.3], requires_grad=True)
new = torch.log_softmax(theta, dim=0)[1]
old = torch.log_softmax(theta, dim=0)[1]
ratio = torch.exp(new - old)  # fault
loss = -(ratio * 2.0)
loss.backward()
print(theta.grad)
""",
    ],
}

SOUND = {
    "missing-detach": [
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
quick, slow = nn.Linear(4, 3), nn.Linear(4, 3)
opt = torch.optim.SGD(quick.parameters(), lr=0.1)
x = torch.randn(6, 4)
for _ in range(2):
    a = quick(x)
    b = slow(x + 0.1)
    loss = (a - b.detach()).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for p, q in zip(slow.parameters(), quick.parameters()):
            p.lerp_(q, 0.1)
""",
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
class Learner:
    def __init__(self):
        self.q = nn.Linear(3, 2)
        self.opt = torch.optim.SGD(self.q.parameters(), lr=0.1)
    def step(self, s, a, reward, s2):
        ahead = self.q(s2).max(1).values.detach()
        wanted = reward + 0.9 * ahead
        now = self.q(s).gather(1, a[:, None]).squeeze(1)
        loss = nn.functional.mse_loss(now, wanted)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
learner = Learner()
for _ in range(2):
    learner.step(torch.randn(4, 3), torch.tensor([0, 1, 0, 1]), torch.randn(4), torch.randn(4, 3))
""",
        """
import torch
import torch.nn as nn
from torch.distributions import Categorical
torch.manual_seed(0)
body, head, worth = nn.Linear(3, 4), nn.Linear(4, 2), nn.Linear(4, 1)
opt = torch.optim.SGD([*body.parameters(), *head.parameters(), *worth.parameters()], lr=0.1)
s, gained = torch.randn(6, 3), torch.randn(6)
for _ in range(2):
    h = torch.tanh(body(s))
    dist = Categorical(logits=head(h))
    log_prob = dist.log_prob(dist.sample())
    advantage = gained - worth(h).squeeze(-1)
    loss = -(log_prob * advantage.detach()).mean() + advantage.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
class Q(nn.Module):
    def __init__(self):
        super().__init__()
        self.of_state, self.of_action, self.out = nn.Linear(3, 4), nn.Linear(1, 4), nn.Linear(4, 1)
    def forward(self, s, a):
        return self.out(torch.tanh(self.of_state(s) + self.of_action(a)))
actor, critic = nn.Linear(3, 1), Q()
actor_opt = torch.optim.Adam(actor.parameters())
critic_opt = torch.optim.Adam(critic.parameters())
s, r = torch.randn(5, 3), torch.randn(5, 1)
for _ in range(2):
    critic_opt.zero_grad()
    nn.functional.mse_loss(critic(s, actor(s).detach()), r).backward()
    critic_opt.step()
    actor_opt.zero_grad()
    (-critic(s, actor(s)).mean()).backward()
    actor_opt.step()
""",
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
maker, judge = nn.Linear(3, 2), nn.Linear(2, 1)
make_opt = torch.optim.SGD(maker.parameters(), lr=0.1)
judge_opt = torch.optim.SGD(judge.parameters(), lr=0.1)
real = torch.randn(4, 2)
for _ in range(2):
    made = maker(torch.randn(4, 3))
    right = judge(real).sigmoid().log().mean()
    wrong = (1 - judge(made.detach()).sigmoid()).log().mean()
    judge_opt.zero_grad()
    (-right - wrong).backward(retain_graph=False)
    judge_opt.step()
    make_opt.zero_grad()
    (-judge(made).sigmoid().log().mean()).backward()
    make_opt.step()
""",
        """
import torch
student = torch.tensor(0.5, requires_grad=True)
teacher = torch.tensor(2.0, requires_grad=True)
x = torch.tensor(3.0)
target = (teacher * x).detach()
loss = (student * x - target) ** 2
loss.backward()
print(teacher.grad)
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x.clone()
y[0] = 5.0
y.sum().backward()
print(x.grad)
""",
        """
import torch
gen = torch.tensor(0.5, requires_grad=True)
dis = torch.tensor(1.0, requires_grad=True)
og = torch.optim.SGD([gen], lr=0.1)
od = torch.optim.SGD([dis], lr=0.1)
for _ in range(2):
    fake = gen * 2.0
    d_loss = (dis * fake.detach()) ** 2 + (dis * 3.0 - 1) ** 2
    od.zero_grad()
    d_loss.backward()
    od.step()
    g_loss = (dis * (gen * 2.0) - 1) ** 2
    og.zero_grad()
    g_loss.backward()
    og.step()
""",
        """
import torch
import torch.nn as nn
q = nn.Linear(2, 2, bias=False)
with torch.no_grad():
    q.weight.copy_(torch.tensor([[1.0, 0.0], [0.0, 1.0]]))
s = torch.tensor([[1.0, 0.5]]); s2 = torch.tensor([[0.5, 1.0]])
with torch.no_grad():
    target = 1.0 + 0.9 * q(s2).max(dim=1).values
loss = (q(s)[:, 0] - target).pow(2).mean()
loss.backward()
print(q.weight.grad)
""",
        """
import torch
policy = torch.tensor([0.2, 0.1], requires_grad=True)
value = torch.tensor(0.5, requires_grad=True)
logp = torch.log_softmax(policy, dim=0)[0]
advantage = 2.0 - value.detach()
actor_loss = -logp * advantage
actor_loss.backward()
print("policy.grad:", [round(v, 4) for v in policy.grad.tolist()])
print("value.grad:", value.grad)
""",
        """
import torch
w = torch.tensor([1.0, 3.0], requires_grad=True)
target = torch.tensor([0.0, 1.0])
err = (w - target) ** 2
weight = (err / err.sum()).detach()
loss = (weight * err).sum()
loss.backward()
print(w.grad)
""",
        """
import torch
import torch.nn as nn
student = nn.Linear(2, 2)
teacher = nn.Linear(2, 2)
with torch.no_grad():
    for p in [*student.parameters(), *teacher.parameters()]:
        p.fill_(0.3)
    teacher.weight[0, 0] = 1.0
x = torch.tensor([[1.0, 2.0]])
soft = torch.softmax(teacher(x), dim=1).detach()
loss = -(soft * torch.log_softmax(student(x), dim=1)).sum()
loss.backward()
print("teacher touched:", teacher.weight.grad is not None)
""",
        """
import torch
import torch.nn as nn
online = nn.Linear(2, 2); target_net = nn.Linear(2, 2)
for p in [*online.parameters(), *target_net.parameters()]:
    nn.init.constant_(p, 0.2)
opt = torch.optim.SGD(online.parameters(), lr=0.1)
a = torch.tensor([[1.0, 0.0]]); b = torch.tensor([[0.9, 0.1]])
for _ in range(2):
    p = online(a)
    z = target_net(b).detach()
    loss = (p - z).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(target_net.weight.grad is not None)
""",
    ],
    "over-cancelled-gradient": [
        """
import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Linear(3, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
a, far = torch.randn(4, 3), torch.randn(4, 3)
near = a.clone()
for _ in range(2):
    u, v, w = net(a), net(near), net(far)
    loss = torch.relu((u - v).pow(2).sum(1) - (u - w).pow(2).sum(1) + 20.0).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        """
import torch
x = torch.tensor([1.0, 2.0, 4.0], requires_grad=True)
centred = x - x.mean()
loss = (centred ** 2).sum()
loss.backward()
print(x.grad)
""",
        """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
probs = torch.softmax(x, dim=0)
probs.sum().backward()
print(x.grad)
""",
        """
import torch
x = torch.tensor([0.2, 0.7], requires_grad=True)
hard = (x > 0.5).float()
straight = x + (hard - x).detach()
loss = ((straight - 1.0) ** 2).sum()
loss.backward()
print(x.grad)
""",
        """
import torch
x = torch.tensor([0.2, 0.7], requires_grad=True)
hard = (x > 0.5).float()
y = (hard - x).detach() + x
loss = (y * torch.tensor([1.0, 2.0])).sum()
loss.backward()
print(x.grad)
""",
        """
import torch
theta = torch.tensor([0.1, 0.4], requires_grad=True)
logp = torch.log_softmax(theta, dim=0)[0]
ratio = torch.exp(logp - logp.detach())
loss = -ratio * 1.5
loss.backward()
print([round(v, 4) for v in theta.grad.tolist()])
""",
        """
import torch
z = torch.tensor([0.3, 0.9], requires_grad=True)
soft = torch.softmax(z, dim=0)
hard = torch.tensor([0.0, 1.0])
y = hard + soft - soft.detach()
loss = (y * torch.tensor([1.0, 3.0])).sum()
loss.backward()
print(z.grad)
""",
        """
import torch
theta = torch.tensor([0.1, 0.3], requires_grad=True)
new = torch.log_softmax(theta, dim=0)[1]
old = torch.log_softmax(theta, dim=0)[1].detach()
ratio = torch.exp(new - old)
loss = -(ratio * 2.0)
loss.backward()
print([round(v, 3) for v in theta.grad.tolist()])
""",
    ],
}
