"""The REST interface as other programs rely on it: every path, and every field by its name and type."""

from __future__ import annotations

from typing import Any, get_args

import httpx
import pytest

from engine.interchange.code import LANGUAGES
from engine.interchange.picture import THEMES
from engine.programs.answers.generated_text import GENERATED
from engine.programs.answers.graph_files import DETAILS, MEDIA_TYPES
from engine.programs.answers.picture_files import DIRECTIONS, PICTURE_TYPES
from engine.programs.frameworks import PICTURES
from engine.programs.lesson import LEVELS
from engine.programs.lesson.steps import MATHEMATICS
from server.routes.graph_forms import Direction, GraphDetail, GraphForm, Theme
from server.routes.programs import Language

PATHS = {
    "/programs": "post",
    "/programs/{program_id}": "get",
    "/programs/{program_id}/graph": "get",
    "/programs/{program_id}/lesson": "get",
    "/programs/{program_id}/new-numbers": "get",
    "/programs/{program_id}/paths": "get",
    "/programs/{program_id}/side-by-side": "get",
    "/programs/{program_id}/tensors/{name}": "get",
    "/programs/{program_id}/code": "get",
    "/programs/{program_id}/notebook": "get",
    "/runs": "post",
    "/runs/{run_id}": "get",
    "/runs/{run_id}/graph": "get",
    "/runs/{run_id}/code": "get",
    "/runs/{run_id}/steps/{k}": "get",
    "/races": "post",
    "/landscapes": "post",
    "/comparisons": "post",
    "/differences": "post",
    "/classes": "post",
    "/classes/{code}": "delete",
    "/classes/{code}/join": "post",
    "/classes/{code}/state": "put",
    "/classes/{code}/questions": "post",
    "/classes/{code}/questions/{question}/close": "post",
    "/classes/{code}/questions/{question}/reveal": "post",
    "/classes/{code}/answers/{question}": "put",
    "/classes/{code}/lost": "post",
    "/classes/{code}/place": "put",
    "/classes/{code}/results": "get",
    "/classes/{code}/poll": "get",
    "/classes/{code}/events": "get",
    "/imports": "post",
    "/imports/{import_id}": "get",
    "/imports/{import_id}/graph": "get",
    "/imports/{import_id}/gradients": "post",
    "/imports/{import_id}/values": "post",
    "/pictures": "post",
    "/links": "post",
    "/links/{link_id}": "get",
    "/ops": "get",
    "/ops/{name}": "get",
    "/optimizers": "get",
    "/examples": "get",
    "/examples/{example_id}": "get",
    "/health": "get",
    "/ready": "get",
    "/metrics": "get",
    "/version": "get",
}
SOURCE = """\
import tensorflow as tf
x = tf.Variable(3.0, name="x")
p = tf.placeholder(tf.float32)
y = x ** 2 + p
big = tf.fill([5000], 2.0) * x
bad = tf.log(x - 4.0)
train = tf.train.GradientDescentOptimizer(0.01).minimize(y)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run([train, y], {p: 1.0})
    sess.run([big, bad])
y
"""
SQUARE = {"source": "y = x^2", "at": {"x": 3}}
DESCENT = {"name": "Momentum", "learning_rate": 0.1, "momentum": 0.5}
NUMBER = {"dtype": str, "shape": list, "data": float}
PLACE = {"line": int, "column": int, "end_line": int, "end_column": int}
DIAGNOSTIC = {**PLACE, **dict.fromkeys(("severity", "code", "message", "hint", "message_zh", "hint_zh"), str)}


def holds(found: Any, form: Any) -> bool:
    """Whether it has exactly these fields, each of its type; a list has one form for all of its items."""
    if isinstance(form, dict):
        return found.keys() == form.keys() and all(holds(found[name], form[name]) for name in form)
    if isinstance(form, list):
        return bool(found) and all(holds(item, form[0]) for item in found)
    return found is None if form is None else isinstance(found, form)


@pytest.fixture(scope="module")
def program(client: httpx.Client) -> Any:
    """An answer with sessions, an update, a large tensor and a number that JSON cannot hold."""
    return client.post("/programs", json={"source": SOURCE}).json()


