# Two branches, one of them recorded
# The if runs as ordinary Python. Set temperature below 0.5 and another graph is recorded.

import torch

temperature = 0.8
x = torch.tensor(1.5, requires_grad=True)
if temperature > 0.5:
    shifted = x - 1
    output = shifted ** 2
else:
    output = 4 * x
output.backward()
print(output, x.grad)
