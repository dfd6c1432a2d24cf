import torch

w = torch.tensor([0.5, -0.2, 0.1], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
batches = [torch.tensor([1.0, 2.0, 0.0]), torch.tensor([0.0, 1.0, 3.0]), torch.tensor([2.0, 2.0, 1.0])]

total = 0.0
for batch in batches:
    optimizer.zero_grad()
    loss = ((w * batch).sum() - 1.0) ** 2
    loss.backward()
    optimizer.step()
    total += loss.item()
print(total / len(batches))
