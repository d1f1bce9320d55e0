"""What a learner is asked before a step is shown, and what a wrong answer says about how it was found."""

from __future__ import annotations

from engine.programs.lesson.sentence import Sentence, both

WHY: dict[str, tuple[str, str]] = {
    "M1": (
        "the later gradient overwrites the earlier one. Both places act, so both gradients are added",
        "让后到的梯度覆盖先到的。两处都起作用，所以梯度要相加",
    ),
    "M2": (
        "what came back is passed on unchanged. It still has to be multiplied by the local derivative",
        "把上游梯度原样传下去。还要乘以局部导数",
    ),
    "M3": (
        "the local derivative stands alone. It still has to be multiplied by what came back",
        "只取局部导数。还要乘以上游梯度",
    ),
    "M4": (
        "the local derivatives along the path are added. Along a path they are multiplied",
        "把路径上的局部导数相加。沿一条路径应当相乘",
    ),
    "M5": (
        "the gradients of the places are multiplied. Where paths meet, they are added",
        "把各处的梯度相乘。路径汇合时应当相加",
    ),
    "M6": (
        "the derivative is taken at the result. It belongs at the input",
        "在结果处求导数。导数应当在输入处求",
    ),
    "M7": (
        "the factors of the product are swapped. What comes back to one is multiplied by the other",
        "把乘积的两个因子弄反。传回其中一个的梯度要乘以另一个",
    ),
    "M8": (
        "the step goes uphill. To make the loss smaller, the gradient is subtracted",
        "朝上坡走。要让损失变小，应当减去梯度",
    ),
    "M9": (
        "the difference step δ is taken for the learning rate",
        "把差分步长 δ 当成学习率",
    ),
    "M10": (
        "the gradient of the pass before is still there. It has to be cleared first",
        "前一次的梯度没有清零",
    ),
    "M11": (
        "each number is clipped by itself. Clipping by norm scales all of them alike",
        "对每个数单独裁剪。按范数裁剪是把所有的数同比例缩小",
    ),
    "M12": (
        "the gradients are added up. Here their mean is taken",
        "把梯度相加。这里取的是平均值",
    ),
    "M13": (
        "None counts as 0. No path leads there at all, which is not the same as a slope of 0",
        "把 None 当成 0。根本没有路径通到那里，这与斜率为 0 不同",
    ),
    "M14": (
        "each gradient is sent on as soon as it arrives. A quantity waits until all have arrived",
        "一有梯度到达就往下传。应当等所有梯度都到齐",
    ),
    "M15": (
        "the matrix is not transposed. On the way back its rows and columns change places",
        "没有转置矩阵。反向传播时它的行和列要互换",
    ),
    "M16": (
        "the factors change places. In a product of matrices the other factor keeps its side",
        "把两个因子的左右弄反。矩阵乘积中另一个因子要留在原来的一侧",
    ),
}


def why(misconception: str) -> Sentence:
    """What leads to a wrong answer."""
    english, chinese = WHY[misconception]
    cause, stop, rest = chinese.partition("。")
    return both(
        f"That is what you get if {english}.", f"如果{cause}，就会得到这个值{f'；{rest}' if stop else ''}。"
    )


def ask_value(name: str) -> Sentence:
    """A quantity of the forward pass."""
    return both(f"What is {name}?", f"{name} 等于多少？")


def ask_entry(name: str, place: str) -> Sentence:
    """One number of an array."""
    return both(
        f"Which number of {name} stands at [{place}], counted from 0?",
        f"{name} 中位置 [{place}]（从 0 数起）的数是多少？",
    )


def ask_shape(name: str) -> Sentence:
    """The shape of an array."""
    return both(f"Which shape has {name}?", f"{name} 的形状是什么？")


def ask_product(gradient: str) -> Sentence:
    """Which product of matrices a gradient is."""
    return both(f"Which product is {gradient}?", f"{gradient} 是哪个乘积？")


def ask_each(formula: str, to: str) -> Sentence:
    """What an operation sends to each number alike."""
    return both(
        f"What does {formula} send back to each number of {to}?", f"{formula} 向 {to} 的每个数传回多少？"
    )


def ask_start(y: str) -> Sentence:
    """The seed."""
    return both(f"With which number does the way back start at {y}?", f"从 {y} 往回走时，起点是多少？")


def ask_sent(formula: str, to: str) -> Sentence:
    """What an operation sends back."""
    return both(f"What does {formula} send back to {to}?", f"{formula} 向 {to} 传回多少？")


def ask_factor(formula: str, to: str) -> Sentence:
    """By which factor."""
    return both(
        f"By what does {formula} multiply what comes back, on its way to {to}?",
        f"{formula} 把传回的梯度交给 {to} 时，要乘以什么？",
    )


def ask_sum(name: str, count: int) -> Sentence:
    """Several contributions."""
    return both(
        f"{name} is used {count} times, and each use has sent something back. What is its gradient in all?",
        f"{name} 被用了 {count} 次，每次都传回了一部分。它的梯度一共是多少？",
    )


def ask_next() -> Sentence:
    """Which operation goes on."""
    return both("Which operation sends back next?", "接下来由哪个运算传回梯度？")


def must_wait(formula: str, arrived: int, expected: int) -> Sentence:
    """Why another one may not yet."""
    left = expected - arrived
    return both(
        f"{formula} must wait: {left} of its {expected} users have not reported yet.",
        f"{formula} 需要等待：还有 {left}/{expected} 个使用者没有传回梯度。",
    )


def ask_direction(x: str, y: str) -> Sentence:
    """The sign of a gradient."""
    return both(
        f"Raise {x} a little: does {y} rise, fall, or stay as it is?",
        f"{x} 稍微增大，{y} 会变大、变小还是不变？",
    )


def ask_gradient(gradient: str) -> Sentence:
    """A gradient that is asked for."""
    return both(f"What is {gradient}?", f"{gradient} 等于多少？")


def ask_new(name: str) -> Sentence:
    """The value after an update."""
    return both(f"What is {name} after this update?", f"这次更新之后 {name} 是多少？")


def ask_processed(gradient: str) -> Sentence:
    """What processing makes of a gradient."""
    return both(f"What does this step make of {gradient}?", f"这一步把 {gradient} 变成多少？")


def ask_ending(optimizer: str) -> Sentence:
    """How a run ends."""
    return both(
        f"{optimizer} goes on from here with the same rate. Does it converge, oscillate, or diverge?",
        f"{optimizer} 以同样的学习率继续下去。会收敛、振荡，还是发散？",
    )
