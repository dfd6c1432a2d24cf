import torch

torch.manual_seed(1)
x = torch.tensor([[1.0], [2.0], [3.0]])
y = torch.tensor([[2.0], [4.0], [6.0]])
net = torch.nn.Linear(1, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)

for epoch in range(4):
    loss = torch.nn.functional.mse_loss(net(x), y)
    loss.backward()
    optimizer.zero_grad()
    optimizer.step()
    print(epoch, round(loss.item(), 3))
