import torch

# y = x^2 from x = 3 at five learning rates: which of them come down?
for rate in (0.1, 0.5, 0.9, 1.0, 1.1):
    x = torch.tensor(3.0, requires_grad=True)
    optimizer = torch.optim.SGD([x], lr=rate)
    for step in range(100):
        optimizer.zero_grad()
        y = x ** 2
        y.backward()
        optimizer.step()
    print(f"rate {rate}: x {x.item():.3g} after 100 steps")
