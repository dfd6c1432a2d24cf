# Three outputs need three weights
# backward() alone cannot choose for a vector. Give it an upstream vector, or reduce to one number first.

import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
weights = torch.tensor([1.0, 10.0, 100.0])
y = x ** 2
try:
    y.backward()
except RuntimeError as error:
    print(error)
y.backward(weights)
print("upstream vector", x.grad)
x.grad = None
total = (x ** 2).sum()
total.backward()
print("sum ", x.grad)
x.grad = None
average = (x ** 2).mean()
average.backward()
print("mean", x.grad)
