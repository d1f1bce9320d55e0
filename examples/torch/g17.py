import torch

# How many forward runs does the whole gradient of n parameters take?
n = 10

def loss_at(w):
    return ((w - 1.0) ** 2).sum()

w = torch.zeros(n, requires_grad=True)
runs, delta, differences = 0, 0.125, []
steps = delta * torch.eye(n)  # along each axis
with torch.no_grad():
    for ahead, behind in zip(steps, -steps):
        difference = loss_at(ahead).item() - loss_at(behind).item()
        runs += 2
        differences.append(difference / (2 * delta))
print("differences: %d forward runs" % runs)

loss = loss_at(w)
loss.backward()
print("reverse mode: 1 forward run and 1 backward")
print("largest disagreement: %g" % (w.grad - torch.tensor(differences)).abs().max().item())
