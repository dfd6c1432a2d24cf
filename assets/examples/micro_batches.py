# One batch, or two halves of it
# The gradient of the whole batch, then the same gradient collected from two micro-batches whose losses are scaled by 1/2.

import torch

w = torch.tensor(1.0, requires_grad=True)
x = torch.tensor([1.0, 2.0, 3.0, 4.0])
scale = 0.5

loss = ((w * x) ** 2).mean()
loss.backward()
print(w.grad)

w.grad = None
for half in (x[:2], x[2:]):
    part = ((w * half) ** 2).mean() * scale
    part.backward()
    print(w.grad)
