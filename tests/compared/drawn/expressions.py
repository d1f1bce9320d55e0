"""Expressions for every function of TensorFlow's that is offered, made from its real signature.

Of each function: its arguments by position and by name, each other value of each argument, the optional ones
one by one and all by position, with the gradients of first and second order where an argument is a tensor of
floats.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from types import MappingProxyType

from ..arguments import TOGETHER, Arguments

SIGNATURES = Path(__file__).parents[2] / "data" / "signatures"
VALUES = {"tf1": 6, "tf2": 19}  # of one argument; a session takes longer than a call
NO_DEFAULTS: Mapping[str, str] = MappingProxyType({})
RELEASES = {"tf1": "tensorflow1", "tf2": "tensorflow2"}

FLOATS = re.compile(
    r"(?<![\w.])(smooth|other|positive|units|shares|onehot|signs|row|column|line|zeros|ties|edges|margins|holes"
    r"|doubles|halves|hollow|scalar|square|tall|definite|lower|stack|images|kernel)(?![\w(=])"
)
DRAWN = re.compile(r"^random\.|^random_|^multinomial$|^truncated_normal$|dropout$|^nn\.dropout$")
DRAWN_VALUES = re.compile(
    r"uniform|normal|glorot|he_|lecun|variance_scaling|orthogonal|Normal|Uniform|xavier", re.I
)
# About graphs, sessions, files and other state: compared as whole programs.
PROGRAMS_OF_THEIR_OWN = re.compile(
    r"Session|[Gg]raph|collection|variable|placeholder|checkpoint|global_step|gradients$|hessians|compute_gradient|custom_gradient"
    r"|^(Variable|Tensor|Operation|TensorArray|TensorShape|group|no_op|function|GradientTape|device)$"
    r"|^(RegisterGradient|name_scope|control_dependencies|Print|print|timestamp|executing_eagerly)$"
    r"|seed$|^data\.|^test\.|^assign|^scatter_(?!nd)|^train\.(Optimizer|ExponentialMovingAverage)"
    r"|regulariz|get_losses|add_loss|get_total_loss|^layers\.|^contrib\.|^enable_"
    r"|^keras\.(layers|Model|Sequential|Input)"
)


def recorded_signatures(release: str) -> dict[str, tuple[list[str], int]]:
    """Each function's parameters in the real library, and how many of them have to be given."""
    signatures: dict[str, str] = json.loads((SIGNATURES / f"{release}.json").read_text())
    needed: dict[str, int] = json.loads((SIGNATURES / "needed.json").read_text())[release]
    return {name: (signatures[name].split(), needed.get(name, 0)) for name in sorted(signatures)}


@lru_cache
def recorded_defaults(release: str) -> dict[str, dict[str, str]]:
    """What each function's arguments are where they are left out, as a program writes it."""
    content: dict[str, dict[str, dict[str, str]]] = json.loads((SIGNATURES / "defaults.json").read_text())
    return content[release]


def expressions(dialect: str) -> list[str]:
    """Every expression of a dialect, in a fixed order, none twice."""
    known = recorded_signatures(RELEASES[dialect])
    found: dict[str, None] = {}
    seen: set[str] = set()
    for name in sorted(known, key=lambda name: (name.count("."), name)):
        if not PROGRAMS_OF_THEIR_OWN.search(name):
            most = 0 if last_of(name) in seen else VALUES[dialect]
            seen.add(last_of(name))
            own = recorded_defaults(RELEASES[dialect])[name]
            found.update(dict.fromkeys(of_function(name, *known[name], most=most, defaults=own)))
    found.update(dict.fromkeys(names_of_the_other_release(dialect)))
    return list(found)


def last_of(name: str) -> str:
    """What distinguishes functions whatever module they are named in; those of Keras are its own."""
    own = "keras." if name.startswith(("keras.", "losses.")) else ""
    return own + name.rpartition(".")[2]


def names_of_the_other_release(dialect: str) -> Iterator[str]:
    """The names that one release has, and the other perhaps not."""
    own = recorded_signatures(RELEASES[dialect])
    (other,) = set(RELEASES) - {dialect}
    for name in recorded_signatures(RELEASES[other]):
        if name not in own and not name.startswith(("contrib.", "keras.")):
            yield f"show(tf.{name} is None)"


