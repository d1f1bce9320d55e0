"""What one picture of a program shows: values, gradients, local derivatives, and how it goes back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.interchange.fingerprints import Fingerprint

TITLES: Mapping[str, tuple[str, str]] = {
    "mathematics": ("Mathematics", "数学"),
    "tensorflow": ("TensorFlow", "TensorFlow"),
    "torch": ("PyTorch", "PyTorch"),
    "jax": ("JAX", "JAX"),
}


@dataclass(frozen=True, slots=True)
class Sighting:
    """A node of a picture that shows a quantity.

    of: the picture's forward node whose value, or by whose value a gradient, it is; "" where it says none.
    """

    node: str
    print: Fingerprint | None
    of: str = ""


@dataclass(frozen=True, slots=True)
class Work:
    """What the gradient of one forward op takes beside the products with what comes back.

    forward:  ops that the forward pass computes for it, and keeps.
    backward: ops that are computed on the way back.
    inside:   an op, or a node of autograd, that computes it together with the product.
    nodes:    of the picture, that are these ops.
    """

    op: str
    forward: tuple[str, ...] = ()
    backward: tuple[str, ...] = ()
    inside: str = ""
    nodes: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """Where its local derivative is computed; "" where what is known anyway is enough."""
        return "forward" if self.forward else "backward" if self.backward or self.inside else ""


@dataclass(frozen=True, slots=True)
class Sightings:
    """All that a picture shows.

    works: by forward node.
    kept:  the forward nodes whose values the way back reads.
    sums:  the nodes that add up what comes back to one quantity, with their op.
    backward: how many nodes the way back has; unit: what these are called, in both languages.
    order: the nodes in the order in which they are computed.
    """

    level: str
    values: Sequence[Sighting] = ()
    gradients: Sequence[Sighting] = ()
    factors: Sequence[Sighting] = ()
    works: Mapping[str, Work] = field(default_factory=dict)
    kept: Sequence[str] = ()
    sums: Mapping[str, str] = field(default_factory=dict)
    backward: int = 0
    order: Sequence[str] = ()

    @property
    def title(self) -> str:
        """The framework's name."""
        return TITLES[self.level][0]


def distinct(sightings: Iterable[Sighting]) -> list[Sighting]:
    """Each once."""
    return list(dict.fromkeys(sightings))
