"""What losses refuse, in PyTorch's words and in its order."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.text import to_str
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.operands import no_tensor
from engine.languages.surfaces.torch.sizes import shown
from engine.languages.surfaces.torch.tensor import Tensor

FLAT, OF_PICTURES = 2, 4  # dimensions of scores: one row for each example; one for each point of a picture


def check_sized(*values: Any) -> None:
    """Raises: AttributeError's message of PyTorch where a loss asks what is no tensor for its size."""
    for value in values:
        if not isinstance(value, Tensor):
            kind = python_name(value)
            raise torch_error(
                f"'{kind}' object has no attribute 'size'",
                f"损失函数需要张量，不能是 {kind}。",
                kind="AttributeError",
                hint="Write torch.tensor(…) first.",
                hint_zh="请先写 torch.tensor(…)。",
            )


def check_tensors(function: str, **values: Any) -> None:
    """Raises: TypeError's message of PyTorch for the first of these, in their order, that is no tensor."""
    for position, (name, value) in enumerate(values.items(), 1):
        if not isinstance(value, Tensor):
            raise no_tensor(function, value, name, position)


def check_kernel(kernel: str, dtype: Any) -> None:
    """Raises: NotImplementedError's message of PyTorch where a loss is not computed for whole numbers."""
    if not dtype.is_floating:
        raise torch_error(
            f"\"{kernel}\" not implemented for '{dtype.scalar_name}'",
            f"这个损失函数不能用于 {dtype.scalar_name} 类型。",
            kind="NotImplementedError",
            hint="Write x.float() first.",
            hint_zh="请先写 x.float()。",
        )


def check_threshold(function: str, name: str, value: Any, zero_too: bool) -> None:
    """Raises: RuntimeError's message of PyTorch where a bound between small and large is below zero.

    zero_too: whether the bound may be zero.
    """
    if not (value >= 0 if zero_too else value > 0):
        sign = "negative" if zero_too else "non-positive"
        raise torch_error(
            f"{function} does not support {sign} values for {name}.", f"{function} 的 {name} 必须大于零。"
        )


# -- classes ---------------------------------------------------------------------------------------------


def check_classes(input: Any, target: Any, weight: Any) -> None:
    """Raises: ValueError's and RuntimeError's messages of PyTorch where targets do not fit their scores.

    Shapes: input (C,) or (N, C, *S), target () or (N, *S), weight (C,).
    """
    check_tensors("nll_loss_nd", input=input, target=target)
    scores, classes = tuple(input.shape), tuple(target.shape)
    if len(scores) > 1:
        _check_examples(scores, classes)
    if len(scores) <= FLAT:
        _check_one_each(classes)
    elif len(scores) == OF_PICTURES:
        _check_pictures(scores, classes, target)
    elif classes != (scores[0], *scores[2:]):
        raise _wrong_size(
            f"Expected target size {[scores[0], *scores[2:]]}, got {list(classes)}", scores, classes
        )
    _check_whole(target)
    if len(scores) == 1 and len(classes) == 1 and classes[0] != 1:
        raise _wrong_size(
            f"For 1D input, 1D target must have size 1, but got target size: {classes[0]}",
            scores,
            classes,
            kind="ValueError",
        )
    check_class_weights(weight, input, "")


def _check_examples(scores: tuple[int, ...], classes: tuple[int, ...]) -> None:
    count = classes[0] if classes else 0
    if scores[0] != count:
        raise torch_error(
            f"Expected input batch_size ({scores[0]}) to match target batch_size ({count}).",
            f"输入有 {scores[0]} 个样本，而目标有 {count} 个。",
            kind="ValueError",
            code="shape_mismatch",
        )


def _check_one_each(classes: tuple[int, ...]) -> None:
    if len(classes) > 1:
        raise torch_error(
            "0D or 1D target tensor expected, multi-target not supported",
            "目标必须是 0 维或 1 维：每个样本只有一个类别。",
            code="shape_mismatch",
            hint="One class for each example is wanted: write target.squeeze(1) or target.argmax(1).",
            hint_zh="每个样本需要一个类别：请写 target.squeeze(1) 或 target.argmax(1)。",
        )


