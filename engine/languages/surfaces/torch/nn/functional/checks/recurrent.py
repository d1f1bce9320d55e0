"""What recurrent layers and cells refuse of their inputs and states, in PyTorch's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.tensor import Tensor

OF_LAYERS = (2, 3)  # axes of an input: alone, and in a batch
OF_CELLS = (1, 2)


def check_layer_settings(facts: Mapping[str, Any]) -> None:
    """Raises: TypeError's and ValueError's messages of PyTorch for sizes and shares out of their bounds."""
    share = facts["dropout"]
    if not (isinstance(share, (int, float)) and not isinstance(share, bool) and 0 <= share <= 1):
        raise _misfit(
            "dropout should be a number in range [0, 1] representing the probability of an element being "
            "zeroed",
            "dropout 必须是 0 与 1 之间的数。",
            "ValueError",
        )
    for name in ("input_size", "hidden_size"):
        if not isinstance(facts[name], int):
            kind = python_name(facts[name])
            raise _misfit(
                f"{name} should be of type int, got: {kind}",
                f"{name} 必须是整数，不能是 {kind}。",
                "TypeError",
            )
    for name in ("hidden_size", "num_layers"):
        if facts[name] <= 0:
            raise _misfit(f"{name} must be greater than zero", f"{name} 必须大于零。", "ValueError")


def check_layer_input(name: str, input: Tensor, width: int, weight: Tensor) -> None:
    """Raises: ValueError for other axes or another element type; RuntimeError for another width."""
    axes = input.form.ndim
    if axes not in OF_LAYERS:
        noun = " tensor" if name == "RNN" else ""
        raise _misfit(
            f"{name}: Expected input to be 2D or 3D, got {axes}D{noun} instead",
            f"{name} 的输入应为 2 维或 3 维，而这里有 {axes} 维。",
            "ValueError",
        )
    if input.dtype is not weight.dtype:
        ours, theirs = (f"torch.{one.dtype.name}" for one in (weight, input))
        raise _misfit(
            f"RNN input dtype ({theirs}) does not match weight dtype ({ours}). Convert input: "
            f"input.to({ours}), or convert model: model.to({theirs})",
            f"输入的类型 {theirs} 与权重的类型 {ours} 不同。",
            "ValueError",
        )
    check_width(input, width)


def check_width(input: Tensor, width: int) -> None:
    """Raises: RuntimeError where the last axis of a layer's input has another length."""
    found = input.form.shape[-1]
    if found != width:
        raise _misfit(
            f"input.size(-1) must be equal to input_size. Expected {width}, got {found}",
            f"输入最后一轴的长度应为 input_size={width}，但得到 {found}。",
        )


def check_layer_states(mode: str, given: Sequence[Tensor], alone: bool) -> None:
    """Raises: RuntimeError where states have other axes than the input."""
    axes = [one.form.ndim for one in given]
    wanted = OF_LAYERS[not alone]
    if all(one == wanted for one in axes):
        return
    kind = "unbatched" if alone else "batched"
    if mode == "LSTM":
        what = f"hx and cx should also be {wanted}-D but got ({axes[0]}-D, {axes[1]}-D) tensors"
    else:
        what = f"hx should also be {wanted}-D but got {axes[0]}-D tensor"
    raise _misfit(
        f"For {kind} {wanted}-D input, {what}", f"输入是 {wanted} 维时，隐藏状态也应是 {wanted} 维。"
    )


def check_layer_sizes(mode: str, given: Sequence[Tensor], shape: tuple[int, ...]) -> None:
    """Raises: RuntimeError where a state has another shape than (layers, batch, hidden)."""
    for place, one in enumerate(given):
        if one.form.shape != shape:
            name = f"hidden[{place}]" if mode == "LSTM" else "hidden"
            raise _misfit(
                f"Expected {name} size {shape}, got {list(one.form.shape)}",
                f"隐藏状态的形状应为 {shape}，但得到 {one.form.shape}。",
            )


def check_cell(name: str, input: Tensor, states: Sequence[Tensor] | None, width: int, hidden: int) -> None:
    """Raises: ValueError for other axes; RuntimeError for another width, batch or hidden size."""
    _check_axes(name, "input", input)
    for place, one in enumerate(states or ()):
        _check_axes(name, f"hx[{place}]" if name == "LSTMCell" else "hidden", one)
    _check_size(input.form.shape[-1], width, "input has inconsistent input_size: got {} expected {}")
    for place, one in enumerate(states or ()):
        rows, own = (1 if t.form.ndim == 1 else t.form.shape[0] for t in (input, one))
        if input.form.ndim != one.form.ndim:  # one row of numbers stands for a batch as long as it is
            own = one.form.shape[0] if one.form.ndim == 1 else own
        _check_size(rows, own, f"Input batch size {{}} doesn't match hidden{place} batch size {{}}")
        last = one.form.shape[-1] if one.form.ndim == input.form.ndim else 1
        _check_size(last, hidden, f"hidden{place} has inconsistent hidden_size: got {{}}, expected {{}}")


def _check_axes(name: str, what: str, tensor: Tensor) -> None:
    axes = tensor.form.ndim
    if axes not in OF_CELLS:
        raise _misfit(
            f"{name}: Expected {what} to be 1D or 2D, got {axes}D instead",
            f"{name} 的 {what} 应为 1 维或 2 维，而这里有 {axes} 维。",
            "ValueError",
        )


def _check_size(found: int, wanted: int, words: str) -> None:
    if found != wanted:
        raise _misfit(words.format(found, wanted), f"长度应为 {wanted}，但得到 {found}。")


def _misfit(words: str, words_zh: str, kind: str = "RuntimeError") -> Any:
    return torch_error(words, words_zh, kind=kind, code="shape_mismatch")
