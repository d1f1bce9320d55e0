import torch

# Two towers share one parameter; each sees half of the data, and their gradients are averaged.
w = torch.tensor(0.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.01)
halves = [([1.0, 2.0], [2.0, 4.0]), ([3.0, 4.0], [6.0, 8.0])]

tower_grads = []
for inputs, targets in halves:
    loss = ((torch.tensor(targets) - w * torch.tensor(inputs)) ** 2).mean()
    (grad,) = torch.autograd.grad(loss, w)
    tower_grads.append(grad)

average = torch.stack(tower_grads).mean()
print([grad.item() for grad in tower_grads], average.item())
w.grad = average
optimizer.step()
print("w %.2f" % w.item())
