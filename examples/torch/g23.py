import torch

# y = x^2 from x = 3: the momentum 0.9 carries x past the minimum and back.
x = torch.tensor(3.0, requires_grad=True)
optimizer = torch.optim.SGD([x], lr=0.02, momentum=0.9)

for step in range(1, 31):
    optimizer.zero_grad()
    y = x ** 2
    y.backward()
    optimizer.step()
    if step % 5 == 0:
        velocity = optimizer.state[x]["momentum_buffer"].item()
        print(f"step {step}: x {x.item():.4f}, v {velocity:.4f}")
