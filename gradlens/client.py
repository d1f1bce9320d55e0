"""A client of the REST interface: typed answers, and how far a long run is.

>>> from gradlens import Client
>>> client = Client("http://127.0.0.1:8000")
>>> program = client.program("y = exp(sin(x))", at={"x": 3})
>>> client.run(program.id, steps=100, optimizer={"name": "Adam", "learning_rate": 0.1}).loss[-1]
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

from pydantic import BaseModel

from gradlens.columns import Columns
from server.schemas.answers.common import ProblemDocument
from server.schemas.answers.derivatives import ComparisonAnswer
from server.schemas.answers.lessons import LessonAnswer
from server.schemas.answers.programs import CodeAnswer, ProgramAnswer, TensorAnswer
from server.schemas.answers.runs import RunAnswer
from server.schemas.differences import DifferencesAnswer
from server.schemas.imports import ImportAnswer, ImportedGradientsAnswer, ImportedValuesAnswer

T = TypeVar("T", bound=BaseModel)
Report = Callable[[int, int], None]  # rows that are there, and the most that there can be

JSON, NDJSON, BYTES = "application/json", "application/x-ndjson", "application/octet-stream"
BAR = 40  # characters


class ClientError(Exception):
    """A request that was not answered. problem: what the service says of it; None where it is not reached."""

    def __init__(self, message: str, problem: ProblemDocument | None = None) -> None:
        super().__init__(message)
        self.problem = problem


def show_progress(done: int, rows: int) -> None:
    """A bar on a terminal; nothing elsewhere."""
    if sys.stderr.isatty():
        filled = BAR * done // max(rows, 1)
        end = "\n" if done >= rows else ""
        print(f"\r[{'#' * filled}{'.' * (BAR - filled)}] {done}/{rows}", end=end, file=sys.stderr, flush=True)


class Client:
    """What a service at `url` answers.

    timeout_s: how long it may be silent.
    report:    called with how far a run is.
    Raises: ClientError in every method.
    """

    def __init__(
        self, url: str = "http://127.0.0.1:8000", *, timeout_s: float = 60.0, report: Report = show_progress
    ) -> None:
        self.url = f"{url.rstrip('/')}/api/v1"
        self._timeout_s = timeout_s
        self._report = report

    # -- programs ------------------------------------------------------------------------------------------

    def program(self, source: str, **given: Any) -> ProgramAnswer:
        """Run and differentiate a program. given: `dialect`, `at`, `feeds`, `data`, `seed`, `wrt`, …"""
        return self._posted(ProgramAnswer, "/programs", {"source": source, **given})

    def lesson(self, program: str, level: str | None = None) -> LessonAnswer:
        """The steps of the lesson of a program, which is named by its id, here and below."""
        return self._got(LessonAnswer, f"/programs/{quote(program)}/lesson", level=level)

    def code(self, program: str, language: str) -> str:
        """The same computation in another language, such as `tf2` or `torch`."""
        return self._got(CodeAnswer, f"/programs/{quote(program)}/code", **{"as": language}).source

    def notebook(self, program: str) -> bytes:
        """The program as a Jupyter notebook that runs from top to bottom."""
        return self._bytes(f"/programs/{quote(program)}/notebook")

    def tensor(self, program: str, name: str) -> TensorAnswer:
        """One tensor's whole value."""
        return self._got(TensorAnswer, f"/programs/{quote(program)}/tensors/{quote(name)}")

    def graph(
        self, name: str, form: str = "pbtxt", detail: str = "tensorflow", theme: str = "light"
    ) -> bytes:
        """The graph of a program, a run or an import, as `pb`, `pbtxt`, `events`, `dot`, …

        Or a picture of it, as `svg`, `pdf`, `png` or `tikz`. theme: of a picture: `light`, `dark`, `print`.
        """
        noun = {"r": "runs", "i": "imports"}.get(name.partition("_")[0], "programs")
        look = {"format": form, "detail": detail, "theme": theme}
        return self._bytes(f"/{noun}/{quote(name)}/graph?{urlencode(look)}")

    def derivation(self, program: str, language: str = "en") -> bytes:
        """The program's lesson as equations for LaTeX. language: `en` or `zh`."""
        asked = urlencode({"format": "latex", "language": language})
        return self._bytes(f"/programs/{quote(program)}/lesson?{asked}")

    def table(self, run: str, form: str = "csv") -> bytes:
        """A run as a table, a row for the start and one for each update: `csv` or `parquet`."""
        return self._bytes(f"/runs/{quote(run)}?format={form}")

    def compare(self, program: str, **asked: Any) -> ComparisonAnswer:
        """The derivative three ways. asked: `by`, or a `derivative` of one's own to be judged."""
        return self._posted(ComparisonAnswer, "/comparisons", {"program": program, **asked})

    def differences(
        self, before: str | Mapping[str, Any], after: str | Mapping[str, Any], **asked: Any
    ) -> DifferencesAnswer:
        """What differs between two programs or imports, by their ids or as `{"source": …}`.

        asked: `detail`, or `tolerance` as `{"relative": …, "absolute": …}`.
        """
        return self._posted(DifferencesAnswer, "/differences", {"before": before, "after": after, **asked})

    # -- runs ----------------------------------------------------------------------------------------------

    def run(self, program: str | Mapping[str, Any], steps: int, **asked: Any) -> RunAnswer:
        """Optimise a program, by its id or `{"source": …}`; `report` hears of the rows as they come.

        asked: `optimizer`, `process`, `schedule`, `start`, `slots`, `record`, as in `POST /runs`.
        """
        body = {"program": program, "steps": steps, **asked}
        columns, whole = Columns(), dict[str, Any]()
        for event in self._lines("/runs", body):
            kind, _ = event.pop("type"), event.pop("sequence")
            if kind == "chunk":
                columns.add(event)
                self._report(columns.rows, whole["rows"])
            else:
                whole |= event
        rows = whole.pop("rows")
        if columns.rows < rows:
            self._report(columns.rows, columns.rows)
        return RunAnswer.model_validate({**whole, **columns.whole()})

    # -- graphs of other programs --------------------------------------------------------------------------

    def open(self, file: str | Path | bytes) -> ImportAnswer:
        """Open the file of a graph: a GraphDef, a SavedModel, an event file."""
        data = file if isinstance(file, bytes) else Path(file).read_bytes()
        return ImportAnswer.model_validate_json(self._bytes("/imports", data, content=BYTES))

    def gradients(self, graph: str, y: str, xs: Sequence[str]) -> ImportedGradientsAnswer:
        """The graph of an import grown by the gradient nodes that TensorFlow would add."""
        return self._posted(
            ImportedGradientsAnswer, f"/imports/{quote(graph)}/gradients", {"y": y, "xs": [*xs]}
        )

    def values(
        self, graph: str, feeds: Mapping[str, Any] | None = None, variables: Mapping[str, Any] | None = None
    ) -> ImportedValuesAnswer:
        """Values of all that can be computed of an import; arrays are given as nested lists."""
        body = {"feeds": dict(feeds or {}), "variables": dict(variables or {})}
        return self._posted(ImportedValuesAnswer, f"/imports/{quote(graph)}/values", body)

    # -- asking --------------------------------------------------------------------------------------------

    def _posted(self, kind: type[T], path: str, body: Mapping[str, Any]) -> T:
        return kind.model_validate_json(self._bytes(path, json.dumps(body).encode()))

    def _got(self, kind: type[T], path: str, **query: str | None) -> T:
        asked = urlencode({name: value for name, value in query.items() if value is not None})
        return kind.model_validate_json(self._bytes(f"{path}?{asked}" if asked else path))

    def _lines(self, path: str, body: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        with self._answer(path, json.dumps(body).encode(), JSON, NDJSON) as answer:
            for line in answer:
                yield json.loads(line)

    def _bytes(self, path: str, body: bytes | None = None, content: str = JSON) -> bytes:
        with self._answer(path, body, content, "*/*") as answer:
            found: bytes = answer.read()
            return found

    def _answer(self, path: str, body: bytes | None, content: str, accept: str) -> Any:
        request = Request(self.url + path, body, {"Content-Type": content, "Accept": accept})
        try:
            return urlopen(request, timeout=self._timeout_s)
        except HTTPError as error:
            raise _refused(error) from None
        except (URLError, TimeoutError) as error:
            raise ClientError(f"No answer from {self.url}: {getattr(error, 'reason', error)}.") from None


def _refused(error: HTTPError) -> ClientError:
    """What the service says is wrong with a request."""
    text = error.read()
    try:
        problem = ProblemDocument.model_validate_json(text)
    except ValueError:
        return ClientError(f"{error.code}: {text[:200].decode(errors='replace')}")
    return ClientError(f"{problem.detail} {problem.hint}".rstrip(), problem)
