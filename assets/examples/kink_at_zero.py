# Two kinks at zero
# relu and abs have no derivative at 0. A convention decides: both use 0 there.

import torch

x = torch.tensor(0.0, requires_grad=True)
r = torch.relu(x)
a = torch.abs(x)
y = r + a
y.backward()
print(x.grad)
