"""Programs: run one, fetch it again, and ask for its lesson, its graph, its code, its tensors."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response

from engine.interchange.notebook import MEDIA_TYPE
from server.answers.progress_lines import ProgressLines
from server.http.body_route import BodyRoute
from server.routes.graph_forms import ANY_FORM, FILE_NAMES, TYPES, GraphDetail, LookAsked
from server.routes.shared import AnswersOf, or_lines, problems, send_while_there, send_with_progress
from server.schemas.answers.lessons import LessonAnswer, PathsAnswer, SideBySideAnswer
from server.schemas.answers.programs import CodeAnswer, NewNumbersAnswer, ProgramAnswer, TensorAnswer
from server.schemas.requests import Program

LINES = "A JSON object a line: a ProgramProgress now and then, at last the ProgramAnswer, its type `answer`."

Language = Literal["math", "latex", "tf1", "tf2", "numpy", "torch", "jax", "generated"]
DERIVATION: dict[str, Any] = {"content": {TYPES["tikz"]: {}}}
NOTEBOOK: dict[str, Any] = {"content": {MEDIA_TYPE: {}}}
Level = Literal["mathematics", "tensorflow", "torch", "jax"]

router = APIRouter(prefix="/programs", tags=["programs"], route_class=BodyRoute)


@router.post("", response_model=ProgramAnswer, responses={200: or_lines(LINES), **problems(413, 422, 503)})
async def run_program(request: Request, program: Program, answers: AnswersOf) -> Response:
    """Parse, run and differentiate a program. Its own mistakes are in `status` and `diagnostics`.

    With `Accept: application/x-ndjson` a program that takes longer than a second says how far it is, a line
    each time; who accepts `application/json`, too, is sent a quick answer whole. Either way, it is
    stopped where its reader goes away.
    """
    return await send_with_progress(
        request, partial(answers.program, program.to_engine()), partial(ProgressLines, "answer")
    )


@router.get("/{program_id}", response_model=ProgramAnswer, responses=problems(404))
async def get_program(request: Request, program_id: str, answers: AnswersOf) -> Response:
    """The answer to a program that was run before, byte for byte."""
    return await send_while_there(request, answers.kept_program(program_id))


@router.get("/{program_id}/graph", responses={200: ANY_FORM, **problems(404, 422, 503)})
async def get_graph(
    request: Request,
    program_id: str,
    answers: AnswersOf,
    look: LookAsked,
    detail: GraphDetail = "tensorflow",
) -> Response:
    """The graph for other tools: `pbtxt`, `pb`, `events` for TensorBoard, `dot` for Graphviz, `graphml`.

    Or a picture of all of it, as the page draws it: `svg`, `pdf`, `png`, or `tikz` for LaTeX; these alone are
    drawn at detail `mathematics`, too.
    """
    graph = answers.graph(program_id, replace(look, detail=detail))
    return await send_while_there(request, graph, TYPES[look.form], FILE_NAMES.get(look.form))


@router.get("/{program_id}/code", response_model=CodeAnswer, responses=problems(404, 422, 503))
async def write_code(
    request: Request,
    program_id: str,
    answers: AnswersOf,
    language: Annotated[Language, Query(alias="as")],
) -> Response:
    """The same computation written as mathematics, as LaTeX, or for another framework.

    `generated` is how it runs here: the text of the function that Gradlens generates and calls.
    """
    return await send_while_there(request, answers.code(program_id, language))


@router.get("/{program_id}/notebook", responses={200: NOTEBOOK, **problems(404, 422, 503)})
async def write_notebook(request: Request, program_id: str, answers: AnswersOf) -> Response:
    """A Jupyter notebook: the program, its values and gradients, code that checks them, the derivation.

    It runs from top to bottom with numpy alone, and with PyTorch, JAX or TensorFlow where they are there.
    """
    return await send_while_there(request, answers.notebook(program_id), MEDIA_TYPE, "program.ipynb")


@router.get(
    "/{program_id}/lesson",
    response_model=LessonAnswer,
    responses={200: DERIVATION, **problems(404, 422, 503)},
)
async def tell_lesson(
    request: Request,
    program_id: str,
    answers: AnswersOf,
    level: Annotated[Level | None, Query(description="Without it: mathematics for mathematics.")] = None,
    form: Annotated[Literal["json", "latex"], Query(alias="format")] = "json",
    language: Annotated[Literal["en", "zh"], Query(description="Of the words in a derivation.")] = "en",
) -> Response:
    """The steps of one forward and one backward pass, each with its sentence and its formula.

    `tensorflow` has a step for each node, `mathematics` one for each operation that the learner wrote.
    Loops have a step for each operation of each turn, of branches the one that was taken; a variable that is
    written on the way has a number for each of its values. Where the gradient of what was written is asked
    for there is a step for each node, and `level` says so. As `latex` the steps are a document of equations,
    each with its rule, its numbers and its value; at level `mathematics` where none is named.
    """
    if form == "latex":
        derivation = answers.derivation(program_id, level, language)
        return await send_while_there(request, derivation, TYPES["tikz"], "derivation.tex")
    return await send_while_there(request, answers.lesson(program_id, level))


@router.get("/{program_id}/new-numbers", response_model=NewNumbersAnswer, responses=problems(404, 422, 503))
async def find_new_numbers(
    request: Request,
    program_id: str,
    answers: AnswersOf,
    again: Annotated[int, Query(ge=0, le=1000, description="How often they were asked for before.")] = 0,
) -> Response:
    """Other numbers for the variables, short decimals, at which wrong answers differ from right ones.

    They stand in `at` as `POST /programs` takes them. `alike` counts the pairs of answers that still come
    to the same: some do at any numbers.
    """
    return await send_while_there(request, answers.new_numbers(program_id, again))


@router.get("/{program_id}/paths", response_model=PathsAnswer, responses=problems(404, 422, 503))
async def follow_paths(
    request: Request,
    program_id: str,
    answers: AnswersOf,
    x: Annotated[str | None, Query(description="As in `gradients[].name`; without it, the first.")] = None,
) -> Response:
    """All paths from a variable to the target: the product along each, their running sum, at most 50 of them.

    Beside them what naive recursion comes to, which sends on whatever arrives without waiting for the rest.
    """
    return await send_while_there(request, answers.paths(program_id, x))


@router.get("/{program_id}/side-by-side", response_model=SideBySideAnswer, responses=problems(404, 422, 503))
async def put_side_by_side(
    request: Request, program_id: str, answers: AnswersOf, left: Level, right: Level
) -> Response:
    """Two levels of one program: which nodes show the same quantity, and what differs.

    Nodes are paired where their values agree, at the program's inputs and with these moved. At level
    mathematics they are called by the nodes of the program's graph that they are about. The differences are
    read off both pictures; `corners` are the points of the program's ops where both take another slope,
    `here` whether its inputs are at one.
    """
    return await send_while_there(request, answers.side_by_side(program_id, left, right))


@router.get("/{program_id}/tensors/{name:path}", response_model=TensorAnswer, responses=problems(404, 503))
async def get_tensor(request: Request, program_id: str, name: str, answers: AnswersOf) -> Response:
    """One tensor's whole value, however large; slashes and `:0` stand in the address as they are."""
    return await send_while_there(request, answers.tensor(program_id, name))
