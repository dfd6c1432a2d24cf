import torch

hours = torch.tensor([1.0, 2.0, 3.0, 4.0])
marks = torch.tensor([3.0, 5.0, 7.0, 9.0])
slope = torch.tensor(0.0, requires_grad=True)
start = torch.tensor(0.0, requires_grad=True)
optimizer = torch.optim.SGD([slope, start], lr=0.02)

for epoch in range(4):
    optimizer.zero_grad()
    loss = ((slope * hours + start - marks) ** 2).mean()
    loss.backward()
    optimizer.step()
    print(epoch, slope.grad)
