"""`sklearn.datasets`: irises and digits, and data that is drawn as scikit-learn draws it."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.interpreter.attributes import LOOKUPS
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import MISSING
from engine.languages.interpreter.values import TYPE_NAMES
from engine.languages.surfaces.data_sets.shipped_sets import SPECIES, digits, iris, table
from engine.languages.surfaces.numpy.random import own_generator
from engine.languages.surfaces.sklearn.module import SKLEARN, shuffled
from engine.languages.surfaces.unsupported import refuse_given

NO_FRAME = ("Leave it out: the columns come as an array.", "请去掉它：各列以数组给出。")
COEFFICIENT = 100.0  # the largest that make_regression draws


class Bunch(dict[str, Any]):
    """A dictionary whose entries stand behind a dot, too."""


OWN_WORDS = "(A short text in place of scikit-learn's. 这是代替 scikit-learn 原文的简短说明。)"


def _described(title: str, rows: Any, feature_names: Any, target_names: Any = None) -> str:
    """What `DESCR` says of a data set: its size, its columns and its classes, in our own words."""
    lines = [title, "", f"Rows: {len(rows)}", f"Columns: {len(feature_names)}"]
    lines += [f"    - {name}" for name in feature_names]
    if target_names is not None:
        lines += ["Classes:", *(f"    - {name}" for name in target_names)]
    return "\n".join([*lines, "", OWN_WORDS])


LOOKUPS[Bunch] = lambda bunch, name: bunch.get(name, MISSING)
TYPE_NAMES[Bunch] = lambda bunch: "Bunch"


# -- the real ones -----------------------------------------------------------------------------------


@SKLEARN.function("datasets.load_iris")
def load_iris(interpreter: Interpreter, *, return_X_y: Any = False, as_frame: Any = False) -> Any:
    """150 irises: four lengths in cm, and the species from 0 to 2."""
    refuse_given("sklearn.datasets.load_iris", {"as_frame": as_frame or None}, *NO_FRAME)
    names, lengths, species = iris()
    if return_X_y:
        return lengths.copy(), species.copy()
    return Bunch(
        data=lengths.copy(),
        target=species.copy(),
        frame=None,
        target_names=np.array(SPECIES),
        DESCR=_described("Irises", lengths, names, SPECIES),
        feature_names=list(names),
    )


@SKLEARN.function("datasets.load_digits")
def load_digits(
    interpreter: Interpreter, *, n_class: Any = 10, return_X_y: Any = False, as_frame: Any = False
) -> Any:
    """1,797 handwritten digits of 8 by 8 pixels from 0 to 16, those below `n_class`."""
    refuse_given("sklearn.datasets.load_digits", {"as_frame": as_frame or None}, *NO_FRAME)
    images, labels = digits()
    chosen = labels < n_class
    pixels, target = images[chosen].astype(np.float64), labels[chosen].astype(np.int64)
    rows = pixels.reshape(len(target), -1)
    if return_X_y:
        return rows, target
    names = [f"pixel_{row}_{column}" for row in range(8) for column in range(8)]
    return Bunch(
        data=rows,
        target=target,
        frame=None,
        feature_names=names,
        target_names=np.arange(10),
        images=pixels,
        DESCR=_described("Handwritten digits", rows, names, range(10)),
    )


def _tables(
    title: str, rows: Any, target: Any, return_X_y: Any, feature_names: Any, target_names: Any = None
) -> Any:
    """Rows and targets of a table as a pair, or under their names."""
    if return_X_y:
        return rows.copy(), target.copy()
    more = {} if target_names is None else {"target_names": target_names}
    text = _described(title, rows, feature_names, target_names)
    return Bunch(
        data=rows.copy(), target=target.copy(), frame=None, **more, DESCR=text, feature_names=feature_names
    )


@SKLEARN.function("datasets.load_breast_cancer")
def load_breast_cancer(interpreter: Interpreter, *, return_X_y: Any = False, as_frame: Any = False) -> Any:
    """569 lumps: 30 measurements of their cells, and 0 for a malignant one, 1 for a benign one."""
    refuse_given("sklearn.datasets.load_breast_cancer", {"as_frame": as_frame or None}, *NO_FRAME)
    rows, target = table("breast_cancer")
    names = [f"mean {one}" for one in OF_CELLS] + [f"{one} error" for one in OF_CELLS]
    names += [f"worst {one}" for one in OF_CELLS]
    kinds = np.array(["malignant", "benign"])
    return _tables("Breast cancer", rows, target.astype(np.int64), return_X_y, np.array(names), kinds)


@SKLEARN.function("datasets.load_wine")
def load_wine(interpreter: Interpreter, *, return_X_y: Any = False, as_frame: Any = False) -> Any:
    """178 wines: 13 measurements, and the grower from 0 to 2."""
    refuse_given("sklearn.datasets.load_wine", {"as_frame": as_frame or None}, *NO_FRAME)
    rows, target = table("wine")
    kinds = np.array(["class_0", "class_1", "class_2"])
    return _tables("Wines", rows, target.astype(np.int64), return_X_y, list(OF_WINE), kinds)


@SKLEARN.function("datasets.load_diabetes")
def load_diabetes(
    interpreter: Interpreter, *, return_X_y: Any = False, as_frame: Any = False, scaled: Any = True
) -> Any:
    """442 patients: ten measurements of mean 0, whose squares add up to 1, and how ill they were."""
    refuse_given("sklearn.datasets.load_diabetes", {"as_frame": as_frame or None}, *NO_FRAME)
    rows, target = table("diabetes")
    if scaled:
        rows = (rows - rows.mean(axis=0)) / rows.std(axis=0) / np.sqrt(len(rows))
    return _tables("Patients with diabetes", rows, target, return_X_y, list(OF_PATIENTS))


OF_CELLS = (
    *("radius", "texture", "perimeter", "area", "smoothness", "compactness", "concavity"),
    *("concave points", "symmetry", "fractal dimension"),
)
OF_WINE = (
    *("alcohol", "malic_acid", "ash", "alcalinity_of_ash", "magnesium", "total_phenols", "flavanoids"),
    *("nonflavanoid_phenols", "proanthocyanins", "color_intensity", "hue"),
    *("od280/od315_of_diluted_wines", "proline"),
)
OF_PATIENTS = ("age", "sex", "bmi", "bp", "s1", "s2", "s3", "s4", "s5", "s6")


# -- drawn as scikit-learn draws them ----------------------------------------------------------------


def _generator(interpreter: Interpreter, random_state: Any) -> np.random.RandomState:
    if isinstance(random_state, np.random.RandomState):
        return random_state
    return own_generator(interpreter) if random_state is None else np.random.RandomState(random_state)


def _halves(n_samples: Any) -> tuple[int, int]:
    if isinstance(n_samples, tuple):
        first, second = n_samples
        return int(first), int(second)
    return int(n_samples) // 2, int(n_samples) - int(n_samples) // 2


def _two_curves(
    interpreter: Interpreter, curves: tuple[Any, Any], shuffle: Any, noise: Any, random: np.random.RandomState
) -> tuple[Any, Any]:
    """The points of two curves and which curve each is on: in another order, and moved at random."""
    points = np.vstack(curves)
    interpreter.budget.check_elements(points.shape)
    labels = np.repeat([0, 1], [len(curve) for curve in curves])
    if shuffle:
        places = shuffled(interpreter, len(points), random)
        points, labels = points[places], labels[places]
    if noise is not None:
        points = points + random.normal(scale=noise, size=points.shape)
    return points, labels


@SKLEARN.function("datasets.make_moons")
def make_moons(
    interpreter: Interpreter,
    n_samples: Any = 100,
    *,
    shuffle: Any = True,
    noise: Any = None,
    random_state: Any = None,
) -> tuple[Any, Any]:
    """Two half circles that reach into each other: points (n, 2) and labels (n,)."""
    interpreter.budget.check_length(sum(_halves(n_samples)))
    outer, inner = (np.linspace(0.0, np.pi, count) for count in _halves(n_samples))
    curves = (
        np.column_stack([np.cos(outer), np.sin(outer)]),
        np.column_stack([1 - np.cos(inner), 1 - np.sin(inner) - 0.5]),
    )
    return _two_curves(interpreter, curves, shuffle, noise, _generator(interpreter, random_state))


@SKLEARN.function("datasets.make_circles")
def make_circles(
    interpreter: Interpreter,
    n_samples: Any = 100,
    *,
    shuffle: Any = True,
    noise: Any = None,
    random_state: Any = None,
    factor: Any = 0.8,
) -> tuple[Any, Any]:
    """A circle within a circle: points (n, 2) and labels (n,), 1 for the inner one."""
    interpreter.budget.check_length(sum(_halves(n_samples)))
    outer, inner = (np.linspace(0.0, 2 * np.pi, count, endpoint=False) for count in _halves(n_samples))
    curves = (
        np.column_stack([np.cos(outer), np.sin(outer)]),
        np.column_stack([np.cos(inner), np.sin(inner)]) * factor,
    )
    return _two_curves(interpreter, curves, shuffle, noise, _generator(interpreter, random_state))


@SKLEARN.function("datasets.make_blobs", "datasets.samples_generator.make_blobs")
def make_blobs(
    interpreter: Interpreter,
    n_samples: Any = 100,
    n_features: Any = 2,
    *,
    centers: Any = None,
    cluster_std: Any = 1.0,
    center_box: Any = (-10.0, 10.0),
    shuffle: Any = True,
    random_state: Any = None,
    return_centers: Any = False,
) -> tuple[Any, ...]:
    """Points around some centres: (n, features), and the centre of each (n,)."""
    random = _generator(interpreter, random_state)
    given = centers
    if given is None or isinstance(given, int):
        count = 3 if given is None else given
        interpreter.budget.check_elements((count, n_features))
        given = random.uniform(center_box[0], center_box[1], size=(count, n_features))
    means = np.asarray(given, np.float64)
    deviations = np.broadcast_to(np.asarray(cluster_std, np.float64), (len(means),))
    interpreter.budget.check_elements((int(n_samples), means.shape[1]))
    each, more = divmod(int(n_samples), len(means))
    counts = [each + (place < more) for place in range(len(means))]
    drawn = [
        random.normal(loc=mean, scale=deviation, size=(count, means.shape[1]))
        for mean, deviation, count in zip(means, deviations, counts, strict=True)
    ]
    points, labels = np.concatenate(drawn), np.repeat(np.arange(len(means)), counts)
    if shuffle:
        places = shuffled(interpreter, len(points), random)
        points, labels = points[places], labels[places]
    return (points, labels, means) if return_centers else (points, labels)


@SKLEARN.function("datasets.make_regression", "datasets.samples_generator.make_regression")
def make_regression(
    interpreter: Interpreter,
    n_samples: Any = 100,
    n_features: Any = 100,
    *,
    n_informative: Any = 10,
    n_targets: Any = 1,
    bias: Any = 0.0,
    effective_rank: Any = None,
    tail_strength: Any = 0.5,
    noise: Any = 0.0,
    shuffle: Any = True,
    coef: Any = False,
    random_state: Any = None,
) -> tuple[Any, ...]:
    """A straight line with noise: rows (n, features), targets (n,), and with `coef` the line."""
    refuse_given("sklearn.datasets.make_regression", {"effective_rank": effective_rank}, *FULL_RANK)
    random = _generator(interpreter, random_state)
    interpreter.budget.check_elements((n_samples, n_features))
    rows = random.standard_normal(size=(n_samples, n_features))
    line = np.zeros((n_features, n_targets))
    informative = min(n_features, n_informative)
    line[:informative] = COEFFICIENT * random.uniform(size=(informative, n_targets))
    targets = rows @ line + bias
    if noise > 0.0:
        targets = targets + random.normal(scale=noise, size=targets.shape)
    if shuffle:
        places = shuffled(interpreter, n_samples, random)
        columns = shuffled(interpreter, n_features, random)
        rows, targets, line = rows[places][:, columns], targets[places], line[columns]
    targets, line = np.squeeze(targets), np.squeeze(line)
    return (rows, targets, line) if coef else (rows, targets)


FULL_RANK = ("Leave it out: the columns are independent.", "请去掉它：各列互相独立。")


def _ask_for_another(name: str) -> None:
    line = "x, y = sklearn.datasets.make_regression(200, 8, noise=10.0, random_state=0)"
    SKLEARN.refuse(
        [f"datasets.{name}"],
        f"The set is not shipped; a small one is {line}.",
        f"这里没有这个数据集；可以造一个小的：{line}。",
    )


for _name in ("load_boston", "fetch_california_housing"):
    _ask_for_another(_name)
