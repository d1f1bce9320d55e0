"""Near misses: the name that was probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches

CLOSE_ENOUGH = (
    0.65  # of difflib's ratio: "compute_gradient" is 0.97 from "compute_gradients", "sim" 0.67 from "sin"
)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name closest to a misspelt one, capitals aside; None where nothing is near."""
    by_folded: dict[str, str] = {}
    for candidate in sorted(known):
        by_folded.setdefault(candidate.casefold(), candidate)
    folded = name.casefold()
    if folded in by_folded:
        return by_folded[folded]
    matches = get_close_matches(folded, by_folded, n=5, cutoff=CLOSE_ENOUGH) if len(folded) > 2 else []
    return by_folded[max(matches, key=lambda match: closeness(folded, match))] if matches else None


def closeness(name: str, candidate: str) -> tuple[bool, float, bool]:
    """How near two names are: swapped letters first, then what they share, then whether they begin alike."""
    swapped = sorted(name) == sorted(candidate)  # "tahn" is "tanh" before "tan"
    return swapped, SequenceMatcher(None, name, candidate).ratio(), name[:2] == candidate[:2]


# Letters of other alphabets that look like Latin ones.
LOOKALIKES = str.maketrans(
    "асеорхуіјѕԁАВЕКМНОРСТУХІЈοναρυκΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aceopxyijsdABEKMHOPCTYXIJovapukABEZHIKMNOPTYX"
)


def twin(name: str, known: Iterable[str]) -> str | None:
    """A known name that looks the same in other letters."""
    latin = name.translate(LOOKALIKES)
    return next((one for one in known if one != name and one.translate(LOOKALIKES) == latin), None)


def meant_instead(name: str, known: Iterable[str]) -> tuple[str, str] | None:
    """A name and the one to write in its place; None where `did_you_mean` has none."""
    known = list(known)
    found = twin(name, known) or nearest(name, known)
    return None if found is None else (name, found)


def one_of(
    name: str, known: Iterable[str], listed: str = "There are", listed_zh: str = "可用的有"
) -> tuple[str, str]:
    """The hint in both languages; where no name is near, all that there are."""
    names = list(known)
    hint, hint_zh = did_you_mean(name, names)
    return hint or f"{listed}: {', '.join(names)}.", hint_zh or f"{listed_zh}：{'、'.join(names)}。"


def did_you_mean(name: str, known: Iterable[str], prefix: str = "") -> tuple[str, str]:
    """The hint in both languages, or two empty strings."""
    known = list(known)
    same = twin(name, known)
    if same is not None:
        return (
            f"`{prefix}{same}` looks the same, but in letters of another alphabet: type one of them anew.",
            f"有一个看起来相同的 `{prefix}{same}`，但用的是另一种字母：请重新输入其中一个。",
        )
    found = nearest(name, known)
    if found is None:
        return "", ""
    return f"Did you mean `{prefix}{found}`?", f"是不是想写 `{prefix}{found}`？"
