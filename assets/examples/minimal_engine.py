# A whole engine in thirty lines
# It calls itself once for each path. Change += to = in receive and x ends at 2; PyTorch's answer stays 8.

import torch


class Number:
    def __init__(self, data, sources=(), name="?"):
        self.data, self.grad = data, 0.0
        self.sources, self.name = sources, name

    def __add__(self, right):
        return Number(self.data + right.data, ((self, 1.0), (right, 1.0)), "add")

    def __mul__(self, right):
        return Number(self.data * right.data, ((self, right.data), (right, self.data)), "mul")

    def __pow__(self, power):
        slope = power * self.data ** (power - 1)
        return Number(self.data ** power, ((self, slope),), "pow")

    def receive(self, incoming):
        self.grad += incoming
        print(f"{self.name:>4}  upstream {incoming:4.1f}  grad {self.grad:4.1f}")
        for source, slope in self.sources:
            source.receive(incoming * slope)


start = 3.0
number = Number(start, name="x")
result = number ** 2 + Number(2.0, name="two") * number + Number(1.0, name="one")
result.receive(1.0)

x = torch.tensor(start, requires_grad=True)
u = x ** 2
v = 2 * x
y = u + v + 1
y.backward()
print("thirty lines:", number.grad)
print("PyTorch:", x.grad)
