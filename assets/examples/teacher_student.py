# Only the student learns
# The loss depends on both numbers, but detach cuts the way back to the teacher.

import torch

x = torch.tensor(2.0)
teacher = torch.tensor(3.0, requires_grad=True)
student = torch.tensor(1.0, requires_grad=True)

raw = teacher * x
target = raw.detach()
guess = student * x
gap = guess - target
loss = gap ** 2
loss.backward()
print(student.grad, teacher.grad)
