"""The outputs of a model, and what `compile` and `fit` say of each: its loss, its metrics, its labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.errors import ValueRefused
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.surfaces.keras.losses import KerasLoss
from engine.languages.surfaces.keras.symbolic import Symbolic, symbols


@dataclass(frozen=True, slots=True)
class Output:
    """One output.

    name:     of one among several; None where there is one alone.
    figures:  what stands before the names of its figures; "" where Keras knows no name for it.
    of_loss:  the name of its loss among the figures, without `_loss`.
    loss:     makes its mean loss of (y_true, y_pred); None where it has none.
    share:    by what its loss is multiplied in the sum of all.
    metrics:  what is followed; `weighted` takes the weights of the examples.
    """

    name: str | None
    loss: Any
    share: float = 1.0
    metrics: Sequence[Any] = ()
    weighted: Sequence[Any] = ()
    figures: str = ""
    of_loss: str | None = None


def names_of(model: UserObject, y_pred: Any) -> list[str | None]:
    """The names of the outputs; by their places where Keras knows none, None for one alone."""
    if not isinstance(y_pred, (list, tuple, Mapping)):
        return [None]
    return [*(known_names(model, y_pred) or (f"output_{place + 1}" for place in range(len(y_pred))))]


def known_names(model: UserObject, y_pred: Any) -> list[str]:
    """The names of several outputs: by key, else of the layers that they come from; else none."""
    if isinstance(y_pred, Mapping):
        return [str(key) for key in y_pred]
    made: list[Symbolic] = list(symbols(model.fields.get("_outputs")))
    return [one.layer.fields["name"] for one in made] if len(made) == len(y_pred) else []


def name_of_loss(given: Any) -> str:
    """What Keras calls a loss: as it was written, else by the name of the object or of the function."""
    if isinstance(given, str):
        return given
    if isinstance(given, UserObject):
        return str(given.fields.get("name", given.kind.name))
    named = given.facts["name"] if isinstance(given, KerasLoss) else getattr(given, "name", "lambda")
    return str(named).rpartition(".")[2].strip("<>")


def in_order(
    given: Any, names: Sequence[str | None], what: str, what_zh: str, *, whole: bool = False
) -> list[Any]:
    """What is given for each output, from a list in their order or a dict of their names.

    whole: whether one thing alone stands for all of them.
    Raises: ValueRefused where it is for other outputs, or for more or fewer of them.
    """
    if given is None or (whole and not isinstance(given, (list, tuple, Mapping))):
        return [given] * len(names)
    if isinstance(given, Mapping):
        unknown = [str(key) for key in given if key not in names]
        if unknown and names != [None]:
            raise _unknown(what, what_zh, unknown[0], names)
        return [given.get(name) for name in names] if names != [None] else _only(given, what, what_zh)
    listed = list(given) if isinstance(given, (list, tuple)) else [given]
    if len(listed) != len(names):
        raise ValueRefused(
            f"The model has {len(names)} outputs, but {len(listed)} {what} were given.",
            message_zh=f"模型有 {len(names)} 个输出，但给出了 {len(listed)} 个{what_zh}。",
            hint="Give one for each output, in a list or by name in a dict.",
            hint_zh="请为每个输出各给一个：用列表，或用以名称为键的字典。",
            code="wrong_arguments",
        )
    return listed


def _only(given: Mapping[Any, Any], what: str, what_zh: str) -> list[Any]:
    return in_order(list(given.values()), [None], what, what_zh)


def _unknown(what: str, what_zh: str, name: str, names: Sequence[str | None]) -> ValueRefused:
    listed = ", ".join(map(str, names))
    return ValueRefused(
        f"There are {what} for an output '{name}', but the outputs are: {listed}.",
        message_zh=f"给出了输出“{name}”的{what_zh}，但模型的输出是：{listed}。",
        code="wrong_arguments",
    )


def values_of(y_pred: Any) -> list[Any]:
    """The outputs one after the other."""
    if isinstance(y_pred, Mapping):
        return list(y_pred.values())
    return list(y_pred) if isinstance(y_pred, (list, tuple)) else [y_pred]


def metrics_in_order(given: Any, names: Sequence[str | None]) -> list[list[Any]]:
    """The metrics of each output; of one output all that are given, in whatever form."""
    if len(names) == 1:
        return [list(_flat(given))]
    return [list(_flat(one)) for one in in_order(given, names, "metrics", "指标")]


def _flat(given: Any) -> Sequence[Any]:
    if given is None:
        return []
    if isinstance(given, (list, tuple, Mapping)):
        listed = given.values() if isinstance(given, Mapping) else given
        return [part for one in listed for part in _flat(one)]
    return [given]


def labels_in_order(y: Any, outputs: Sequence[Output]) -> list[Any]:
    """The labels of each output; where some have no loss, labels may be given for the others alone."""
    names = [one.name for one in outputs]
    with_loss = [one.name for one in outputs if one.loss is not None]
    if isinstance(y, (list, tuple)) and len(y) == len(with_loss) < len(names):
        found = dict(zip(with_loss, y, strict=True))
        return [found.get(name) for name in names]
    return in_order(y, names, "labels", "标签")
