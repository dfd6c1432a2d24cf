"""Programs about views kept while their base is overwritten: faults, their line marked, and sound look-alikes."""

FAULTY = {
    "aliasing": [
        """
import torch
x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
tmp = x[0]
x[0] = x[1]  # fault
x[1] = tmp
print(x)
""",
        """
import torch
state = torch.zeros(3)
prev = state[0:2]
state += 1  # fault
print("moved", prev)
""",
        """
import torch
grid = torch.zeros(2, 2)
before = grid.view(4)
grid[1, 1] = 9.0  # fault
print(torch.equal(grid.view(4), before))
""",
        """
import torch
w = torch.ones(4, requires_grad=True)
snaps = []
for i in range(3):
    (w ** 2).sum().backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    w.grad = None
    snaps.append(w[:2])  # fault
print([s.sum().item() for s in snaps])
""",
        """
import torch
window = torch.zeros(4)
deltas = []
for v in [1.0, 4.0, 9.0]:
    last = window[-1]  # fault
    window[-1] = v
    deltas.append(window[-1] - last)
print(deltas)
""",
        """
import torch
buf = torch.zeros(2, 3)
rows = []
for i in range(2):
    buf[0] = float(i)
    rows.append(buf[0])  # fault
w = torch.ones(3, requires_grad=True)
loss = sum((r * w).sum() for r in rows)
loss.backward()
print(w.grad, rows)
""",
        """
import torch
replay = []
obs = torch.zeros(3)
w = torch.ones(3, requires_grad=True)
for t in range(4):
    obs += t
    replay.append(obs)  # fault
loss = (torch.stack(replay) * w).sum()
loss.backward()
print(w.grad)
""",
    ],
    "inplace-silent": [
        """
import torch
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x * 3
first = y[0]
y[0] = 0.0  # fault
loss = first + y.sum()
loss.backward()
""",
        """
import torch
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
h = x + 1
old = h[:2]
h.mul_(2)  # fault
loss = (h[:2] - old).sum()
loss.backward()
""",
        """
import torch
base = torch.randn(2, 3, requires_grad=True)
buf = base * 1.0
first = buf[0]
total = first.sum()
buf[0] = 0.0  # fault
loss = (first * 2).sum() + buf.sum()
loss.backward()
""",
    ],
}

SOUND = {
    "aliasing": [
        """
import torch
buf = torch.zeros(4)
w = torch.ones(2, requires_grad=True)
view = buf[:2]
buf += 1
loss = (view * w).sum() + buf.sum()
loss.backward()
""",
        """
import torch
flat = torch.zeros(6)
W, b = flat[:4].view(2, 2), flat[4:]
flat.copy_(torch.arange(6.0))
x = torch.ones(2, requires_grad=True)
out = (W @ x + b).sum()
out.backward()
print(W, b, flat)
""",
        """
import torch
buf = torch.zeros(3, 2)
rows = []
for i in range(3):
    buf[i] = float(i)
    rows.append(buf[i])
print(torch.stack(rows))
""",
        """
import torch
rows = []
for i in range(3):
    buf = torch.zeros(3)
    buf[0] = float(i)
    rows.append(buf[0])
print(rows)
""",
        """
import torch
x = torch.zeros(4)
a, b = x[0], x[1]
x[2] = 5.0
print(a + x[2], b - x[2])
""",
        """
import torch
p = torch.ones(4, requires_grad=True)
w, b = p[:3], p[3]
loss = (w.sum() + b) ** 2
loss.backward()
with torch.no_grad():
    p -= 0.1 * p.grad
print(p)
""",
        """
import torch
x = torch.zeros(3)
first = x[0]
x[0] = 2.0
print("the view follows", first)
""",
        """
import torch
t = torch.arange(6.0).view(2, 3)
row = t[0]
row += 10
t[1] -= row
print(t)
""",
        """
import torch
x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
tmp = x[0].clone()
x[0] = x[1]
x[1] = tmp
print(x)
""",
        """
import torch
w = torch.ones(4, requires_grad=True)
snaps = []
for i in range(3):
    (w ** 2).sum().backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    w.grad = None
    snaps.append(w[:2].clone())
print([s.sum().item() for s in snaps])
""",
        """
import torch
window = torch.zeros(4)
deltas = []
for v in [1.0, 4.0, 9.0]:
    last = window[-1].clone()
    window[-1] = v
    deltas.append(window[-1] - last)
print(deltas)
""",
    ],
    "inplace-silent": [
        """
import torch
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x * 3
first = y[0].clone()
y[0] = 0.0
loss = first + y.sum()
loss.backward()
""",
        """
import torch
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
h = x + 1
old = h[:2].clone()
h.mul_(2)
loss = (h[:2] - old).sum()
loss.backward()
""",
    ],
}
