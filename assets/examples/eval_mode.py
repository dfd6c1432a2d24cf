# Dropout in both modes
# In training mode it masks, with p = 1 everything; in eval mode it lets all through. Both results are recorded.

import torch

x = torch.tensor(2.0)
w = torch.tensor(3.0, requires_grad=True)
p = 1.0
drop = torch.nn.Dropout(p)

train_out = drop(w * x)
drop.eval()
eval_out = drop(w * x)
print(train_out, eval_out)

loss = eval_out ** 2
loss.backward()
print(w.grad)
