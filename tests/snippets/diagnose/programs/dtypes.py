"""Programs about dtypes: faults, their line marked, and sound look-alikes."""

FAULTY = {
    "dtype": [
        """
import torch
counts = torch.arange(4, requires_grad=True)  # fault
""",
        """
import torch
import torch.nn.functional as F
logits = torch.tensor([[1.0, 2.0], [0.5, 0.1]], requires_grad=True)
labels = torch.tensor([1.0, 0.0])
loss = F.cross_entropy(logits, labels)  # fault
""",
        """
import torch
ages = torch.tensor([20, 30, 40])
print(ages.mean())  # fault
""",
        """
import torch
x = torch.tensor([1, 2, 3])
w = torch.tensor(2.0, requires_grad=True)
centre = x.mean()  # fault
loss = (w * centre) ** 2
loss.backward()
""",
        """
import torch
import torch.nn as nn
w = nn.Parameter(torch.tensor([1, 2, 3]))  # fault
loss = (w * 2).sum()
loss.backward()
""",
    ],
}

SOUND = {
    "dtype": [
        """
import torch
import torch.nn.functional as F
logits = torch.tensor([[1.0, 2.0], [0.5, 0.1]], requires_grad=True)
labels = torch.tensor([1, 0])
F.cross_entropy(logits, labels).backward()
print(logits.grad)
""",
        """
import torch
idx = torch.tensor([2, 0])
w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
w[idx].sum().backward()
print(w.grad)
""",
        """
import torch
t = torch.arange(4.0)
t.requires_grad_(True)
y = (t ** 2).sum()
y.backward()
print(t.grad)
""",
        """
import torch
x = torch.tensor([1, 2, 3])
w = torch.tensor(2.0, requires_grad=True)
centre = x.float().mean()
loss = (w * centre) ** 2
loss.backward()
print(w.grad)
""",
        """
import torch
import torch.nn as nn
w = nn.Parameter(torch.tensor([1.0, 2.0, 3.0]))
loss = (w * 2).sum()
loss.backward()
print(w.grad)
""",
    ],
}
