# A product, not a matrix of slopes
# The upstream of y has two numbers. The rule turns them into three for x without writing down the Jacobian.

import torch

A = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
x = torch.tensor([1.0, 0.0, -1.0], requires_grad=True)
y = A @ x
upstream = torch.tensor([1.0, 10.0])
y.backward(upstream)
print(x.grad)
