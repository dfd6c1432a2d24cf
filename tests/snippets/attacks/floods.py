# Too much to say.
#### print without end
while True:
    print("x" * 1000)
#### one huge print
print("x" * (50 * 1024 * 1024))
#### many small prints
for i in range(10 ** 9):
    print(i)
#### graph without end
import torch
x = torch.tensor(1.0, requires_grad=True)
while True:
    x = x * 1.0001
#### many leaves
import torch
keep = []
while True:
    keep.append(torch.tensor(1.0, requires_grad=True))
#### warnings without end
import warnings
i = 0
while True:
    warnings.warn(f"number {i}")
    i += 1
#### many variables
import torch
x = [[float(i) for i in range(50000)] for _ in range(20)]
y = x * 3
#### huge error message
raise ValueError("x" * (50 * 1024 * 1024))
#### list that holds itself
x = []
x.append(x)
#### surrogates
print("\ud800\udfff")
x = "\udc80"
#### backward over and over
import torch
w = torch.ones(10, requires_grad=True)
while True:
    (w * w).sum().backward()
#### message that ends the process
class E(Exception):
    def __str__(self):
        raise SystemExit
raise E
#### parameters that end the process
import torch.nn as nn
class M(nn.Module):
    def named_parameters(self, *a, **k):
        raise SystemExit
m = M()
#### lists that share their items
x = [1]
for i in range(18):
    x = [x, x]
