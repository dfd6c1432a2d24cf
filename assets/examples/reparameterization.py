# A draw that learns
# The noise is drawn first and has no history. Mean and spread turn it into z, so both get a gradient: that is what
# rsample() of torch.distributions does, and what sample() does not.

import torch

mean = torch.tensor(0.5, requires_grad=True)
log_std = torch.tensor(0.0, requires_grad=True)
noise = torch.tensor(0.8)
z = mean + log_std.exp() * noise
loss = (z - 2.0) ** 2
loss.backward()
print(mean.grad, log_std.grad)
