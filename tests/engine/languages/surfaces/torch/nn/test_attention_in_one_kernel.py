"""MultiheadAttention with and without its weights: the nodes behind it, and what PyTorch 2 refuses of it."""

from __future__ import annotations

import pytest

from tests.engine.languages.surfaces.torch.nn.test_module import printed

HEAD = """
torch.manual_seed(0)
x = torch.randn(3, 2, 8, requires_grad=True)
def names(t):
    nodes = [t.grad_fn]
    for node in nodes:
        nodes += [one for one, _ in node.next_functions if one is not None and one not in nodes]
    return " ".join(node.name().split("Backward")[0].replace("torch::autograd::", "") for node in nodes)
def twice(y):
    g, = torch.autograd.grad(y.square().sum(), x, create_graph=True)
    try:
        return torch.autograd.grad(g.square().sum(), x)[0].shape
    except RuntimeError as e:
        return e
"""
REFUSED = "derivative for aten::_scaled_dot_product_flash_attention_for_cpu_backward is not implemented"
AT_ONCE = (
    "Transpose View Addmm AccumulateGrad View T Permute AccumulateGrad ScaledDotProductFlashAttentionForCpu "
    "View View View Transpose Transpose Transpose View View View Select Select Select Clone Squeeze "
    "Transpose Unsqueeze View Add UnsafeView AccumulateGrad Mm UnsafeView T Clone AccumulateGrad Transpose "
    "AccumulateGrad"
)
WITH_WEIGHTS = (
    "Transpose View Addmm AccumulateGrad UnsafeView T Clone AccumulateGrad Transpose Bmm Softmax Transpose "
    "Bmm View Mul Transpose Select Transpose Transpose Clone View View Squeeze Select Select Transpose "
    "Unsqueeze View Add UnsafeView AccumulateGrad Mm UnsafeView T Clone AccumulateGrad Transpose "
    "AccumulateGrad"
)


@pytest.mark.parametrize(("weights", "expected"), [("False", AT_ONCE), ("True", WITH_WEIGHTS)])
def test_the_nodes_are_those_of_pytorch(weights: str, expected: str) -> None:
    source = f"""{HEAD}
attend = nn.MultiheadAttention(8, 2, batch_first=True)
print(names(attend(x, x, x, need_weights={weights})[0]))
"""
    assert printed(source) == [expected]


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ("nn.MultiheadAttention(8, 2)(x, x, x, need_weights=False)[0]", REFUSED),
        ("nn.MultiheadAttention(8, 2)(x, x, x)[0]", "torch.Size([3, 2, 8])"),
        ("nn.MultiheadAttention(8, 2, dropout=0.5)(x, x, x, need_weights=False)[0]", "torch.Size([3, 2, 8])"),
        ("nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0)(x)", REFUSED),
        ("F.scaled_dot_product_attention(x, x, x)", REFUSED),
    ],
)
def test_second_derivatives_are_refused_where_one_kernel_computes_all(result: str, expected: str) -> None:
    assert printed(f"{HEAD}print(twice({result}))") == [expected]


def test_the_ways_agree_whichever_tensors_are_the_same() -> None:
    source = f"""{HEAD}
attend = nn.MultiheadAttention(8, 2)
y, z = x.clone(), x.clone()
mask, padding = torch.zeros(3, 3), torch.zeros(2, 3, dtype=torch.bool)
mask[0, 2], padding[1, 2] = float("-inf"), True
whole = [attend(*given, attn_mask=mask, key_padding_mask=padding, need_weights=weights)[0]
         for given in ((x, x, x), (x, y, y), (x, y, z)) for weights in (True, False)]
print([torch.allclose(one, whole[0], atol=1e-6) for one in whole])
print(attend(x, x, x, attn_mask=mask)[1][0].detach())
"""
    assert printed(source) == [
        "[True, True, True, True, True, True]",
        "tensor([[0.4903, 0.5097, 0.0000],",
        "        [0.3246, 0.3441, 0.3313],",
        "        [0.3349, 0.3260, 0.3391]])",
    ]
