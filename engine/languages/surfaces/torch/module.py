"""The `torch` module of a program: everything that the files of this surface have entered."""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.builtins.functions import KINDS_OF, Kind
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.values import Ignored, Module
from engine.languages.surfaces.library import Library
from engine.languages.surfaces.torch import interpreting, text  # noqa: F401  # for their tables
from engine.languages.surfaces.torch.autograd import (  # noqa: F401  # for their tables
    calls,
    custom,
    hooks,
    modes,
    node_members,
    saved_hooks,
)
from engine.languages.surfaces.torch.data import loading  # noqa: F401  # for its tables
from engine.languages.surfaces.torch.distributions import module as distributions  # noqa: F401  # for its table
from engine.languages.surfaces.torch.dtypes import BY_NAME, DType
from engine.languages.surfaces.torch.functional import (  # noqa: F401  # for their tables
    checking,
    checkpoints,
    derivatives,
    mapping,
    modules,
    testing,
    transforms,
)
from engine.languages.surfaces.torch.functions import (  # noqa: F401  # for their tables
    activations,
    bounding,
    comparison,
    indexing,
    losses,
    matrices,
    methods,
    pairs,
    powers,
    reductions,
    shaping,
    softmax,
    three_at_once,
)
from engine.languages.surfaces.torch.functions.arithmetic import (  # noqa: F401  # for their tables
    products,
    quotients,
    signs,
    sums,
)
from engine.languages.surfaces.torch.functions.complex_numbers import (  # noqa: F401  # for their tables
    eigenvalues,
    fourier,
    parts,
)
from engine.languages.surfaces.torch.functions.creation import alike
from engine.languages.surfaces.torch.functions.elementwise import (  # noqa: F401  # for their tables
    exponentials,
    rounding,
    special,
    trigonometry,
)
from engine.languages.surfaces.torch.functions.further import (  # noqa: F401  # for their tables
    arrangements,
    backends,
    decompositions,
    extras,
    least_squares,
    left_out,
    names,
    numpy_calls,
    precision,
    quantiles,
    sequences,
    settings,
    statistics,
    triangles,
    vectors,
)
from engine.languages.surfaces.torch.functions.matrices import diagonals  # noqa: F401  # for its table
from engine.languages.surfaces.torch.functions.shaping import addresses  # noqa: F401  # for its table
from engine.languages.surfaces.torch.looping import body as looping  # noqa: F401  # for its table
from engine.languages.surfaces.torch.looping.chain import LateTensor
from engine.languages.surfaces.torch.nn import module_files, module_names  # noqa: F401  # for their tables
from engine.languages.surfaces.torch.optim import module as optim  # noqa: F401  # for its table
from engine.languages.surfaces.torch.random import (  # noqa: F401  # for their tables
    counting,
    filling,
    making,
    outcomes,
)
from engine.languages.surfaces.torch.registry import TORCH, torch_value
from engine.languages.surfaces.torch.sizes import Size, whole
from engine.languages.surfaces.torch.tensor import Tensor

TORCH_VERSION = "2.14.1"
for _name, _dtype in BY_NAME.items():
    torch_value(_dtype, _name)
torch_value(TORCH_VERSION, "__version__")
torch_value(3.141592653589793, "pi")
torch_value(2.718281828459045, "e")
torch_value(float("inf"), "inf")
torch_value(float("nan"), "nan")
torch_value(None, "newaxis")
torch_value(Ignored("SummaryWriter"), "utils.tensorboard.SummaryWriter")


SIZE = Kind("torch.Size", lambda given=(): Size(map(whole, iterate(given))), (Size,))
DTYPE = Kind("torch.dtype", lambda: None, (DType,))
TENSOR = Kind("torch.Tensor", alike.plain_tensor, (Tensor,))
KINDS_OF.update({Size: SIZE, DType: DTYPE, Tensor: TENSOR, LateTensor: TENSOR})
for _kind in (SIZE, DTYPE, TENSOR):
    torch_value(_kind, _kind.short_name)


def _homes() -> dict[UserClass, str]:
    """The module that each class stands in: the longest of the paths that lead to it."""
    paths: dict[UserClass, str] = {}
    for path, kind in TORCH.items():
        if isinstance(kind, UserClass) and path.count(".") >= paths.get(kind, "").count("."):
            paths[kind] = path
    return {kind: f"torch.{path.rpartition('.')[0]}".rstrip(".") for kind, path in paths.items()}


for _class, _home in _homes().items():
    _class.home = _class.home or _home


FUNCTIONAL = (  # what `torch.functional` has of `torch`
    *("atleast_1d", "atleast_2d", "atleast_3d", "broadcast_shapes", "broadcast_tensors", "cartesian_prod"),
    *("block_diag", "cdist", "chain_matmul", "einsum", "istft", "lu", "norm", "meshgrid", "pca_lowrank"),
    *("split", "stft", "svd_lowrank", "tensordot", "unique", "unique_consecutive", "unravel_index"),
)


def torch_modules() -> dict[str, Module]:
    """`torch`, as `import` finds it."""
    library = Library("torch")
    library.members.update(TORCH)
    library.members.update({f"functional.{name}": TORCH[name] for name in FUNCTIONAL if name in TORCH})
    library.refused.update(left_out.refused_names())
    return {"torch": library.module()}


def members() -> dict[str, Any]:
    """All that is entered, by dotted name."""
    return dict(TORCH)