def test_every_path_is_there_and_takes_its_method(client: httpx.Client) -> None:
    described = client.get("/openapi.json").json()["paths"]
    prefix = "/api/v1"
    assert {path.removeprefix(prefix): next(iter(methods)) for path, methods in described.items()} == PATHS


def test_what_can_be_got_can_be_asked_for_its_head(client: httpx.Client) -> None:
    for path in ("/health", "/ops", "/examples/g01"):
        got, head = client.get(path), client.head(path)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-length"] == got.headers["content-length"]


def test_the_fields_of_a_program(program: Any) -> None:
    texts = dict.fromkeys(("id", "dialect", "status", "target"), str)
    lists = dict.fromkeys(
        ("printed", "figures", "inputs", "bindings", "gradients", "sessions", "diagnostics"), list
    )
    usage = {"steps": int, "nodes": int, "elements": int}
    assert holds(program, {**texts, **lists, "graph": {"nodes": list}, "result": dict, "usage": usage})
    assert program["result"].items() >= {"kind": "tensor", "tensor": "add:0"}.items()
    gradient = {"y": str, "x": str, "name": str, "tensor": str, "value": NUMBER}
    assert holds(program["gradients"], [{**gradient, "reason": None, "reason_zh": None}])


def test_the_fields_of_a_node(program: Any) -> None:
    node = next(node for node in program["graph"]["nodes"] if node["name"] == "gradients/pow_grad/mul")
    texts = dict.fromkeys(("name", "op", "device", "phase", "of"), str)
    lists = {"inputs": [str], "control_inputs": list, "outputs": [{"dtype": str, "shape": list}]}
    assert holds(node, {**texts, **lists, "attrs": dict, "span": PLACE, "value": NUMBER})
    assert (node["phase"], node["of"]) == ("gradient", "pow")


def test_the_fields_of_a_session_and_its_runs(program: Any) -> None:
    (session,) = program["sessions"]
    assert session.keys() == {"runs", "kept"}
    kept = session["kept"][1]
    change = {"variable": str, "before": NUMBER, "after": NUMBER}
    form = {"index": int, "line": int, "fetches": list, "feeds": list, "updates": [change], "nodes": dict}
    assert holds(kept, form)
    assert holds([*kept["fetches"][1:], *kept["feeds"]], [{"tensor": str, "value": NUMBER}])
    assert kept["fetches"][0]["value"] is None  # the train op
    assert kept["nodes"]["pow:0"]["data"] == 9.0


def test_bindings_say_what_they_hold(program: Any) -> None:
    bound = {binding["name"]: binding for binding in program["bindings"]}
    kinds = {"x": "variable", "y": "tensor", "train": "operation", "sess": "other"}
    assert {name: bound[name]["kind"] for name in kinds} == kinds
    assert bound["bad"]["value"]["data"] == "nan"  # strict JSON has no word for it
    big = bound["big"]["value"]
    numbers = dict.fromkeys(("min", "max", "mean", "std"), float)
    summary = {**numbers, "nan_count": int, "inf_count": int, "histogram": dict}
    assert holds(big, {"dtype": str, "shape": [int], "data": None, "summary": summary})
    assert len(big["summary"]["histogram"]["counts"]) == 64


def test_the_fields_of_a_diagnostic(client: httpx.Client) -> None:
    diagnostics = client.post("/programs", json={"source": "y = sim(x)"}).json()["diagnostics"]
    assert holds(diagnostics, [{**DIAGNOSTIC, "fix": {**PLACE, "text": str}}])


def test_the_fields_of_a_lesson(client: httpx.Client, program: Any) -> None:
    lesson = client.get(f"/programs/{program['id']}/lesson").json()
    assert holds(lesson, {"program": str, "level": str, "steps": list, "values": dict, "reason": None})
    step = next(step for step in lesson["steps"] if step["upstream"] and step["local"])
    tensor, text = {"tensor": str, "value": NUMBER}, {"en": str, "zh": str}
    names = dict.fromkeys(("phase", "node", "of", "rule", "rule_numbers"), str)
    form = {**names, "index": int, "sentence": text, "inputs": [tensor], "output": tensor, "upstream": tensor}
    further = {"local": [{"input": str, "value": dict}], "contributions": list, "misconceptions": list}
    assert holds(step, {**form, **further})


