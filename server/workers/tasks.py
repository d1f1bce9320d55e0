"""What a worker process does: a request in, a finished answer out, as bytes ready to send.

The engine, the JSON text and its compression all run here, so that the event loop only moves bytes.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from typing import Any, TypeVar

import orjson

from engine.errors import LimitError
from engine.execution.budget import Limits
from engine.graph.lazy_nodes import collector_at_rest
from engine.interchange.picture import Drawing, to_pdf
from engine.programs import (
    Checkpoints,
    ProgramRequest,
    RunRequest,
    follow_paths,
    optimise,
    optimise_events,
    other_numbers,
    replay,
    run_and_pack,
)
from engine.programs.answers.generated_text import GENERATED, generated_loop
from engine.programs.answers.graph_files import download_graph, download_run_graph, download_tensor
from engine.programs.answers.picture_files import PICTURE_TYPES, Look, draw_program, draw_run
from engine.programs.answers.pictures import tell_lesson_at
from engine.programs.landscapes import Band, Glimpse, LandscapeRequest, View
from engine.programs.program.progress import Report
from engine.programs.program.running import dialect_of
from engine.programs.races import Cut, RaceRequest, cuts_of, part_of, run_race
from engine.programs.training.scheduler import Scheduler
from server.pictures.page_layout import lay_out
from server.serialization.answer import Answer, line, pack, pack_file
from server.serialization.bounded_json import as_json
from server.serialization.gzip_pieces import Piece, as_gzip, with_commas
from server.serialization.identity import landscape_id, program_id, race_id, run_id
from server.serialization.landscape_bands import Bands, WrittenBand, join_landscape, written_band
from server.workers.streams import Outlet, SlowReader

T = TypeVar("T")

MANY_ELEMENTS = 10_000_000  # that a program computed, so that its arrays may be large


def answer_program(request: ProgramRequest, limits: Limits, report: Report | None = None) -> Answer:
    """Run a program: the answer of `POST /programs`. report: called now and then with how far it is."""
    body, ran = run_and_pack(request, limits, report)
    if body["usage"]["elements"] > MANY_ELEMENTS:
        gc.collect()  # its graph and arrays only reach each other, and the answer's text needs their memory
    understood = replace(request, dialect=body["dialect"], ran=ran)
    name = program_id(request, body["dialect"])
    out_of_memory = any(item["code"] == "memory_limit" for item in body["diagnostics"])
    return Answer(name, pack({"id": name, **body}, limits), understood, out_of_memory=out_of_memory)


def stream_program(outlet: Outlet, request: ProgramRequest, limits: Limits) -> Answer:
    """The same, with a message now and then on how far the program is; it ends when the reader has gone."""

    def send(report: dict[str, Any]) -> None:
        try:
            outlet.send(as_json(report, limits.answer_bytes))
        except (BrokenPipeError, SlowReader):
            raise LimitError(
                "The reader has gone.", message_zh="读取结果的一方已经离开。", code="reader_gone"
            ) from None

    return answer_program(request, limits, send)


def answer_lesson(program: str, request: ProgramRequest, level: str, limits: Limits) -> Answer:
    """Tell a program's steps at a level: the answer of `GET /programs/{id}/lesson`."""
    lesson = tell_lesson_at(request, limits, level)
    return Answer(f"{program}/lesson/{level}", pack({"program": program, **lesson}, limits))


def answer_picture(key: str, drawing: Drawing, limits: Limits) -> Answer:
    """The marks of a picture as PDF: the answer of `POST /pictures`."""
    return Answer(key, pack_file(to_pdf(drawing), limits))


def answer_derivation(
    name: str, request: ProgramRequest, level: str | None, language: str, limits: Limits
) -> Answer:
    """A program's lesson for LaTeX: the answer of `GET /programs/{id}/lesson?format=latex`."""
    from engine.programs.answers.derivation import written_derivation

    return Answer(name, pack_file(written_derivation(request, level, language, limits).encode(), limits))


def answer_new_numbers(name: str, request: ProgramRequest, again: int, limits: Limits) -> Answer:
    """Other numbers for a program's variables: the answer of `GET /programs/{id}/new-numbers`."""
    program = name.partition("/")[0]
    return Answer(name, pack({"program": program, **other_numbers(request, limits, again)}, limits))


def answer_paths(name: str, request: ProgramRequest, x: str | None, limits: Limits) -> Answer:
    """The paths from a variable to the target: the answer of `GET /programs/{id}/paths`."""
    program = name.partition("/")[0]
    return Answer(name, pack({"program": program, **follow_paths(request, limits, x)}, limits))


