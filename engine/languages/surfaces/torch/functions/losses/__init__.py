"""Losses of `torch.nn.functional`, and what layers compute."""

from engine.languages.surfaces.torch.functions.losses.alignments import ctc_loss
from engine.languages.surfaces.torch.functions.losses.binary import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
)
from engine.languages.surfaces.torch.functions.losses.classes import cross_entropy, nll_loss, np_value
from engine.languages.surfaces.torch.functions.losses.differences import (
    REDUCTIONS,
    averaged,
    how,
    huber_loss,
    l1_loss,
    mse_loss,
    reduced,
    reduced_value,
    smooth_l1_loss,
)
from engine.languages.surfaces.torch.functions.losses.distributions import (
    gaussian_nll_loss,
    kl_div,
    poisson_nll_loss,
)
from engine.languages.surfaces.torch.functions.losses.layers import (
    bilinear,
    cdist,
    embedding,
    linear,
    normalize,
    one_hot,
)
from engine.languages.surfaces.torch.functions.losses.margins import (
    cosine_embedding_loss,
    cosine_similarity,
    hinge_embedding_loss,
    margin_ranking_loss,
    multi_margin_loss,
    multilabel_soft_margin_loss,
    pairwise_distance,
    soft_margin_loss,
    triplet_margin_loss,
)

__all__ = [
    "REDUCTIONS",
    "averaged",
    "bilinear",
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "cdist",
    "cosine_embedding_loss",
    "cosine_similarity",
    "cross_entropy",
    "ctc_loss",
    "embedding",
    "gaussian_nll_loss",
    "hinge_embedding_loss",
    "how",
    "huber_loss",
    "kl_div",
    "l1_loss",
    "linear",
    "margin_ranking_loss",
    "mse_loss",
    "multi_margin_loss",
    "multilabel_soft_margin_loss",
    "nll_loss",
    "normalize",
    "np_value",
    "one_hot",
    "pairwise_distance",
    "poisson_nll_loss",
    "reduced",
    "reduced_value",
    "smooth_l1_loss",
    "soft_margin_loss",
    "triplet_margin_loss",
]
