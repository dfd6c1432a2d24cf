# Each operation knows its own slope
# Click a node to read its rule: 2x at the square, the other factor at the product, 1 at the sum.

import torch

x = torch.tensor(3.0, requires_grad=True)
w = torch.tensor(2.0, requires_grad=True)
u = x ** 2
v = w * u
y = v + 4
y.backward()
print(x.grad, w.grad)
