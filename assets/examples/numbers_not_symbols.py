# Three ways to one slope
# Autograd's number, a difference quotient that depends on its step, and the formula worked out by hand.

import torch


def f(t):
    return t ** 2 + 3 * t


x = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
step = 0.01
y = f(x)
y.backward()
with torch.no_grad():
    difference = (f(x + step) - f(x)) / step
    by_hand = 2 * x + 3
print("autograd  ", x.grad.item())
print("difference", round(difference.item(), 6))
print("by hand   ", by_hand.item())
