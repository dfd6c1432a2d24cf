import torch
import torch.nn as nn

torch.manual_seed(3)

class Tower(nn.Module):
    def __init__(self):
        super().__init__()
        self.floors = [nn.Linear(2, 2), nn.Linear(2, 2)]
        self.roof = nn.Linear(2, 1)

    def forward(self, x):
        for floor in self.floors:
            x = torch.tanh(floor(x))
        return self.roof(x)

tower = Tower()
optimizer = torch.optim.SGD(tower.parameters(), lr=0.5)
x, y = torch.tensor([[1.0, 0.0], [0.0, 1.0]]), torch.tensor([[1.0], [-1.0]])
before = tower.floors[0].weight.detach().clone()
for step in range(2):
    optimizer.zero_grad()
    loss = ((tower(x) - y) ** 2).mean()
    loss.backward()
    optimizer.step()
print(tower.floors[0].weight - before)
