"""One word for one idea: names, comments and docstrings use the field's terms; only a lesson tells."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator

import pytest

from tests.test_layers import ROOT, modules

INSTEAD = {  # of words in a name, a comment or a docstring
    "tell|tells|told|telling": "say, show, report, list, name; a lesson is told",
    "peel|peels|peeled|peeling": "distribute, hoist",
    "promise|promises|promised": "lazy node",
    "settle|settles|settled|settling": "materialize",
    "stamp|stamps|stamped": "gradient template",
    "stretched": "broadcast",
    "tier|tiers": "interpreter, backend",
    "mishap|mishaps": "non-finite value, domain error",
    "rehearse|rehearses|rehearsal": "warm-up",
    "confinement": "sandbox",
    "undisturbed|outlook": "a name for what it returns",
}
INSTEAD_IN_NAMES = {  # these are plain words elsewhere
    "_?in_rows|steps_in_rows": "C-contiguous, strides",
    "_?turned": "transposed",
    "nobody": "None",
    "recalling": "row_values",
    "asking_ahead": "prefetch",
    "again_or_told|_given|_drawn|_kept|outlook": "a name for what it returns",
    "Once|Recent|Intake|Many|Value|Told": "SingleFlight, LRU cache, middleware, Tracer, callback",
}
INSTEAD_OF_MEMBER = {"member|members": "run (of a batch)"}  # where it is no name in a module or class
OF_BATCHES = ("engine/execution/batching", "engine/programs/races")
LESSONS = ("lesson", "tell_lesson")  # a folder, and what begins its telling
AS_THEY_ARE = {  # lines that use a word in another sense
    "benchmarks/in_page.py": ["A promise of how many milliseconds", "return new Promise("],  # JavaScript's
    "engine/programs/program/packing/small_file.py": ["self.tell()"],  # a file's own method
    "tests/engine/programs/program/packing/test_packing.py": ["files[0].tell()"],  # the same
    "tests/test_words.py": [""],  # the words themselves
}
JAVASCRIPT = re.compile(  # its comments, texts (with what is written in them) and names
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|[A-Za-z_$][\w$]*", re.DOTALL
)
DEFINED = r"^\s*(?:export\s+)?(?:async\s+)?(?:def|function\*?|class|const|let)\s+"

PROSE = [path for folder in ("docs", "benchmarks") for path in sorted((ROOT / folder).rglob("*.md"))]
SOURCES = [
    path
    for path in modules("engine", "server", "gradlens", "scripts", "benchmarks", "tests")
    if ROOT / "tests" / "browser" not in path.parents
]
SCRIPTS = [
    path
    for path in sorted((ROOT / "frontend").rglob("*.js"))
    if not {"vendor", "lesson"} & set(path.parts) and path.stem != "lesson"
]


def among(words: str, text: str, *, in_names: bool = False) -> bool:
    """Whether a text has one of the words, alone or as part of a name; or defines something of that name."""
    if in_names:
        return re.search(rf"{DEFINED}(?:{words})\b", text, re.MULTILINE) is not None
    return re.search(rf"(?<![a-z])(?:{words})(?![a-z])", text, re.IGNORECASE) is not None


def misnamed(text: str, rules: dict[str, str], *, in_names: bool = False) -> Iterator[str]:
    """What to write in a text instead of its private words."""
    return (f"{words}: {better}" for words, better in rules.items() if among(words, text, in_names=in_names))


def names_and_prose(source: str) -> Iterator[tuple[int, str]]:
    """Every name, comment and docstring line of a source, with its line; messages are not for us to judge."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in (tokenize.NAME, tokenize.COMMENT):
            yield token.start[0], token.string
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            doc = node.body[0] if node.body and ast.get_docstring(node, clean=False) else None
            if isinstance(doc, ast.Expr) and isinstance(doc.value, ast.Constant):
                yield from enumerate(str(doc.value.value).split("\n"), doc.lineno)


def names_and_comments(source: str) -> Iterator[tuple[int, str]]:
    """The same of a source in JavaScript, but its own word `Promise`; names are cut at their humps."""
    for part in JAVASCRIPT.finditer(source):
        if part[0][0] in "\"'":
            continue
        first = source.count("\n", 0, part.start()) + 1
        for number, line in enumerate(part[0].split("\n"), first):
            yield number, re.sub(r"(?<=[a-z])(?=[A-Z])", " ", re.sub(r"\bPromise\b", "", line))


def private_words(source: str, place: str) -> Iterator[str]:
    """The lines of a source that use a private word, with what to write instead."""
    rules = INSTEAD | (INSTEAD_OF_MEMBER if place.startswith(OF_BATCHES) else {})
    lines = source.split("\n")
    defines = not place.startswith("tests/") and among("|".join(INSTEAD_IN_NAMES), source, in_names=True)
    for number, line in enumerate(lines if defines else [], 1):
        yield from (f"line {number}: {found}" for found in misnamed(line, INSTEAD_IN_NAMES, in_names=True))
    is_script, plain = place.endswith(".js"), source.lower()
    if not is_script and not any(word in plain for word in "|".join(rules).split("|")):
        return  # as nearly always: then no part of it needs a look
    for number, text in (names_and_comments if is_script else names_and_prose)(source):
        taken_as_it_is = any(part in lines[number - 1] for part in AS_THEY_ARE.get(place, []))
        if not taken_as_it_is and not any(word in text for word in LESSONS):
            yield from (f"line {number}: {found}" for found in misnamed(text, rules))


def test_a_source_uses_the_fields_own_terms() -> None:
    found = {}
    for path in SOURCES + SCRIPTS:
        place = path.relative_to(ROOT).as_posix()
        if LESSONS[0] not in path.parts:
            found[place] = list(private_words(path.read_text(encoding="utf-8"), place))
    assert {place: words for place, words in found.items() if words} == {}


def test_a_document_uses_the_fields_own_terms() -> None:
    lines = [(path.name, line) for path in PROSE for line in path.read_text(encoding="utf-8").split("\n")]
    found = {(name, line): list(misnamed(line, INSTEAD)) for name, line in lines if "lesson" not in line}
    assert {place: words for place, words in found.items() if words} == {}


@pytest.mark.parametrize(
    "source",
    [
        "told = 1",
        "def as_told(): ...",
        "x = 1  # which tells how many",
        '"""The layer, told at once."""',
        'class A:\n    """A stamp."""',
        "def _given(): ...",
        "class Many: ...",
    ],
)
def test_a_private_word_would_be_noticed(source: str) -> None:
    assert list(private_words(source, "engine/some.py"))


@pytest.mark.parametrize(
    "source",
    ["const told = 1;", "// What it tells.", "/**\n * A stamp.\n */", "settlePorts(mesh);", "class Once {}"],
)
def test_a_private_word_of_the_page_would_be_noticed(source: str) -> None:
    assert list(private_words(source, "frontend/some.js"))


def test_other_words_of_the_page_are_as_they_were() -> None:
    assert not list(private_words('new Promise(read("told")); // kept', "frontend/some.js"))


@pytest.mark.parametrize(
    "source",
    [
        "x = 'It tells of a mistake.'",
        "timestamp = 1",
        "given = 1  # kept",
        "tell_lesson(1)",
        "foretold = 1",
        "members = 1",
    ],
)
def test_other_words_are_as_they_were(source: str) -> None:
    assert not list(private_words(source, "engine/some.py"))
    assert list(private_words("members = 1", "engine/programs/races/race.py"))
