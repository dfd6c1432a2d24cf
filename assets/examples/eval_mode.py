# Batch normalisation in both modes
# In training mode it uses the statistics of the batch, in eval mode the running ones. Both results are recorded.

import torch

x = torch.tensor([[1.0], [3.0]])
norm = torch.nn.BatchNorm1d(1)

train_out = norm(x)
norm.eval()
eval_out = norm(x)
print(train_out)
print(eval_out)

loss = eval_out.sum()
loss.backward()
print(norm.weight.grad)
