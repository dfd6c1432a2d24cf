# Arithmetic that takes notes
# Step through the forward part: each line adds a node, and grad_fn names the operation that made it.

import torch

x = torch.tensor(2.0, requires_grad=True)
square = x ** 2
triple = 3 * x
y = square + triple
print(y)
for function, index in y.grad_fn.next_functions:
    print(type(function).__name__, "->", type(function.next_functions[0][0]).__name__)
