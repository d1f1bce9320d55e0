import torch

# Gradients that nobody sets back to 0: the same graph, walked back twice.
class Node:
    def __init__(self, value, inputs=()):
        self.value, self.inputs, self.grad = value, inputs, 0

    def __add__(self, other):
        return Node(self.value + other.value, ((self, 1), (other, 1)))

    def __mul__(self, other):
        return Node(self.value * other.value, ((self, other.value), (other, self.value)))

    def backward(self):
        self.grad = 1
        self.send()

    def send(self):
        for node, local in self.inputs:
            node.grad += local * self.grad
        for node, local in self.inputs:
            node.send()

a, b, d = Node(3), Node(2), Node(1)
c = a + b
e = c * d
for number in ("first", "second"):
    e.backward()
    print("%s: a %d, b %d, c %d, d %d" % (number, a.grad, b.grad, c.grad, d.grad))

# PyTorch adds to .grad as well, but sends on only what this pass has brought.
a, b, d = [torch.tensor(value, requires_grad=True) for value in (3.0, 2.0, 1.0)]
c = a + b
c.retain_grad()
e = c * d
for number in ("first", "second"):
    e.backward(retain_graph=True)
    print("PyTorch, %s: a %d, b %d, c %d, d %d" % (number, a.grad, b.grad, c.grad, d.grad))
