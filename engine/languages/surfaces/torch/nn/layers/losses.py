"""Losses, each by the function of `torch.nn.functional` that computes it."""

from __future__ import annotations

import inspect
from typing import Any

from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.losses.differences import how
from engine.languages.surfaces.torch.nn.layer import REQUIRED, layer
from engine.languages.surfaces.torch.nn.module import functional
from engine.languages.surfaces.torch.registry import TORCH, F
from engine.languages.surfaces.torch.tensor import Tensor

OLD: dict[str, Any] = {"size_average": None, "reduce": None}
MEAN: dict[str, Any] = {"reduction": "mean"}
BY_NAME = {"GaussianNLLLoss": ("full", "eps", "reduction")}  # losses whose settings are given by name alone


def loss(name: str, function: str, **settings: Any) -> None:
    """Enter a loss; all its settings are the function's, too."""
    names = [setting for setting in settings if setting not in OLD]
    taken = inspect.signature(TORCH[F + function].function).parameters.values()
    compared = [one for one in taken if one.default is REQUIRED and one.name not in FIRST]

    def forward(*args: Any, **keywords: Any) -> Any:
        interpreter, self, *given = signature.bind(*args, **keywords).arguments.values()
        chosen = {setting: self.fields[setting] for setting in names}
        return functional(interpreter, function, *given, **chosen)

    both = inspect.Parameter.POSITIONAL_OR_KEYWORD
    signature = inspect.Signature([*(inspect.Parameter(one, both) for one in FIRST), *compared])
    forward.__signature__ = signature  # type: ignore[attr-defined]  # what a program may give by name
    layer(name, forward, setup=_begin, keyword_only=BY_NAME.get(name, ()), settings=settings)


FIRST = ("interpreter", "self")


def _begin(self: UserObject) -> None:
    """Take the way to one number from its two older settings where one is given, and hold the weights."""
    older = [self.fields.pop(setting, None) for setting in OLD]
    if older != [None, None]:
        self.fields["reduction"] = how("mean", *older)
    _keep_weights(self)


def _keep_weights(self: UserObject) -> None:
    """Hold weights as buffers. Raises: TypeError's message of PyTorch for anything but a tensor."""
    for setting in ("weight", "pos_weight"):
        given = self.fields.get(setting)
        if isinstance(given, Tensor):
            self.fields["_buffers"][setting] = True
        elif given is not None:
            kind = python_name(given)
            raise torch_error(
                f"cannot assign '{kind}' object to buffer '{setting}' (torch Tensor or None required)",
                f"{setting} 必须是张量，不能是 {kind}。",
                kind="TypeError",
            )


loss("L1Loss", "l1_loss", **OLD, **MEAN)
loss("MSELoss", "mse_loss", **OLD, **MEAN)
loss("SmoothL1Loss", "smooth_l1_loss", **OLD, **MEAN, beta=1.0)
loss("HuberLoss", "huber_loss", **MEAN, delta=1.0)
loss("BCELoss", "binary_cross_entropy", weight=None, **OLD, **MEAN)
loss("BCEWithLogitsLoss", "binary_cross_entropy_with_logits", weight=None, **OLD, **MEAN, pos_weight=None)
loss("NLLLoss", "nll_loss", weight=None, size_average=None, ignore_index=-100, reduce=None, **MEAN)
loss(
    "CrossEntropyLoss",
    "cross_entropy",
    weight=None,
    size_average=None,
    ignore_index=-100,
    reduce=None,
    **MEAN,
    label_smoothing=0.0,
)
loss("KLDivLoss", "kl_div", **OLD, **MEAN, log_target=False)
loss(
    "PoissonNLLLoss",
    "poisson_nll_loss",
    log_input=True,
    full=False,
    size_average=None,
    eps=1e-8,
    reduce=None,
    **MEAN,
)
loss("GaussianNLLLoss", "gaussian_nll_loss", full=False, eps=1e-6, **MEAN)
loss("HingeEmbeddingLoss", "hinge_embedding_loss", margin=1.0, **OLD, **MEAN)
loss("SoftMarginLoss", "soft_margin_loss", **OLD, **MEAN)
loss("MultiLabelSoftMarginLoss", "multilabel_soft_margin_loss", weight=None, **OLD, **MEAN)
loss("MarginRankingLoss", "margin_ranking_loss", margin=0.0, **OLD, **MEAN)
loss("CosineEmbeddingLoss", "cosine_embedding_loss", margin=0.0, **OLD, **MEAN)
loss("MultiMarginLoss", "multi_margin_loss", p=1, margin=1.0, weight=None, **OLD, **MEAN)
loss("TripletMarginLoss", "triplet_margin_loss", margin=1.0, p=2.0, eps=1e-6, swap=False, **OLD, **MEAN)

layer(
    "CosineSimilarity",
    lambda interpreter, self, x1, x2: functional(
        interpreter, "cosine_similarity", x1, x2, self.fields["dim"], self.fields["eps"]
    ),
    settings={"dim": 1, "eps": 1e-8},
)
layer(
    "PairwiseDistance",
    lambda interpreter, self, x1, x2: functional(
        interpreter,
        "pairwise_distance",
        x1,
        x2,
        self.fields["norm"],
        self.fields["eps"],
        self.fields["keepdim"],
    ),
    setup=lambda self: self.fields.update(norm=self.fields.pop("p")),
    settings={"p": 2.0, "eps": 1e-6, "keepdim": False},
)
