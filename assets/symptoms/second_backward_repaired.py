import torch

rate = torch.tensor(0.3, requires_grad=True)
decay = torch.exp(-rate)
targets = [0.5, 0.25]

level, total = torch.tensor(1.0), 0.0
for target in targets:
    level = level * decay
    loss = (level - target) ** 2
    total = total + loss
total.backward()
print(rate.grad)
