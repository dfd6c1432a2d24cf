# A network of two layers
# Two inputs, three hidden units, one output. Modules appear as boxes around their operations.

import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
net[0].weight = nn.Parameter(torch.tensor([[0.5, -0.3], [0.2, 0.8], [-0.6, 0.1]]))
net[0].bias = nn.Parameter(torch.tensor([0.1, 0.0, -0.2]))
net[2].weight = nn.Parameter(torch.tensor([[0.7, -0.4, 0.9]]))
net[2].bias = nn.Parameter(torch.tensor([0.3]))
x = torch.tensor([[1.0, 2.0], [-1.0, 0.5]])
target = torch.tensor([[1.0], [-1.0]])
out = net(x)
error = out - target
square = error ** 2
loss = square.mean()
loss.backward()
print(loss)
print(net[2].weight.grad)
