# One walk backward, or one run forward per input
# Reverse mode fills three gradients in one pass. Forward mode needs three passes, one for each input.

import torch


def f(a, b, c):
    return a * b + c ** 2


a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(3.0, requires_grad=True)
c = torch.tensor(4.0, requires_grad=True)
y = f(a, b, c)
y.backward()
print("one pass back:", a.grad.item(), b.grad.item(), c.grad.item())

point = (a.detach(), b.detach(), c.detach())
for row in torch.eye(3):
    value, slope = torch.func.jvp(f, point, (row[0], row[1], row[2]))
    print("one pass forward:", slope.item())
