"""How things look: format strings such as `r--o`, colours, and the keywords of lines and patches."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.errors import ProgramError, quoted
from engine.languages.interpreter.reading.suggestions import did_you_mean
from engine.languages.interpreter.values import Ignored

LETTERS = {
    "b": "#0000ff",
    "g": "#008000",
    "r": "#ff0000",
    "c": "#00bfbf",
    "m": "#bf00bf",
    "y": "#bfbf00",
    "k": "#000000",
    "w": "#ffffff",
}
TABLEAU = {
    "blue": "#1f77b4",
    "orange": "#ff7f0e",
    "green": "#2ca02c",
    "red": "#d62728",
    "purple": "#9467bd",
    "brown": "#8c564b",
    "pink": "#e377c2",
    "gray": "#7f7f7f",
    "grey": "#7f7f7f",
    "olive": "#bcbd22",
    "cyan": "#17becf",
}
CSS = """
    aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet
    brown burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan
    darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen
    darkorange darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray darkslategrey
    darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite
    forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew
    hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue
    lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon
    lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime
    limegreen linen magenta maroon mediumaquamarine mediumblue mediumorchid mediumpurple
    mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred midnightblue
    mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid
    palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum
    powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen
    seashell sienna silver skyblue slateblue slategray slategrey snow springgreen steelblue tan teal
    thistle tomato turquoise violet wheat white whitesmoke yellow yellowgreen
"""
NAMED = frozenset(CSS.split())  # the colours that matplotlib and browsers share
DASHES = {
    "-": "solid",
    "--": "dashed",
    "-.": "dashdot",
    ":": "dotted",
    "": "none",
    " ": "none",
    "None": "none",
}
MARKERS = frozenset(".,ov^<>12348spP*hH+xXDd|_")
GREY = re.compile(r"(?:0?\.\d{1,6}|0|1|0\.|1\.0{0,6})")
CYCLED = re.compile(r"C(\d{1,3})")
HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")

SHORT = {"c": "color", "ls": "linestyle", "lw": "linewidth", "ms": "markersize", "mfc": "markerfacecolor"}
SAME = {
    "linewidths": "linewidth",
    "colors": "color",
    "linestyles": "linestyle",
    "facecolor": "color",
    "fc": "color",
}
# Properties of matplotlib's lines and patches that change nothing in these drawings.
NOT_DRAWN = """
    aa animated antialiased capstyle clip_box clip_on clip_path capsize dash_capstyle dash_joinstyle
    dashes drawstyle ec ecolor edgecolor edgecolors error_kw fillstyle gapcolor gid hatch in_layout
    joinstyle log markeredgecolor markeredgewidth markerfacecolor markerfacecoloralt markevery mec
    mew mfcalt path_effects picker pickradius plotnonfinite rasterized sketch_params snap
    solid_capstyle solid_joinstyle transform url visible xerr yerr zorder scalex scaley data align
