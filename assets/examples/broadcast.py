# A bias spread over four rows
# The bias has three numbers and is used in four rows, so its gradient is a sum over those rows.

import torch

rows = torch.tensor([[1.0, 2.0, 3.0], [0.0, -1.0, 2.0], [4.0, 0.5, -2.0], [1.0, 1.0, 1.0]])
bias = torch.tensor([0.1, 0.2, 0.3], requires_grad=True)
out = rows + bias
square = out ** 2
loss = square.sum()
loss.backward()
print(bias.grad)
