import torch

# The smallest graph there is: one function, one leaf.
x = torch.tensor(3.0, requires_grad=True)
y = torch.sin(x)
y.backward()
print(f"y {y.item():.4f}, dy/dx {x.grad.item():.4f}")
