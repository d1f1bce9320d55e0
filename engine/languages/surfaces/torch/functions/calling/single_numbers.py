"""Functions along an axis, of a tensor without axes: it counts as a row of one number."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.languages.interpreter.builtins.records import like
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor

ALONG_AN_AXIS = frozenset(
    {
        *("sort", "argsort", "topk", "kthvalue", "mode", "cumsum", "cumprod", "cummax", "cummin", "prod"),
        *("logcumsumexp", "median", "nanmedian", "index_select", "msort"),
    }
)


def is_single(name: str, args: Sequence[Any], keywords: Mapping[str, Any]) -> bool:
    """Whether a function along an axis is given a tensor without axes."""
    if name not in ALONG_AN_AXIS or not args or not isinstance(args[0], Tensor) or args[0].form.ndim:
        return False
    return (name != "prod" and name not in ("median", "nanmedian")) or len(args) > 1 or "dim" in keywords


def as_row(call: Callable[..., Any], args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """What a function gives of the row of one number, without that axis again."""
    row = OPERATORS["reshape"](args[0], (1,))
    return _single(call([row, *args[1:]], keywords))


def _single(found: Any) -> Any:
    if isinstance(found, tuple):
        return like(found, [_single(one) for one in found])
    return OPERATORS["reshape"](found, ()) if isinstance(found, Tensor) else found
