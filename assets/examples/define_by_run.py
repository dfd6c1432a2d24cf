# A loop and an if, recorded as they ran
# The graph shows the operations of this run only. Change x or rounds and a different graph is recorded.

import torch

x = torch.tensor(2.0, requires_grad=True)
rounds = 3
y = x
for i in range(rounds):
    if y > 5:
        y = y - 3
    else:
        y = y * x
y.backward()
print(y, x.grad)
