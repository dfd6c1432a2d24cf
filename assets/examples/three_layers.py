# What three layers keep for backward
# Each tanh keeps its result until the backward pass has used it. The bytes held rise with every layer and with the batch.

import torch

batch = 8
x = torch.ones(batch, 4)
w = torch.full((4, 4), 0.1, requires_grad=True)

h1 = torch.tanh(x @ w)
h2 = torch.tanh(h1 @ w)
h3 = torch.tanh(h2 @ w)
loss = h3.mean()
loss.backward()
print(w.grad.shape)
