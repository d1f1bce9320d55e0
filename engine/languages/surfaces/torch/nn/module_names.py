"""The names of `torch.nn`: importing this file enters them."""

from __future__ import annotations

from engine.languages.surfaces.torch.nn import copying, init, parameter, sequences, utils  # noqa: F401  # for their tables
from engine.languages.surfaces.torch.nn.functional import (  # noqa: F401  # for their tables
    attention as attention_functions,
)
from engine.languages.surfaces.torch.nn.functional import (  # noqa: F401  # for their tables
    bags,
    grids,
    normalizing,
    padding,
    random_slopes,
    resizing,
    responses,
)
from engine.languages.surfaces.torch.nn.functional import (  # noqa: F401  # for their tables
    convolution as convolutions,
)
from engine.languages.surfaces.torch.nn.functional import dropping as dropout  # noqa: F401  # for its table
from engine.languages.surfaces.torch.nn.functional.pooling import (  # noqa: F401  # for their tables
    adaptive,
    largest,
    means,
)
from engine.languages.surfaces.torch.nn.layers import (  # noqa: F401  # for their tables
    activations,
    attention,
    containers,
    convolution,
    decoder,
    dropping,
    embedding,
    lazy,
    linear,
    losses,
    normalization,
    pooling,
    recurrent,
    shaping,
    transformer,
)
from engine.languages.surfaces.torch.nn.layers import responses as response_layers  # noqa: F401  # for its table
from engine.languages.surfaces.torch.nn.reparametrizing import (  # noqa: F401  # for their tables
    norms,
    orthogonals,
    parametrized,
    pruning,
)
