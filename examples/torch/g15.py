import torch

# Autograd differentiates the path that was taken: so many turns, this branch.
def f(a):
    b = a * 2
    while b.norm() < 1000:
        b = b * 2
    return b if b.sum() > 0 else 100 * b

a = torch.tensor(0.5, requires_grad=True)
c = f(a)
c.backward()
print(c.item(), a.grad.item(), (a.grad == c / a).item())