def _check_pictures(scores: tuple[int, ...], classes: tuple[int, ...], target: Any) -> None:
    rank = OF_PICTURES - 1
    if len(classes) != rank:
        said = "only batches of spatial targets supported (3D tensors) but got targets of dimension: "
        raise _wrong_size(f"{said}{len(classes)}", scores, classes)
    _check_whole(target)
    if classes != (scores[0], *scores[2:]):
        said = f"size mismatch (got input: {list(scores)} , target: {list(classes)}"
        raise _wrong_size(said, scores, classes)


def _check_whole(target: Any) -> None:
    if target.dtype.name not in ("int64", "uint8"):
        raise torch_error(
            f"expected target dtype to be Long or Byte, but got {target.dtype.scalar_name}",
            "目标类别必须是整数（int64），或与输入同形状的概率。",
            hint="Write target.long().",
            hint_zh="请写 target.long()。",
        )


def _wrong_size(
    said: str, scores: tuple[int, ...], classes: tuple[int, ...], kind: str = "RuntimeError"
) -> Exception:
    return torch_error(
        said,
        f"目标的形状 {list(classes)} 与输入的形状 {list(scores)} 不相配。",
        kind=kind,
        code="shape_mismatch",
    )


def check_class_weights(weight: Any, input: Any, prefix: str) -> None:
    """Raises: RuntimeError's messages of PyTorch where weights are not one number for each class."""
    count = input.shape[0 if input.form.ndim == 1 else 1]
    if weight is None:
        return
    if tuple(weight.shape) != (count,):
        raise torch_error(
            f"{prefix}weight tensor should be defined either for all {count} classes or no classes but got "
            f"weight tensor of shape: {list(weight.shape)}",
            f"weight 需要为 {count} 个类别各给一个数，但形状是 {list(weight.shape)}。",
            code="shape_mismatch",
        )
    if not prefix and weight.dtype is not input.dtype:
        wanted, found = input.dtype.scalar_name, weight.dtype.scalar_name
        raise torch_error(
            f"expected scalar type {wanted} but found {found}",
            f"weight 的类型应为 {wanted}，不能是 {found}。",
        )


def check_class_shares(input: Any, target: Any, weight: Any) -> None:
    """Raises: RuntimeError's messages of PyTorch where a target of the scores' shape holds no shares."""
    if not target.dtype.is_floating:
        raise torch_error(
            "Expected floating point type for target with class probabilities, got "
            f"{target.dtype.scalar_name}",
            "与输入同形状的目标是各类别的概率，必须是浮点数。",
            hint="Write target.float(), or give one class for each example.",
            hint_zh="请写 target.float()，或为每个样本给一个类别。",
        )
    check_class_weights(weight, input, "cross_entropy: ")


def check_smoothing(smoothing: Any) -> None:
    """Raises: RuntimeError's message of PyTorch where no share of the labels can be smoothed so."""
    if not 0 <= smoothing <= 1:
        raise torch_error(
            f"label_smoothing must be between 0.0 and 1.0. Got: {smoothing:g}",
            f"label_smoothing 必须在 0 与 1 之间，但得到 {smoothing:g}。",
        )


# -- probabilities of one class --------------------------------------------------------------------------


def check_shares(input: Any, target: Any) -> None:
    """Raises: RuntimeError's messages of PyTorch where binary cross entropy is given other numbers."""
    check_kernel("binary_cross_entropy", input.dtype)
    if target.dtype is not input.dtype:
        found, wanted = target.dtype.scalar_name, input.dtype.scalar_name
        raise torch_error(
            f"Found dtype {found} but expected {wanted}",
            f"目标的类型是 {found}，但需要 {wanted}。",
            hint="Write target.float().",
            hint_zh="请写 target.float()。",
        )
    for name, one in (("input", input), ("target", target)):
        if not np.all((one.array >= 0) & (one.array <= 1)):
            raise torch_error(
                f"all elements of {name} should be between 0 and 1",
                "输入和目标必须在 0 与 1 之间。",
                hint="Apply torch.sigmoid first, or use binary_cross_entropy_with_logits.",
                hint_zh="请先使用 torch.sigmoid，或改用 binary_cross_entropy_with_logits。",
            )


