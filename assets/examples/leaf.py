# Where gradients are kept
# After the walk w holds a gradient, and h does because it asked. The frozen and the unused tensor hold None.

import torch

w = torch.tensor(2.0, requires_grad=True)
frozen = torch.tensor(5.0)
unused = torch.tensor(1.0, requires_grad=True)
h = 3 * w
h.retain_grad()
s = h - frozen
y = s ** 2
y.backward()
print("leaves:", w.is_leaf, frozen.is_leaf, unused.is_leaf, " results:", h.is_leaf, s.is_leaf)
print("w", w.grad, " h", h.grad, " frozen", frozen.grad, " unused", unused.grad)
