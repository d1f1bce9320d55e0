import torch

# Twenty layers, h <- tanh(w * h). What is left of the gradient at the first of them?
x = torch.tensor(1.0, requires_grad=True)
w = torch.tensor(1.0)
h = x
for layer in range(20):
    h = torch.tanh(w * h)
h.backward()
print("dh/dx %.7g" % x.grad.item())
