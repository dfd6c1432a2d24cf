import torch

scale = torch.tensor([0.5, 2.0], requires_grad=True)
gain = scale * 10
gain.retain_grad()
x = torch.tensor([3.0, 1.0])

loss = ((gain * x).sum() - 30.0) ** 2
loss.backward()
print(gain.grad)
