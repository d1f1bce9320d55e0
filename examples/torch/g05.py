import torch

# Each partial derivative of a product is the other factor.
x = torch.tensor(50.0, requires_grad=True)
w = torch.tensor(10.0, requires_grad=True)
y = w * x
y.backward()
print([(w.grad.item(), w.item()), (x.grad.item(), x.item())])
