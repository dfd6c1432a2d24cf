# Upstream times local, three times
# y = (3x + 1)². At each node the number that came in is multiplied by one local derivative and handed on.

import torch

x = torch.tensor(2.0, requires_grad=True)
u = 3 * x
v = u + 1
y = v ** 2
y.backward()
print(x.grad)
