import torch

# The chain rule on two hops: exp passes back its own output, sin needs a cosine.
x = torch.tensor(3.0, requires_grad=True)
y = torch.exp(torch.sin(x))
y.backward()
print(f"y {y.item():.4f}, dy/dx {x.grad.item():.4f}")
