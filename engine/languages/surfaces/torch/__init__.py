"""PyTorch's surface: its tensors, its functions and its automatic differentiation, on the engine's graph.

How it works. A `Tensor` (tensor.py) holds a value of the graph, so every function of PyTorch adds the
engine's own nodes; where gradients are recorded, it leaves a `Node` (autograd/nodes.py) behind: PyTorch's
`grad_fn`. `backward` (autograd/engine.py) goes through these nodes in PyTorch's order. The formulas are
written in PyTorch's functions themselves, so they add nodes to the same graph, and can be differentiated
again.

To make a tensor: `of_numbers(array)` of numpy's array, `of_value(tensor)` of a tensor of the graph.

To add a function that has a gradient of its own, write one block in a file of `functions/`:

    @differentiable("SinBackward0", saves="self")
    def sin(self):                       # values of the graph in, a value of the graph out
        return ops.sin(self)

    @sin.backward
    def sin_backward(saved, grad):       # tensors of PyTorch in and out, one gradient for each tensor
        return grad * cos(saved.self)

`sin(tensor)` then takes and gives `Tensor`s. A function that is made of others is a plain function. Either is
entered for programs by `@torch_function("sin", method=True)` of registry.py: as `torch.sin`, as a method, or
with `f=True` as `torch.nn.functional.sin`. What belongs to one run (the mode of recording, a generator)
stands in `state()`. A loop with a pass backward is one turn of the graph, run again and again on the same
nodes (engine/execution/eager/passing.py), so a value that a loop changes belongs into a variable of the
graph: `storage.make_variable`.
"""
