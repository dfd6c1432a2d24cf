# Two matrix products and what they cost
# Forward does one product a layer. Backward does two at the second layer, but only one at the first: x needs no gradient.

import torch

batch = 4
x = torch.ones(batch, 3)
w1 = torch.full((3, 5), 0.1, requires_grad=True)
w2 = torch.full((5, 2), 0.2, requires_grad=True)

h = x @ w1
out = h @ w2
loss = out.sum()
loss.backward()
print(w1.grad.shape, w2.grad.shape)
