# Overwriting a saved value
# exp saves its result for backward, and add_ changes that very number. Set in_place to 0 to add out of place instead.

import torch

x = torch.tensor(2.0, requires_grad=True)
in_place = 1

y = torch.exp(x)
if in_place:
    y.add_(1)
else:
    y = y + 1

y.backward()
print(x.grad)
