# Backward, again, and once too often
# retain_graph=True keeps the saved values for a second pass. The second pass frees them, so the third one fails.

import torch

x = torch.tensor(3.0, requires_grad=True)
y = x ** 2

y.backward(retain_graph=True)
print(x.grad)

y.backward()
print(x.grad)

y.backward()
