"""Subscripts, and what takes or puts elements by their places: gather, scatter, sort, topk."""

from engine.languages.surfaces.torch.functions.indexing import combining  # noqa: F401  # for its table
from engine.languages.surfaces.torch.functions.indexing.ordering import (
    argsort,
    bincount,
    kthvalue,
    median,
    msort,
    sort,
    topk,
)
from engine.languages.surfaces.torch.functions.indexing.places import spread, take
from engine.languages.surfaces.torch.functions.indexing.subscripts import getitem, indexed
from engine.languages.surfaces.torch.functions.indexing.taking import (
    argwhere,
    gather,
    index_add,
    index_fill,
    index_select,
    masked_select,
    nonzero,
    scatter,
    scatter_add,
)
from engine.languages.surfaces.torch.functions.indexing.writing import (
    copied,
    copy_,
    fill_,
    index_put,
    of_plain,
    setitem,
    zero_,
)

__all__ = [
    "argsort",
    "argwhere",
    "bincount",
    "copied",
    "copy_",
    "fill_",
    "gather",
    "getitem",
    "index_add",
    "index_fill",
    "index_put",
    "index_select",
    "indexed",
    "kthvalue",
    "masked_select",
    "median",
    "msort",
    "nonzero",
    "of_plain",
    "scatter",
    "scatter_add",
    "setitem",
    "sort",
    "spread",
    "take",
    "topk",
    "zero_",
]