def of_function(
    name: str, parameters: list[str], needed: int, *, most: int, defaults: Mapping[str, str] = NO_DEFAULTS
) -> Iterator[str]:
    """The expressions that compare one function; with no values but the first ones it is called once."""
    choices = Arguments.of("tensorflow").choices(name, parameters, max(most, 1))
    listed = [*calls(parameters, needed, choices), *in_full(parameters, needed, choices, defaults)]
    for number, given in enumerate(listed):
        if number > 0 and not most:
            return
        for use in uses(name):
            yield printed(use.replace("{}", f"tf.{name}({', '.join(given)})"), name)


def calls(parameters: list[str], needed: int, choices: Mapping[str, list[str]]) -> Iterator[list[str]]:
    """The arguments of each call, as they are written: the simplest first."""
    needed = max(needed, 1) if parameters and parameters[0] in choices and parameters[0] != "name" else needed
    if not all(parameter in choices for parameter in parameters[:needed]):
        return
    base = [choices[parameter][0] for parameter in parameters[:needed]]
    yield base
    if needed:
        yield [f"{name}={value}" for name, value in zip(parameters, base, strict=False)]
    for place in range(needed):
        for other in choices[parameters[place]][1:]:
            yield [*base[:place], other, *base[place + 1 :]]
    for pair in choices.get(TOGETHER, []):
        yield pair.split(" & ")
    for parameter in parameters[needed:]:
        for other in choices.get(parameter, []):
            if not (parameter == "name" and len(parameters) > needed + 1):
                yield [*base, f"{parameter}={other}"]
    given = [choices[parameter][0] for parameter in takewhile(choices.__contains__, parameters)]
    if len(given) > needed + 1:
        yield given


def in_full(
    parameters: list[str], needed: int, choices: Mapping[str, list[str]], defaults: Mapping[str, str]
) -> Iterator[list[str]]:
    """A call with every argument by position, and one with all that may be left out by name."""
    needed = max(needed, 1) if parameters and parameters[0] in choices and parameters[0] != "name" else needed
    if not all(parameter in choices for parameter in parameters[:needed]):
        return
    base = [choices[parameter][0] for parameter in parameters[:needed]]
    known = {name: text for name, text in defaults.items() if name in parameters[needed:]}
    known = {"name": "'given'"} | known | {name: "'given'" for name in known if name == "name"}
    optional = list(takewhile(known.__contains__, parameters[needed:]))
    if optional:
        yield [*base, *(known[name] for name in optional)]
        yield [*base, *(f"{name}={known[name]}" for name in parameters[needed:] if name in known)]
    if needed:
        yield [f"{name}={value}" for name, value in zip(parameters, base, strict=False)]


def uses(name: str) -> list[str]:
    """What is done with the result of a call: {} stands for it."""
    *_, module, last = ["", *name.split(".")]
    if module == "losses" and last[0].isupper() and last.upper() != last:
        targets = "[1, 0]" if last.startswith("Sparse") else "onehot"
        return [f"{{}}({targets}, shares)", f"{{}}({targets}, shares, [0.5, 2.0])"]
    if module == "metrics" and last[0].isupper():
        if last in ("Mean", "Sum"):
            return ["measured({}, smooth)"]
        targets = "[1, 0]" if last.startswith("Sparse") else "onehot"
        return [f"measured({{}}, {targets}, shares)"]
    if module == "metrics":
        return ["measured({})"]
    if module == "schedules":
        return ["{}(3)", "{}(20)"]
    if module == "optimizers" or last.endswith("Optimizer"):
        return ["stepped({})"]
    if module == "initializers" or last.endswith("_initializer"):
        return ["{}([2, 3])", "{}([2, 2], dtype=tf.float64)"]
    return ["{}"]


def printed(expression: str, name: str) -> str:
    """The statement that shows an expression's value, or its gradients too where it has any."""
    if expression.startswith(("stepped(", "measured(")):
        return expression
    if DRAWN.search(name) or (DRAWN_VALUES.search(name) and "initializer" in name):
        return f"form({expression})"
    floats = list(dict.fromkeys(FLOATS.findall(expression)))
    if not floats or "assert" in name.lower() or "lambda" in expression:
        return f"show({expression})"
    return f"slopes(lambda {', '.join(floats)}: {expression}, {', '.join(floats)})"
