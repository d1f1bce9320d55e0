"""What stands behind a recurrent layer's output, node by node, as PyTorch 2 has it."""

from __future__ import annotations

import pytest

from tests.engine.languages.surfaces.torch.nn.test_module import printed

WALK = """
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
def walk(t):
    nodes = [t.grad_fn]
    for node in nodes:
        for following, _ in node.next_functions:
            if following is not None and following not in nodes:
                nodes.append(following)
    for node in nodes:
        names = [f"{nodes.index(one)}.{place}" if one else None for one, place in node.next_functions]
        print(node.name().replace("Backward0", "").replace("torch::autograd::", ""), *names)
torch.manual_seed(0)
x = torch.randn(2, 3, 4)
"""
ONE_CELL = """\
Tanh 1.0
Add 2.0 3.0
Addmm 4.0 None 5.0
Addmm 6.0 None 7.0
AccumulateGrad
T 8.0
AccumulateGrad
T 9.0
AccumulateGrad
AccumulateGrad"""
AT_ONCE = "MkldnnRnnLayer None 1.0 2.0 3.0 4.0 None None" + "\nAccumulateGrad" * 4
LAST_CELL = "Stack 1.2\nMkldnnRnnLayer None 2.0 3.0 4.0 5.0 None None" + "\nAccumulateGrad" * 4
ELMAN = """\
Stack 1.0 2.0
Tanh 3.0
Tanh 4.0
Add 5.0 6.0
Add 7.0 6.1
Addmm 8.0 None 9.0
Unbind 10.0
Addmm 8.0 1.0 11.0
AccumulateGrad
T 12.0
View 13.0
T 12.0
AccumulateGrad
Addmm 14.0 None 15.0
AccumulateGrad
T 16.0
AccumulateGrad"""
PACKED = """\
CopySlices 1.0 2.0
CopySlices None 3.0
View 4.0
View 5.0
Slice 6.0
Slice 6.0
Cat 7.0 8.0
Tanh 9.0
Tanh 10.0
Add 11.0 12.0
Add 13.0 14.0
Mm None 15.0
Slice 16.0
Mm 17.0 18.0
Slice 16.0
T 19.0
Mm 20.0 21.0
Slice 7.0
T 19.0
AccumulateGrad
PackPaddedSequence 22.0
T 23.0
AccumulateGrad
AccumulateGrad"""


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        ("nn.RNN(4, 5)(x)[0]", ELMAN),
        ("nn.LSTM(4, 5)(x)[0]", AT_ONCE),
        ("nn.LSTM(4, 5)(x)[1][1]", LAST_CELL),
        ("nn.RNNCell(4, 5)(x[0])", ONE_CELL),
        (
            "pad_packed_sequence(nn.RNN(4, 5, bias=False)"
            "(pack_padded_sequence(x.requires_grad_(), [2, 2, 1]))[0])[0]",
            PACKED,
        ),
    ],
)
def test_the_nodes_behind_a_recurrent_layer_are_those_of_pytorchs_kernel(of: str, expected: str) -> None:
    assert printed(f"{WALK}walk({of})") == expected.splitlines()


def test_the_gates_of_a_gru_are_split_where_pytorch_splits_them() -> None:
    lines = printed(f"{WALK}walk(nn.GRUCell(4, 5)(x[0]))")
    names = " ".join(line.split()[0] for line in lines[:12])
    assert names == "Add Mul Tanh Sub Sigmoid Add Add UnsafeSplit Mul UnsafeSplit Addmm Sigmoid"


def test_gradients_of_an_lstm_and_of_its_gradients_are_those_of_its_formula() -> None:
    source = f"""{WALK}
layer, cell = nn.LSTM(4, 5), nn.LSTMCell(4, 5)
cell.load_state_dict({{k[:-3]: v for k, v in layer.state_dict().items()}})
x.requires_grad_()
h = c = torch.zeros(3, 5)
outputs = []
for step in x:
    h, c = cell(step, (h, c))
    outputs.append(h)
found = []
for output in (layer(x)[0], torch.stack(outputs)):
    g, = torch.autograd.grad(output.square().sum(), x, create_graph=True)
    found.append((g, torch.autograd.grad(g.square().sum(), x)[0]))
print([torch.allclose(a, b, atol=1e-7) and a.abs().max().item() > 1e-3 for a, b in zip(*found)])
"""
    assert printed(source) == ["[True, True]"]


def test_an_input_that_is_not_contiguous_is_multiplied_without_the_bias_first() -> None:
    source = f"{WALK}walk(nn.Linear(4, 5)(x.transpose(0, 1)))"
    assert printed(source)[:4] == ["Add 1.0 2.0", "UnsafeView 3.0", "AccumulateGrad", "Mm None 4.0"]
