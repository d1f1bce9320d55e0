import torch

# Doubled until it is long enough: the number of turns jumps where a passes 1000/2048.
def length(a):
    b = a * 2
    while b.norm() < 1000:
        b = b * 2
    return b

def slope(start):
    a = torch.tensor(start, requires_grad=True)
    b = length(a)
    b.backward()
    return a.grad

print("at 0.489", slope(0.489).item())
print("at 0.488", slope(0.488).item())

jump, delta = torch.tensor(1000 / 2048, dtype=torch.float64), 1e-3
difference = (length(jump + delta) - length(jump - delta)) / (2 * delta)
print("across the jump %.0f" % difference.item())
