"""Sentences about what one call of PyTorch computes with several nodes: convolution, pooling, losses.

They follow the name of the call's node of autograd. What a sentence says of the numbers is held against
them: where settings such as weights of classes change the rule, the general sentence stands.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.ops.base.tensors import Array
from engine.programs.lesson.mathematics.sentences.array_changes import through_rule
from engine.programs.lesson.mathematics.sentences.returning import Returning
from engine.programs.lesson.sentence import Sentence, both


def convolved(back: Returning) -> Sentence:
    """A filter that is used at every place."""
    english, chinese = [], []
    for sent in back.sent:
        if sent.place == 0:
            english.append(
                f"each number of {sent.to} gets, from all windows in which it was, what comes back to them "
                "times the filter's number that lay on it"
            )
            chinese.append(
                f"{sent.to} 的每个数从它所在的所有窗口得到：传回窗口的梯度乘以落在它上面的卷积核的数，再相加"
            )
        else:
            english.append(
                f"each number of {sent.to} gets, from all places of the filter, what comes back to them "
                "times the number that lay under it"
            )
            chinese.append(f"{sent.to} 的每个数从卷积核的所有位置得到：传回的梯度乘以落在它下面的数，再相加")
    return both(
        "The filter slides over its input and multiplies and adds up at every place: "
        f"{' and '.join(english)}, all added up.",
        f"卷积核在输入上滑动，在每个位置相乘再相加：{'；'.join(chinese)}。",
    )


def pooled(back: Returning) -> Sentence:
    """The largest number of each window."""
    to = back.sent[0].to
    return both(
        f"Only the largest number of each window of {to} decides, so what comes back to a window goes to it "
        "alone and the others get 0.",
        f"{to} 的每个窗口中只有最大的数起作用，所以传回窗口的梯度只给它，其余得到 0。",
    )


def cross_entropy_mean(back: Returning) -> Sentence:
    """The mean of the cross entropies of rows, from numbers before the softmax: (p − t) / n."""
    sent, count = back.sent[0], _count(back)
    if len(back.sent) != 1 or count is None or not _is_probability_less_target(back, count):
        return through_rule(back)
    return both(
        f"Softmax with cross entropy, the mean of {count} rows: each row of {sent.to} gets (p − t) / {count},"
        " the probabilities that it predicts minus the right ones, times what comes back.",
        f"softmax 与交叉熵合起来，再对 {count} 行求平均：{sent.to} 的每一行得到 (p − t) / {count}，"
        "即预测的概率减去正确的概率，再乘以传回的梯度。",
    )


def mean_of_squares(back: Returning) -> Sentence:
    """The mean of squared differences: 2 (x − y) / n."""
    sent = back.sent[0]
    value, upstream = sent.value, back.upstream
    others = [v for name, v in zip(back.inputs, back.values, strict=True) if name != sent.to]
    own = [v for name, v in zip(back.inputs, back.values, strict=True) if name == sent.to]
    if len(back.sent) != 1 or len(others) != 1 or len(own) != 1 or value is None or upstream is None:
        return through_rule(back)
    target, given = others[0], own[0]
    if target is None or given is None or target.shape != value.shape:
        return through_rule(back)
    if not np.allclose(value, upstream * 2 * (given - target) / value.size, rtol=1e-4, atol=1e-6):
        return through_rule(back)
    name = next(name for name in back.inputs if name != sent.to)
    return both(
        f"The mean of {value.size} squares: each number of {sent.to} gets 2 · ({sent.to} − {name}) / "
        f"{value.size}, twice its distance from the target, times what comes back.",
        f"{value.size} 个平方的平均：{sent.to} 的每个数得到 2 · ({sent.to} − {name}) / {value.size}，"
        "即它与目标之差的两倍除以个数，再乘以传回的梯度。",
    )


def _count(back: Returning) -> int | None:
    """The rows of a table of numbers for classes."""
    value = back.sent[0].value
    return value.shape[0] if value is not None and value.ndim == 2 else None


def _is_probability_less_target(back: Returning, count: int) -> bool:
    """Whether what is sent is (p − t) / n, with one 1 in each row of t."""
    given = next(
        (v for name, v in zip(back.inputs, back.values, strict=True) if name == back.sent[0].to), None
    )
    sent, upstream = back.sent[0].value, back.upstream
    if given is None or sent is None or upstream is None or upstream.size != 1 or not upstream.all():
        return False
    targets = _softmax(given) - count * sent / upstream
    is_there = np.isclose(targets, 1, atol=1e-3)
    return bool(np.all(is_there.sum(axis=1) == 1) and np.allclose(targets[~is_there], 0, atol=1e-3))


def _softmax(rows: Array) -> Array:
    powers = np.exp(rows - rows.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


BY_FUNCTION: dict[str, Callable[[Returning], Sentence]] = {
    **dict.fromkeys(("MaxPool2DWithIndicesBackward0", "MaxPool3DWithIndicesBackward0"), pooled),
    **dict.fromkeys(("AdaptiveMaxPool2DBackward0", "AdaptiveMaxPool3DBackward0"), pooled),
    "NllLossBackward0": cross_entropy_mean,
    "MseLossBackward0": mean_of_squares,
}
