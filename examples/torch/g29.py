import torch

# With create_graph=True a gradient is part of the graph, so it can be differentiated again.
x = torch.tensor(2.0, requires_grad=True)
y = x * x * x * x
(first,) = torch.autograd.grad(y, x, create_graph=True)
(second,) = torch.autograd.grad(first, x, create_graph=True)
(third,) = torch.autograd.grad(second, x)
print([v.item() for v in (y, first, second, third)])