def answer_side_by_side(name: str, request: ProgramRequest, left: str, right: str, limits: Limits) -> Answer:
    """Two levels of a program: the answer of `GET /programs/{id}/side-by-side`."""
    from engine.programs.side_by_side import side_by_side

    program = name.partition("/")[0]
    return Answer(name, pack({"program": program, **side_by_side(request, limits, left, right)}, limits))


def answer_graph(name: str, request: ProgramRequest, look: Look, limits: Limits) -> Answer:
    """A program's graph for other tools, or as a picture: the answer of `GET /programs/{id}/graph`."""
    if look.form in PICTURE_TYPES:
        return Answer(name, pack_file(draw_program(request, look, lay_out, limits), limits))
    return Answer(name, pack_file(download_graph(request, look.detail, look.form, limits), limits))


def answer_run_graph(
    name: str, request: ProgramRequest, run: RunRequest, look: Look, limits: Limits
) -> Answer:
    """The graph that a run has grown: the answer of `GET /runs/{id}/graph`."""
    if look.form in PICTURE_TYPES:
        return Answer(name, pack_file(draw_run(request, run, look, lay_out, limits), limits))
    return Answer(name, pack_file(download_run_graph(request, run, look.detail, look.form, limits), limits))


def answer_code(name: str, request: ProgramRequest, language: str, limits: Limits) -> Answer:
    """A program in another language: the answer of `GET /programs/{id}/code`."""
    from engine.programs.answers.code import written_code

    return Answer(
        name, pack({"language": language, "source": written_code(request, language, limits)}, limits)
    )


def answer_notebook(name: str, request: ProgramRequest, limits: Limits) -> Answer:
    """A program as a Jupyter notebook: the answer of `GET /programs/{id}/notebook`."""
    from engine.programs.answers.notebook import written_notebook

    return Answer(name, pack_file(written_notebook(request, limits), limits))


def answer_run_table(
    name: str, request: ProgramRequest, run: RunRequest, form: str, limits: Limits
) -> Answer:
    """A run as a table: the answer of `GET /runs/{id}?format=csv`."""
    from engine.programs.answers.run_tables import written_run

    return Answer(name, pack_file(written_run(request, run, form, limits), limits))


def answer_run_code(name: str, request: ProgramRequest, run: RunRequest, limits: Limits) -> Answer:
    """How a run runs: the answer of `GET /runs/{id}/code`."""
    return Answer(name, pack({"language": GENERATED, "source": generated_loop(request, run, limits)}, limits))


def answer_run(program: str, request: ProgramRequest, run: RunRequest, limits: Limits) -> Answer:
    """Optimise a program's target: the answer of `POST /runs`."""
    kept = Checkpoints()
    body = optimise(request, run, limits, kept)
    name = run_id(program, run)
    text = pack({"id": name, **body, "program": {"id": program, **body["program"]}}, limits)
    return Answer(name, text, checkpoints=kept.as_bytes())


def stream_run(outlet: Outlet, request: ProgramRequest, run: RunRequest, limits: Limits) -> bytes:
    """Send the messages of a streamed `POST /runs` as they are computed. Returns: the run's checkpoints."""
    kept = Checkpoints()
    with closing(run_messages(request, run, limits, kept, Scheduler(outlet.check))) as messages:
        for message in messages:
            outlet.send(message)
    return kept.as_bytes()


def run_messages(
    request: ProgramRequest, run: RunRequest, limits: Limits, kept: Checkpoints, scheduler: Scheduler
) -> Generator[bytes]:
    """Optimise a program's target: the program's dialect, the header, then rows as they are computed.

    The dialect goes ahead, as a message of its own, and so does the header; whoever reads them waits for
    the first rows, so that a mistake in those is still an error of the request.
    """
    dialect = dialect_of(request)
    yield dialect.encode()
    program = program_id(request, dialect)
    with ExitStack() as beginning:
        if request.ran:  # until the first rows are there, all that is made is kept
            beginning.enter_context(collector_at_rest())
        for number, event in enumerate(optimise_events(request, run, limits, kept, scheduler)):
            if event["type"] == "header":
                view = event.pop("program")
                named = {"id": run_id(program, run), "program": {"id": program, **view}}
                yield line(number, {**event, **named}, limits)
            else:
                yield line(number, event, limits)
                beginning.close()


def answer_step(
    name: str, request: ProgramRequest, run: RunRequest, step: int, checkpoints: bytes, limits: Limits
) -> Answer:
    """Every tensor at one step of a run: the answer of `GET /runs/{id}/steps/{k}`."""
    return Answer(name, pack(replay(request, run, step, limits, checkpoints), limits))


def answer_tensor(name: str, request: ProgramRequest, tensor: str, limits: Limits) -> Answer:
    """One tensor's whole value: the answer of `GET /programs/{id}/tensors/{name}`."""
    return Answer(name, pack(download_tensor(request, tensor, limits), limits))


