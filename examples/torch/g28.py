import torch

# ln x downhill from 0.05: one step too long leaves the domain.
x = torch.tensor(0.05, requires_grad=True)
optimizer = torch.optim.SGD([x], lr=0.01)
for step in range(3):
    optimizer.zero_grad()
    y = torch.log(x)
    y.backward()
    print(f"x {x.item():.4f}, ln x {y.item():.4f}, slope {x.grad.item():.4f}")
    optimizer.step()
