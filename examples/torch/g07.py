import torch

# Clip every gradient to norm 5 between backward() and step().
x = torch.tensor(50.0)
w = torch.tensor(10.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
y = w * x
y.backward()
torch.nn.utils.clip_grad_norm_([w], 5)
print([(round(w.grad.item(), 4), w.item())])
optimizer.step()
print([x.item(), w.item(), (w * x).item()])
