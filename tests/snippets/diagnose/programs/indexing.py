"""Programs about indices: faults, their line marked, and sound look-alikes."""

FAULTY = {
    "indexing": [
        """
import torch
hist = torch.zeros(3)
bins = torch.tensor([0, 0, 2, 2, 2])
hist[bins] += torch.ones(5)  # fault
print(hist)
""",
        """
import torch
w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = w * 2
y[1:] = torch.tensor([7.0, 8.0])  # fault
y.sum().backward()
print(w.grad)
""",
        """
import torch
a = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
out = a ** 2 + 0
out[0] = 0.0  # fault
out.sum().backward()
print(a.grad)
""",
        """
import torch
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
idx = torch.tensor([0, 0, 1])
out = torch.zeros(2).scatter(0, idx, x)  # fault
print(out.tolist())
out.sum().backward()
print(x.grad)
""",
        """
import torch
acc = torch.zeros(3)
i = torch.tensor([1, 1, 0])
v = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
acc = acc.index_put((i,), v)  # fault
print(acc.tolist())
acc.sum().backward()
print(v.grad)
""",
        """
import torch
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x * x
mask = torch.tensor([True, False, False])
y = y.clone()
y[mask] = 0.0  # fault
y.sum().backward()
print(x.grad)
""",
        """
import torch
counts = torch.zeros(3)
tokens = torch.tensor([2, 2, 2, 1])
counts[tokens] = counts[tokens] + 1  # fault
print(counts.tolist())
""",
    ],
}

SOUND = {
    "indexing": [
        """
import torch
hist = torch.zeros(3)
bins = torch.tensor([0, 1, 2])
hist[bins] += 1
print(hist)
""",
        """
import torch
logits = torch.tensor([[1.0, 2.0, 0.5], [0.1, 0.3, 0.2]], requires_grad=True)
label = torch.tensor([1, 1])
loss = -torch.log_softmax(logits, dim=1)[torch.arange(2), label].mean()
loss.backward()
print(logits.grad)
""",
        """
import torch
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
idx = torch.tensor([0, 0, 1])
out = torch.zeros(2).scatter_add(0, idx, x)
print(out.tolist())
out.sum().backward()
print(x.grad)
""",
        """
import torch
acc = torch.zeros(3)
i = torch.tensor([1, 1, 0])
v = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
acc = acc.index_put((i,), v, accumulate=True)
print(acc.tolist())
acc.sum().backward()
print(v.grad)
""",
        """
import torch
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x * x
mask = torch.tensor([True, False, False])
y = y.clone()
y[mask] = y[mask] * 0.5
y.sum().backward()
print(x.grad)
""",
        """
import torch
counts = torch.zeros(3)
tokens = torch.tensor([2, 2, 2, 1])
counts.index_add_(0, tokens, torch.ones(4))
print(counts.tolist())
""",
    ],
}
