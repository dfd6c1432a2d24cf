import torch

here = torch.tensor([1.0, 2.0], requires_grad=True)
there = torch.tensor([[4.0, 6.0], [1.0, 2.0]])

gap = ((here - there) ** 2).sum(dim=1)
distance = (gap + 1e-12).sqrt()
loss = distance.sum()
loss.backward()
print(distance, here.grad)
