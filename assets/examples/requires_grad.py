# Who asked to be tracked
# Only a asks for gradients. The product of b and c leaves no record; what a touches does.

import torch

a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(3.0)
c = torch.tensor(4.0)
plain = b * c
mixed = a * plain
y = mixed + c
print(plain.requires_grad, plain.grad_fn)
print(mixed.requires_grad, y.requires_grad)
y.backward()
print(a.grad, b.grad, c.grad)