def check_logits(input: Any, target: Any) -> None:
    """Raises: the messages of PyTorch where scores or targets are no floats."""
    if target.dtype.name == "bool":
        raise torch_error(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or "
            "`logical_xor()` operator instead.",
            "目标不能是 bool 张量。",
            kind="NotImplementedError",
            hint="Write target.float().",
            hint_zh="请写 target.float()。",
        )
    check_kernel("log_sigmoid_cpu", input.dtype)
    if not target.dtype.is_floating:
        wanted, found = input.dtype.scalar_name, target.dtype.scalar_name
        raise torch_error(
            f"result type {wanted} can't be cast to the desired output type {found}",
            f"目标不能是整数类型 {found}。",
            hint="Write target.float().",
            hint_zh="请写 target.float()。",
        )


def check_variances(input: Any, var: Any) -> None:
    """Raises: ValueError's messages of PyTorch where variances do not fit the input, or are below zero."""
    sizes, given = tuple(input.shape), tuple(var.shape)
    fits = given in (sizes, sizes[:-1]) or (sizes[:-1] == given[:-1] and given[-1:] == (1,))
    if not fits:
        raise torch_error(
            "var is of incorrect size", "var 的形状不合适。", kind="ValueError", code="shape_mismatch"
        )
    if np.any(var.array < 0):
        raise torch_error("var has negative entry/entries", "var 中有负数。", kind="ValueError")


# -- margins ---------------------------------------------------------------------------------------------


def check_ranked(input1: Any, input2: Any, target: Any) -> None:
    """Raises: RuntimeError's message of PyTorch where pairs and targets have unlike dimensions."""
    sizes = [one.shape for one in (input1, input2, target)]
    if len({len(one) for one in sizes}) > 1:
        first, second, third = map(shown, sizes)
        raise torch_error(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: "
            f"{first}, input2: {second}, target: {third}",
            "三个张量的维数必须相同。",
            code="shape_mismatch",
        )


def check_triplet(anchor: Any, positive: Any, negative: Any) -> None:
    """Raises: RuntimeError's message of PyTorch where the three have unlike dimensions."""
    ranks = [one.form.ndim for one in (anchor, positive, negative)]
    if len(set(ranks)) > 1:
        raise torch_error(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, "
            f"but got: anchor {ranks[0]}D, positive {ranks[1]}D, and negative {ranks[2]}D inputs",
            "三个张量的维数必须相同。",
            code="shape_mismatch",
        )


def check_margins(input: Any, target: Any, p: int) -> None:
    """Raises: the messages of PyTorch where targets of multi_margin_loss do not fit the scores."""
    check_power(p)
    rows = input.shape[0] if input.form.ndim > 1 else 1
    if tuple(target.shape) not in (((), (1,)) if rows == 1 else ((rows,),)):
        raise torch_error(
            "multi_margin_loss: target tensor should be 1-D with size equal to the number of input samples "
            f"(batch size). Expected target size [{rows}], but got {list(target.shape)}. Input has shape "
            f"{list(input.shape)}.",
            f"目标需要为 {rows} 个样本各给一个类别。",
            code="shape_mismatch",
        )
    if np.any((target.array < 0) | (target.array >= input.shape[-1])):
        raise torch_error("target out of range", "目标类别超出范围。")


def check_power(p: Any) -> None:
    """Raises: ValueError's message of PyTorch where margins are taken to another power than 1 or 2."""
    if p not in (1, 2):
        raise torch_error(
            "only p == 1 and p == 2 supported", f"p 只能是 1 或 2，不能是 {to_str(p)}。", kind="ValueError"
        )
