# One walk backward, or one run forward per input
# Reverse mode fills three gradients in one pass. Forward mode needs three passes, one for each input.

import torch

a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(3.0, requires_grad=True)
c = torch.tensor(4.0, requires_grad=True)
product = a * b
square = c ** 2
y = product + square
y.backward()
print("one pass back:", a.grad, b.grad, c.grad)


def f(a, b, c):
    return a * b + c ** 2


point = (a.detach(), b.detach(), c.detach())
one, zero = torch.tensor(1.0), torch.tensor(0.0)
for direction in ((one, zero, zero), (zero, one, zero), (zero, zero, one)):
    value, slope = torch.func.jvp(f, point, direction)
    print("one pass forward:", slope)
