import torch

signal = torch.tensor([0.2, 0.9, -0.4], requires_grad=True)
gate = torch.sigmoid(signal)
gate = gate * 2
energy = (gate ** 2).sum()
energy.backward()
print(signal.grad)
