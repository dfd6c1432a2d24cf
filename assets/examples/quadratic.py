# y = x² + 2x + 1
# Two paths lead from x to y. Step backward and watch 6 and 2 meet at x.

import torch

x = torch.tensor(3.0, requires_grad=True)
u = x ** 2
v = 2 * x
s = u + v
y = s + 1
y.backward()
print(y)
print(x.grad)