def test_the_fields_of_a_lesson_at_level_mathematics(client: httpx.Client, program: Any) -> None:
    lesson = client.get(f"/programs/{program['id']}/lesson", params={"level": "mathematics"}).json()
    assert lesson["level"] == "mathematics"
    step = next(step for step in lesson["steps"] if step["phase"] == "backward" and step["rule_numbers"])
    tensor, text = {"tensor": str, "value": NUMBER}, {"en": str, "zh": str}
    names = dict.fromkeys(("phase", "node", "of", "rule", "rule_numbers", "rule_text", "result"), str)
    lists = {"nodes": [str], "local": [{"input": str, "value": NUMBER}], "misconceptions": list}
    texts = ("expression", "expression_text", "upstream_expression", "upstream_text", "factor", "factor_text")
    places = dict.fromkeys(("from", "to", *texts), str)
    sent = {**places, **dict.fromkeys(("upstream", "local", "value"), NUMBER)}
    form = {**names, **lists, "index": int, "sentence": text, "inputs": [tensor], "output": tensor}
    assert holds(step, {**form, "upstream": tensor, "contributions": [sent], "question": dict})


def test_the_fields_of_a_question(client: httpx.Client) -> None:
    square = f"/programs/{client.post('/programs', json=SQUARE).json()['id']}/lesson"
    step = next(step for step in client.get(square).json()["steps"] if step["phase"] == "backward")
    text = {"en": str, "zh": str}
    choice = {"id": str, "value": NUMBER, "why": text}
    assert holds(
        step["question"],
        {"kind": str, "prompt": text, "answer": NUMBER, "to": str, "choices": [choice]},
    )


def test_new_numbers_are_the_same_each_time_and_run_the_program(client: httpx.Client) -> None:
    program = client.post("/programs", json=SQUARE).json()["id"]
    found = client.get(f"/programs/{program}/new-numbers").json()
    assert holds(found, {"program": str, "at": {"x": float}, "alike": int})
    assert client.get(f"/programs/{program}/new-numbers").json() == found
    assert client.get(f"/programs/{program}/new-numbers", params={"again": 1}).json()["at"] != found["at"]
    assert client.post("/programs", json={**SQUARE, "at": found["at"]}).json()["status"] == "ok"


def test_the_fields_of_the_paths_to_a_variable(client: httpx.Client) -> None:
    asked = {"source": "y = x * sin(x)", "at": {"x": 2}}
    program = client.post("/programs", json=asked).json()["id"]
    found = client.get(f"/programs/{program}/paths", params={"x": "x"}).json()
    quantity = {"tensor": str, "expression": str, "expression_text": str}
    factor = {"formula": str, "formula_text": str, "value": float}
    path = {"quantities": [quantity], "factors": [factor], "product": float, "sum": float}
    form = {"count": int, "paths": [path], "gradient": NUMBER, "naive": float, "visits": dict}
    assert holds(found, {"program": str, "y": str, "x": str, "reason": None, **form})
    assert client.get(f"/programs/{program}/paths", params={"x": "z"}).status_code == 422


def test_two_levels_of_a_program_are_put_side_by_side(client: httpx.Client) -> None:
    program = client.post("/programs", json={"source": "y = exp(sin(x))", "at": {"x": 3}}).json()["id"]
    address = f"/programs/{program}/side-by-side"
    found = client.get(address, params={"left": "torch", "right": "jax"}).json()
    assert (found["program"], found["left"], found["right"]) == (program, "torch", "jax")
    gradients = [one for one in found["quantities"] if one["kind"] == "gradient"]
    assert gradients[0] == {
        "kind": "gradient",
        "text": "∂y/∂(sin x)",
        "left": ["SinBackward0"],
        "right": ["e"],
    }
    assert {one["kind"] for one in found["differences"]} == {"local", "kept", "count"}
    assert client.get(address, params={"left": "jax", "right": "jax"}).status_code == 422
    assert client.get(address, params={"left": "jax", "right": "caffe"}).status_code == 422


