"""Directions to look along where a program has more numbers than two axes can show.

random:     normal numbers, for each variable as long as the variable itself, so that the picture does not
            depend on how weights are scaled (Li et al., Visualizing the Loss Landscape of Neural Nets, 2018).
            The second turns away from the first: of single numbers chance decides only the signs, and every
            other pair would be one line.
hessian:    of steepest curvature: eigenvectors of the Hessian, those of the largest eigenvalues first.
trajectory: along which a run went farthest: its principal components, seen from its last point.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engine import ops
from engine.graph import Node, Tensor, Variable
from engine.languages.interpreter.budget import Budget
from engine.ops.base.tensors import Array
from engine.programs.landscapes.points import Points, at_points, dense_gradients
from engine.programs.landscapes.surface import Direction

Center = Mapping[Variable, Array]
Product = Callable[[Array], Array]
MAX_DENSE = 256  # numbers; above, the Hessian is known only by what it does to directions
LANCZOS = 100  # directions tried then


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """A target, and the values of all that it depends on where directions start.

    center: the variables that may move; state: the value of every variable; feeds: of placeholders.
    """

    target: Tensor
    center: Center
    state: Mapping[Node, Array]
    feeds: Mapping[Tensor, Array]
    meter: Budget

    @property
    def numbers(self) -> int:
        """How many numbers may move."""
        return sum(value.size for value in self.center.values())


def random_directions(center: Center, count: int, seed: int) -> list[Direction]:
    """This many random directions."""
    rng = np.random.default_rng([seed, 1])
    found: list[Direction] = []  # each variable's part of length 1
    for _ in range(count):
        drawn = rng.standard_normal(sum(value.size for value in center.values()))
        for other in (flat(list(direction.values())) for direction in found):
            drawn -= other * (other @ drawn) / (other @ other)
        found.append({v: part / np.linalg.norm(part) for v, part in _shaped(center, drawn).items()})
    return [{v: part * _length_of(center[v]) for v, part in direction.items()} for direction in found]


def steepest_directions(here: Viewpoint, count: int) -> list[Direction]:
    """Eigenvectors of the target's Hessian at the center, of length 1, the largest eigenvalues first."""
    center, product = here.center, _hessian_product(here)
    if here.numbers <= MAX_DENSE:
        hessian = product(np.eye(here.numbers))
        _, vectors = np.linalg.eigh((hessian + hessian.T) / 2)
        return [_shaped(center, vectors[:, -1 - place]) for place in range(count)]
    return [_shaped(center, vector) for vector in _largest_by_lanczos(product, here.numbers, count)]


def _largest_by_lanczos(product: Product, size: int, count: int) -> Array:
    """Vectors of the largest eigenvalues, (count, size); Golub & Van Loan, Matrix Computations, ch. 10."""
    basis = np.random.default_rng(0).standard_normal((1, size))
    basis /= np.linalg.norm(basis)
    images = product(basis)
    while len(basis) < LANCZOS:
        new = images[-1] - basis.T @ (basis @ images[-1])
        new -= basis.T @ (basis @ new)  # once more, for what rounding left
        length = float(np.linalg.norm(new))
        if length <= 1e-12 * float(np.linalg.norm(images[-1])):
            break
        basis = np.vstack([basis, new / length])
        images = np.vstack([images, product(basis[-1:])])
    small = basis @ images.T
    _, vectors = np.linalg.eigh((small + small.T) / 2)
    found = np.zeros((count, size))
    best = vectors.T[::-1][:count] @ basis
    found[: len(best)] = best
    return found


def principal_directions(path: Array, center: Center, count: int) -> list[Direction]:
    """Principal components, of length 1, of a path (rows, numbers) seen from its last row."""
    _, _, components = np.linalg.svd(path - path[-1], full_matrices=False)
    rows = np.zeros((count, path.shape[1]))
    rows[: len(components)] = components[:count]
    return [_shaped(center, row) for row in rows]


def flat(values: Sequence[Array]) -> Array:
    """The numbers of all variables in one vector."""
    return np.concatenate([np.ravel(np.asarray(value, dtype=np.float64)) for value in values])


def _hessian_product(here: Viewpoint) -> Product:
    """The product of the Hessian with directions (n, numbers): the gradient of the slope along each."""
    center, variables = here.center, list(here.center)
    with here.target.graph.as_default():
        slopes = zip(variables, dense_gradients(here.target, variables), strict=True)
        slope = {v: slope for v, slope in slopes if slope is not None}
        along = {v: ops.constant(np.zeros(center[v].shape, slope[v].dtype)) for v in slope}  # fed below
        parts = [ops.reduce_sum(slope[v] * along[v]) for v in slope]
        found = dense_gradients(sum(parts[1:], parts[0]), variables) if parts else [None] * len(variables)

    reached = [tensor for tensor in found if tensor is not None]
    batches: dict[int, Callable[[Points], list[Array]]] = {}

    def product(rows: Array) -> Array:
        shaped = [_shaped(center, row) for row in rows]
        points = {
            fed: np.stack([direction[v] for direction in shaped]).astype(fed.dtype)
            for v, fed in along.items()
        }
        if len(rows) not in batches:
            batches[len(rows)] = at_points(reached, points, here.feeds, here.state, here.meter)
        made = iter(batches[len(rows)](points))
        columns = [
            np.zeros((len(rows), center[v].size)) if t is None else next(made).reshape(len(rows), -1)
            for v, t in zip(variables, found, strict=True)
        ]
        return np.concatenate(columns, axis=1, dtype=np.float64)

    return product


def side_by_side(columns: Sequence[Array]) -> Array:
    """The numbers of all variables, a row for each row of their columns."""
    return np.concatenate([column.reshape(len(column), -1) for column in columns], axis=1)


def _shaped(center: Center, numbers: Array) -> Direction:
    cuts = np.cumsum([value.size for value in center.values()])[:-1]
    parts = np.split(numbers, cuts)
    return {v: part.reshape(value.shape) for (v, value), part in zip(center.items(), parts, strict=True)}


def _length_of(value: Array) -> float:
    return float(np.linalg.norm(value.astype(np.float64))) or 1.0
