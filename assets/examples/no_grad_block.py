# The same square, recorded and not recorded
# y and z have the same value. Only y is on the graph: z was computed under no_grad.

import torch

x = torch.tensor(3.0, requires_grad=True)
y = x ** 2
with torch.no_grad():
    z = x ** 2

print(y.requires_grad, z.requires_grad)
loss = y + z
loss.backward()
print(x.grad)
