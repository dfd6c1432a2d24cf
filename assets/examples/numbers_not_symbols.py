# Three ways to one slope
# Autograd's number, a difference quotient that depends on its step, and the formula worked out by hand.

import torch

step = 0.01
x = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
square = x ** 2
triple = 3 * x
y = square + triple
y.backward()


def f(t):
    return t ** 2 + 3 * t


at = x.item()
difference = (f(at + step) - f(at)) / step
by_hand = 2 * at + 3
print("autograd  ", x.grad)
print("difference", round(difference, 6))
print("by hand   ", by_hand)