def answer_comparison(
    name: str, request: ProgramRequest, by: str | None, derivative: str | None, limits: Limits
) -> Answer:
    """Differentiate a program's target three ways: the answer of `POST /comparisons`."""
    from engine.programs.answers.comparison import compare_ways  # loads SymPy, which only this needs

    return Answer(name, pack(compare_ways(request, limits, by, derivative), limits))


def answer_race(
    program: str, request: ProgramRequest, race: RaceRequest, limits: Limits
) -> Answer | list[Cut]:
    """Race many optimizers: the answer of `POST /races`, or where to cut a race that is too long for one."""
    cuts = cuts_of(request, race, limits)
    if len(cuts) > 1:
        return cuts
    return join_race(program, race, [race_part(request, race, cuts[0], limits)], limits)


def race_part(request: ProgramRequest, race: RaceRequest, cut: Cut, limits: Limits) -> Piece:
    """Some runs of a race, as JSON with commas between."""
    return Piece.of(
        as_json({"": run_race(request, part_of(race, cut), limits)["runs"]}, limits.answer_bytes)[5:-2]
    )


def join_race(program: str, race: RaceRequest, parts: Sequence[Piece], limits: Limits) -> Answer:
    """The parts of a race as one answer. Raises: AnswerTooLarge."""
    name = race_id(program, race)
    head = orjson.dumps({"id": name, "program": program, "steps": race.steps})
    pieces = [Piece.of(head[:-1] + b',"runs":['), *with_commas(parts), Piece.of(b"]}")]
    return Answer(name, as_gzip(pieces, limits.answer_bytes))


def answer_landscape(
    program: str, request: ProgramRequest, asked: LandscapeRequest, limits: Limits
) -> Answer | Bands:
    """A target over one or two axes: the answer of `POST /landscapes`, or the bands of one that is large."""
    view = View.of(request, asked, limits)
    bands = view.bands()
    if len(bands) > 1:
        return Bands(bands, view.frame())
    part = written_band(view, bands[0])
    findings = view.without_grids([part.glimpse])
    return Answer(landscape_id(program, asked), join_landscape(program, asked, findings, [part], limits))


def landscape_part(
    request: ProgramRequest, asked: LandscapeRequest, band: Band, limits: Limits
) -> WrittenBand:
    """Some rows of a landscape."""
    return written_band(View.of(request, asked, limits), band)


def finish_landscape(
    request: ProgramRequest, asked: LandscapeRequest, glimpses: Sequence[Glimpse], limits: Limits
) -> dict[str, Any]:
    """What was found of a landscape besides its grids."""
    return View.of(request, asked, limits).without_grids(glimpses)


FIRST_STEPS = (
    "y = exp(sin(x))",
    """\
import tensorflow as tf
x = tf.Variable(3.0)
y = tf.exp(tf.sin(x))
slope = tf.gradients(y, x)[0]
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run([y, slope]))
""",
    """\
import torch
x = torch.tensor(3.0, requires_grad=True)
y = torch.exp(torch.sin(x))
y.backward()
print(y.item(), x.grad.item())
model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU())
optimizer = torch.optim.SGD([x, *model.parameters()], lr=0.1)
for step in range(12):
    optimizer.zero_grad()
    loss = torch.nn.functional.mse_loss(x * model(torch.ones(1, 2)), torch.zeros(1, 2))
    loss.backward()
    optimizer.step()
""",
    """\
import jax
import jax.numpy as jnp
def f(x):
    return jnp.exp(jnp.sin(x))
print(jax.value_and_grad(f)(3.0))
""",
)


def warm_up() -> None:
    """Do once, before anybody waits, what nearly every request needs: the first time takes twice as long.

    (The memory that a process shares with the one it was forked from is copied where it is first touched.)
    """
    limits = Limits()
    for source in FIRST_STEPS:
        answer_program(ProgramRequest(source=source), limits)
    program = ProgramRequest(source=FIRST_STEPS[0])
    run = RunRequest(steps=20, optimizer={"name": "Adam", "learning_rate": 0.1})
    for _ in run_messages(program, run, limits, Checkpoints(), Scheduler()):
        pass


def compare_once() -> None:
    """Do once what comparisons of derivatives and formulas of gradients need beside: SymPy, above all."""
    answer_comparison("", ProgramRequest(source="y = exp(sin(x))"), None, None, Limits())


def send_through(path: str, patience_s: float, function: Callable[..., T], *arguments: Any) -> T | None:
    """Run `function(outlet, *arguments)`, whose messages go to the pipe at `path` while it is read.

    Returns: what the function returns; None where the reader has gone.
    """
    try:
        outlet = Outlet(path, patience_s)
    except OSError:
        return None
    try:
        return function(outlet, *arguments)
    except BrokenPipeError:
        return None
    finally:
        outlet.close()
