# Two batches, one .grad
# Each backward pass adds its gradient to what .grad already holds. Set clear to 1 to empty .grad in between.

import torch

w = torch.tensor(1.0, requires_grad=True)
clear = 0

first = 0.3 * w
first.backward()
print(w.grad)

if clear:
    w.grad = None

second = -0.1 * w
second.backward()
print(w.grad)
