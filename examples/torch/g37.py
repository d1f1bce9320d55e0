import torch

# loss = (w - 3)^2 / 2 from w = 0. Nobody empties w.grad: every turn adds to what is there.
w = torch.tensor(0.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)

for turn in range(5):
    loss = (w - 3) ** 2 / 2
    loss.backward()
    optimizer.step()
    print(f"turn {turn}: w.grad {w.grad.item():.4f}, w {w.item():.4f}")
