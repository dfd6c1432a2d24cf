# Two training steps
# Clear the gradients, forward and loss, backward, optimizer step: the four lines, run twice on a model with one weight.

import torch

lr = 0.1
x = torch.tensor([[2.0]])
target = torch.tensor([[4.0]])
model = torch.nn.Linear(1, 1, bias=False)
torch.nn.init.constant_(model.weight, 1.0)
opt = torch.optim.SGD(model.parameters(), lr=lr)

for turn in range(2):
    opt.zero_grad()
    prediction = model(x)
    loss = torch.nn.functional.mse_loss(prediction, target)
    loss.backward()
    opt.step()
    print(loss)
print(model.weight)
