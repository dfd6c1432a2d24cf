# A diamond
# x goes out through two paths and both come together in y, so two contributions come back to x.

import torch

x = torch.tensor(3.0, requires_grad=True)
left = x ** 2
right = 2 * x
y = left + right
y.backward()
print(x.grad)
