# The same pattern, layer after layer
# Each layer multiplies by a weight of its own and applies relu. Change depth and only the length changes.

import torch

depth = 2
h = torch.tensor(1.0)
weights = []
for layer in range(depth):
    w = torch.tensor(0.5, requires_grad=True)
    weights.append(w)
    z = w * h
    h = torch.relu(z)
loss = (h - 1) ** 2
loss.backward()
print(depth, "weights,", len([w for w in weights if w.grad is not None]), "gradients")