def test_a_lesson_has_the_level_that_is_asked_for_else_its_dialects(client: httpx.Client) -> None:
    square = f"/programs/{client.post('/programs', json=SQUARE).json()['id']}/lesson"
    assert client.get(square).json()["level"] == "mathematics"
    asked = {level: client.get(square, params={"level": level}).json() for level in LEVELS}
    assert [asked[level]["level"] for level in LEVELS] == list(LEVELS)
    assert asked["mathematics"]["steps"] != asked["tensorflow"]["steps"]
    as_torch = client.get(square, params={"level": "torch"}).json()  # written for PyTorch, and walked there
    assert (as_torch["level"], "import torch" in as_torch["written"]) == ("torch", True)
    assert client.get(square, params={"level": "keras"}).status_code == 422


def test_the_fields_of_a_tensor_and_of_code(client: httpx.Client, program: Any) -> None:
    tensor = client.get(f"/programs/{program['id']}/tensors/mul:0").json()
    assert holds(tensor, {"tensor": str, "dtype": str, "shape": [int], "data": [float]})
    square = client.post("/programs", json=SQUARE).json()["id"]
    code = client.get(f"/programs/{square}/code", params={"as": "numpy"}).json()
    assert holds(code, {"language": str, "source": str})


def test_the_fields_of_a_run_and_of_a_step(client: httpx.Client) -> None:
    run = client.post("/runs", json={"program": SQUARE, "optimizer": DESCENT, "steps": 4}).json()
    column = [float]
    columns = {
        "steps": [int],
        "loss": column,
        "slots": {"x": {"momentum": column}},
        "nodes": dict,
        "shared": {},
    }
    of_x = {name: {"x": column} for name in ("variables", "gradients", "processed")}
    ending = {"status": str, "stopped_at": None, "diagnostics": list}
    assert holds(run, {"id": str, "program": dict, "feeds": list, **columns, **of_x, **ending})
    assert {len(column) for column in [run["loss"], run["variables"]["x"], *run["nodes"].values()]} == {5}
    step = client.get(f"/runs/{run['id']}/steps/4").json()
    names = {"variable": str, "gradient": str, "processed": str, "slots": {"momentum": str}}
    assert holds(step, {"step": int, "nodes": dict, "pairs": {"x": names}})
    assert step["nodes"]["pow:0"]["data"] == run["loss"][4]


def test_the_fields_of_a_race(client: httpx.Client) -> None:
    asked = {"program": SQUARE, "steps": 3, "runs": [{"optimizer": DESCENT}, {"optimizer": DESCENT}]}
    race = client.post("/races", json=asked).json()
    run = {"optimizer": dict, "schedule": None, "process": list, "start": dict, "columns": dict}
    ending = {"status": str, "stopped_at": None, "diagnostics": list}
    assert holds(race, {"id": str, "program": str, "steps": int, "runs": [{**run, **ending}]})
    assert race["runs"][0]["columns"]["loss"][0] == 9.0


def test_the_fields_of_a_landscape(client: httpx.Client) -> None:
    axis = {"variable": "x", "from": -1, "to": 1, "count": 3}
    found = client.post("/landscapes", json={"program": SQUARE, "axes": [axis]}).json()
    assert found["axes"] == [{"variable": "x", "values": [-1, 0, 1]}]
    assert (found["values"], found["gradient"]) == ([1, 0, 1], None)
    (point,) = found["points"]
    assert point.items() >= {"kind": "minimum", "at": {"x": 0.0}, "value": 0.0}.items()


def test_an_empty_list_hears_how_long_it_has_to_be(client: httpx.Client) -> None:
    problem = client.post("/races", json={"program": SQUARE, "steps": 3, "runs": []}).json()
    assert problem["detail"] == "The field `runs` should be a list whose length is at least 1."
    assert problem["message_zh"] == "字段 `runs` 应为一个列表，项数不少于 1。"


def test_a_program_is_given_in_every_form_that_the_engine_has() -> None:
    assert get_args(GraphForm) == (*MEDIA_TYPES, *PICTURE_TYPES)
    assert get_args(GraphDetail) == (*DETAILS, MATHEMATICS, *PICTURES)
    assert get_args(Theme) == tuple(THEMES)
    assert get_args(Direction) == DIRECTIONS
    assert get_args(Language) == (*LANGUAGES, GENERATED)
