# y = x² + 3x
# A function small enough to differentiate by hand: the slope is 2x + 3, which is 7 at x = 2.

import torch

x = torch.tensor(2.0, requires_grad=True)
square = x ** 2
triple = 3 * x
y = square + triple
print(y)
y.backward()
print(x.grad)
