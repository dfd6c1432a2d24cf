# One neuron
# Two weights and a bias through tanh, with a squared error at the end: every gradient in one walk.

import torch

x1 = torch.tensor(2.0)
x2 = torch.tensor(-1.0)
w1 = torch.tensor(0.5, requires_grad=True)
w2 = torch.tensor(-1.5, requires_grad=True)
b = torch.tensor(-2.0, requires_grad=True)
target = torch.tensor(1.0)
p1 = w1 * x1
p2 = w2 * x2
s = p1 + p2
z = s + b
out = torch.tanh(z)
error = out - target
loss = error ** 2
loss.backward()
print(loss)
print(w1.grad, w2.grad, b.grad)