"""
PASSED = frozenset(NOT_DRAWN.split())
USED = ("label", "color", "linestyle", "linewidth", "marker", "markersize", "alpha")


def look_of(function: str, style: Mapping[str, Any], format: str = "") -> tuple[dict[str, Any], str]:
    """What an answer says of how a thing looks, and its label.

    Raises: ProgramError for a keyword that no line has, a colour, a marker or a dash that there is not.
    """
    chosen = {name: value for name, value in style.items() if not isinstance(value, Ignored)}
    given = {SAME.get(SHORT.get(name, name), SHORT.get(name, name)): one for name, one in chosen.items()}
    for name in given:
        if name not in USED and name not in PASSED:
            raise _unknown(function, name)
    look: dict[str, Any] = parsed(format) if format else {}
    if given.get("color") is not None:
        look["colour"] = colour_of(given["color"])
    if given.get("linestyle") is not None:
        look["dash"] = dash_of(given["linestyle"])
    if given.get("marker") is not None:
        look["marker"] = marker_of(given["marker"])
    for name, key in (("linewidth", "width"), ("markersize", "size"), ("alpha", "opacity")):
        if given.get(name) is not None:
            look[key] = _number(function, name, given[name])
    label = given.get("label")
    return look, "" if label is None else str(label)


def parsed(format: str) -> dict[str, Any]:
    """A format string: a colour, a marker and a dash in any order, each at most once.

    Raises: ProgramError where it is none.
    """
    if (whole := _known_colour(format)) is not None and format not in MARKERS:
        return {"colour": whole}
    look: dict[str, Any] = {}
    rest = format
    while rest:
        key, value, length = _next(rest)
        if not key or key in look:
            raise _wrong(
                "format",
                format,
                'Such as "ro--": a colour, a marker and a line.',
                "例如 “ro--”：颜色、标记和线型。",
            )
        look[key], rest = value, rest[length:]
    if "marker" in look and "dash" not in look:
        look["dash"] = "none"
    return look


def _next(rest: str) -> tuple[str, Any, int]:
    """What stands first in the rest of a format string, and how long it is."""
    for dash in ("--", "-.", "-", ":"):
        if rest.startswith(dash):
            return "dash", DASHES[dash], len(dash)
    cycled = CYCLED.match(rest)
    if cycled:
        return "colour", int(cycled[1]), cycled.end()
    if rest[0] in LETTERS:
        return "colour", LETTERS[rest[0]], 1
    if rest[0] in MARKERS:
        return "marker", rest[0], 1
    return "", None, 0


def colour_of(value: Any) -> Any:
    """A colour as CSS has it, or its number in the cycle.

    Raises: ProgramError where it is none.
    """
    if isinstance(value, str):
        found = _known_colour(value)
        if found is not None:
            return found
    elif isinstance(value, (list, tuple, np.ndarray)) and len(value) in (3, 4):
        shares = [float(one) for one in value if isinstance(one, (int, float, np.number))]
        if len(shares) == len(value) and all(0 <= one <= 1 for one in shares):
            return "#" + "".join(f"{round(255 * one):02x}" for one in shares)
    raise _wrong(
        "colour",
        value,
        'Such as "red", "C1", "#ff8800" or (1, 0.5, 0).',
        "例如 “red”、“C1”、“#ff8800” 或 (1, 0.5, 0)。",
    )


def no_numbers(name: str) -> ProgramError:
    """What is said of a colour whose numbers only browsers know."""
    return _wrong(
        "colour",
        name,
        'The numbers are known of "C1", "tab:blue", "b", "0.5" and "#ff8800".',
        "已知数值的颜色有 “C1”、“tab:blue”、“b”、“0.5” 和 “#ff8800”。",
    )


def _known_colour(text: str) -> Any:
    name = text.lower()
    if name in LETTERS or name in NAMED:
        return LETTERS.get(name, name)
    if CYCLED.fullmatch(text):
        return int(text[1:])
    if HEX.fullmatch(text):
        return name
    if name.startswith("tab:"):
        return TABLEAU.get(name.removeprefix("tab:"))
    grey = GREY.fullmatch(text)
    return f"#{f'{round(255 * float(text)):02x}' * 3}" if grey else None


def is_colour(value: Any) -> bool:
    """Whether a text is a colour."""
    return isinstance(value, str) and _known_colour(value) is not None


def dash_of(value: Any) -> str:
    """A kind of line. Raises: ProgramError where it is none."""
    if isinstance(value, str) and (value in DASHES or value in DASHES.values()):
        return DASHES.get(value, value)
    if isinstance(value, tuple):
        return "dashed"  # (offset, on and off), which are drawn as dashes of one length
    raise _wrong("line style", value, 'Such as "-", "--", "-." or ":".', "例如 “-”、“--”、“-.” 或 “:”。")


def marker_of(value: Any) -> str:
    """A marker. Raises: ProgramError where it is none."""
    if isinstance(value, str) and (value in MARKERS or value in ("None", "none", "", " ")):
        return value if value in MARKERS else ""
    raise _wrong("marker", value, 'Such as "o", "x", "s", "^" or ".".', "例如 “o”、“x”、“s”、“^” 或 “.”。")


def _number(function: str, name: str, value: Any) -> float:
    if isinstance(value, (int, float, np.number)) and np.isfinite(value):
        return float(value)
    if isinstance(value, (list, np.ndarray)) and len(value) > 0:
        return _number(function, name, value[0])  # one for each part, of which the first stands for all
    raise _wrong(f"`{name}` of {function}()", value, "A number belongs there.", "这里应是一个数。")


def _unknown(function: str, name: str) -> ProgramError:
    known = [*USED, *SHORT]
    hint, hint_zh = did_you_mean(name, known)
    return ProgramError(
        f"{function}() has no argument named `{name}`.",
        message_zh=f"{function}() 没有名为 `{name}` 的参数。",
        hint=hint or f"It takes: {', '.join(USED)}.",
        hint_zh=hint_zh or f"它接受：{', '.join(USED)}。",
        code="unknown_argument",
        kind="AttributeError",
    )


def _wrong(what: str, value: Any, hint: str, hint_zh: str) -> ProgramError:
    shown = f"{quoted(value):.60}" if isinstance(value, str) else type(value).__name__
    names = {"format": "格式", "colour": "颜色", "line style": "线型", "marker": "标记"}
    return ProgramError(
        f"{shown} is no {what} of matplotlib." if what in names else f"{what} cannot be {shown}.",
        message_zh=f"{shown} 不是 matplotlib 的{names[what]}。"
        if what in names
        else f"{what} 不能是 {shown}。",
        hint=hint,
        hint_zh=hint_zh,
        code="bad_value",
        kind="ValueError",
    )
