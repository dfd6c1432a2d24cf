import torch

height = torch.tensor([1.2, 1.6, 1.9])
weight = torch.tensor([20.0, 60.0, 95.0])
slope = torch.tensor(40.0, requires_grad=True)

guess = slope * height
error = torch.tensor((guess - weight).tolist())
loss = (error ** 2).mean()
loss.backward()
print(slope.grad)
