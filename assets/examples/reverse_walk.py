# A node waits until its gradient is complete
# s is used by a and by b. It passes nothing on until both have reported; then one walk fills both leaves.

import torch

w = torch.tensor(2.0, requires_grad=True)
x = torch.tensor(3.0, requires_grad=True)
s = w * x
a = s ** 2
b = 5 * s
y = a + b
y.backward()
print(w.grad, x.grad)
