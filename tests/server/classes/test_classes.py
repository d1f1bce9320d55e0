"""Class mode over REST: joining, following, asking in two rounds, counting; and who may do what."""

from __future__ import annotations

import base64
import csv
import io
import json
import zlib
from pathlib import Path

import httpx
import pytest

from server.routes.classes import safe_cell
from tests.server.classes.members import LAST_SUM, STATE, Person, ask, student, teacher
from tests.server.http.test_problems import check_problem
from tests.server.service import running

RIGHT, OVERWRITTEN = -0.14004, -1.14004  # of y = exp(sin x) + x at 3: both paths, the last one alone


def test_a_student_who_joins_finds_what_is_shown_and_a_label(client: httpx.Client) -> None:
    room = teacher(client)
    joined = client.post(f"/classes/{room.code.lower().replace('-', '')}/join").json()
    assert joined["label"] == {"en": "blue crane", "zh": "蓝鹤"}
    assert (joined["state"], joined["mode"], joined["question"], joined["seq"]) == (STATE, "follow", None, 0)


def test_a_short_address_opens_the_page_on_the_class(client: httpx.Client) -> None:
    answer = client.get(httpx.URL(client.base_url).join("/j/K7F3-QX4M"))
    assert (answer.status_code, answer.headers["location"]) == (307, "../?join=K7F3-QX4M")


def test_with_the_token_it_is_the_same_student_again(client: httpx.Client) -> None:
    room = teacher(client)
    first = student(room)
    student(room)
    again = first("POST", "/join").json()
    assert (again["student_token"], again["label"]["en"]) == (first.token, "blue crane")
    assert room("GET", "/results").json()["students"] == 2


def test_what_the_teacher_shows_reaches_who_follows_in_order(client: httpx.Client) -> None:
    room = teacher(client)
    one = student(room)
    for step in range(3):
        shown = room("PUT", "/state", link="#v1=abc", step=step, node="sin", mode="follow")
        assert shown.status_code == 204
    assert [(seq, kind, data["step"]) for seq, kind, data in one.poll()] == [
        (1, "state", 0), (2, "state", 1), (3, "state", 2),
    ]  # fmt: skip
    assert one.poll(after=2) == [
        (3, "state", {"link": "#v1=abc", "step": 2, "node": "sin", "mode": "follow"})
    ]
    assert one.poll(after=3) == []
    assert student(room)("POST", "/join").json()["state"]["step"] == 2


def test_the_tools_that_the_teacher_leaves_reach_those_there_and_those_who_come(
    client: httpx.Client,
) -> None:
    room = teacher(client)
    one = student(room)
    room("PUT", "/state", link="#v1=abc", step=1, mode="free", tools=["table", "ops"])
    assert one.poll()[-1][2]["tools"] == ["table", "ops"]
    assert student(room)("POST", "/join").json()["state"]["tools"] == ["table", "ops"]
    assert room("PUT", "/state", link=None, tools=["hammer"]).status_code == 422


def test_a_locked_code_lets_nobody_else_in_and_those_who_are_in_back(client: httpx.Client) -> None:
    room = teacher(client)
    one = student(room)
    room("PUT", "/state", link=None, step=1, mode="follow", locked=True)
    refused = client.post(f"/classes/{room.code}/join")
    check_problem(refused, 409, "class_locked")
    assert one("POST", "/join").status_code == 201  # with the token of the first time
    room("PUT", "/state", link=None, step=1, mode="follow")
    assert client.post(f"/classes/{room.code}/join").status_code == 201


def test_what_is_shown_is_short_so_that_what_is_kept_of_a_class_has_a_bound(client: httpx.Client) -> None:
    room = teacher(client)
    assert room("PUT", "/state", link="#" + "x" * 7_999, step=1).status_code == 204
    check_problem(room("PUT", "/state", link="#" + "x" * 8_000, step=1), 422, "bad_field")


def test_a_question_is_answered_closed_and_revealed(client: httpx.Client) -> None:
    room = teacher(client)
    pupils = [student(room) for _ in range(6)]
    asked = ask(room)
    assert (asked["kind"], asked["round"], asked["options"]) == ("number", 1, [])
    ((_, kind, data),) = pupils[0].poll()
    assert (kind, data) == ("question", asked)
    assert "answer" not in json.dumps(data)
    for pupil, value in zip(pupils, [RIGHT, RIGHT, OVERWRITTEN, OVERWRITTEN, 5.0, RIGHT], strict=True):
        assert pupil("PUT", f"/answers/{asked['id']}", value=value).status_code == 204
    assert pupils[5]("PUT", f"/answers/{asked['id']}", value=OVERWRITTEN).status_code == 204  # changed
    (open_one,) = room("GET", "/results").json()["questions"]
    assert (open_one["answered"], open_one["closed"], open_one["bins"]) == (6, False, None)

    assert room("POST", f"/questions/{asked['id']}/close").status_code == 204
    assert pupils[0]("PUT", f"/answers/{asked['id']}", value=1.0).status_code == 409
    bins = room("GET", "/results").json()["questions"][0]["bins"]
    counted = {one["misconception"] or one["label"]["en"]: one["count"] for one in bins if one["count"]}
    assert counted == {"right": 2, "M1": 3, "something else": 1}

    assert room("POST", f"/questions/{asked['id']}/reveal").status_code == 204
    kinds = [(kind, data) for _, kind, data in pupils[0].poll()]
    assert [kind for kind, _ in kinds] == ["question", "closed", "reveal"]
    revealed = kinds[-1][1]
    assert revealed["answer"]["data"] == pytest.approx(RIGHT, rel=1e-3)
    assert [(one["round"], one["answered"]) for one in revealed["rounds"]] == [(1, 6)]
    assert revealed["rounds"][0]["bins"] == bins


def test_two_rounds_are_revealed_side_by_side(client: httpx.Client) -> None:
    room = teacher(client)
    pupils = [student(room) for _ in range(5)]
    for number, value in ((1, OVERWRITTEN), (2, RIGHT)):
        asked = ask(room, round=number)
        for pupil in pupils:
            pupil("PUT", f"/answers/{asked['id']}", value=value)
        room("POST", f"/questions/{asked['id']}/close")
    room("POST", f"/questions/{asked['id']}/reveal")
    rounds = pupils[0].poll()[-1][2]["rounds"]
    by_round = {
        one["round"]: {each["misconception"]: each["count"] for each in one["bins"] if each["count"]}
        for one in rounds
    }
    assert by_round == {1: {"M1": 5}, 2: {None: 5}}


def test_fewer_than_five_answers_are_not_shown_to_the_class(client: httpx.Client) -> None:
    room = teacher(client)
    pupils = [student(room) for _ in range(4)]
    asked = ask(room)
    for pupil in pupils:
        pupil("PUT", f"/answers/{asked['id']}", value=RIGHT)
    room("POST", f"/questions/{asked['id']}/reveal")
    assert pupils[0].poll()[-1][2]["rounds"] == [{"round": 1, "answered": 4, "bins": None}]
    assert room("GET", "/results").json()["questions"][0]["bins"][0]["count"] == 4  # the teacher sees them


def test_who_comes_back_finds_the_question_with_their_answer(client: httpx.Client) -> None:
    room = teacher(client)
    one = student(room)
    asked = ask(room, kind="sign")
    one("PUT", f"/answers/{asked['id']}", option="-")
    found = one("POST", "/join").json()["question"]
    assert (found["id"], found["said"], found["closed"], "answer" in found) == (
        asked["id"],
        "-",
        False,
        False,
    )
    room("POST", f"/questions/{asked['id']}/reveal")
    assert one("POST", "/join").json()["question"]["answer"] == "-"


def packed(state: bytes) -> str:
    """A state as the page packs it into its address."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    deflated = packer.compress(state) + packer.flush()
    return "#v1=" + base64.urlsafe_b64encode(deflated).decode().rstrip("=")


@pytest.mark.parametrize("link", ["?example=g01", packed(b'{"source": "y = x^2", "at": {"x": 3}}')])
def test_a_question_is_of_the_program_that_the_link_holds(client: httpx.Client, link: str) -> None:
    room = teacher(client, {})
    room("PUT", "/state", link=link, step=0, node=None, mode="follow")
    assert ask(room, step=1)["prompt"]["en"].startswith("What is")


def test_lost_students_are_counted_by_step_and_nobody_is_named(client: httpx.Client) -> None:
    room = teacher(client)
    pupils = [student(room) for _ in range(3)]
    for pupil, step in zip(pupils, (5, 5, 6), strict=True):
        assert pupil("PUT", "/place", step=step).status_code == 204
    pupils[0]("POST", "/lost", step=5)
    pupils[2]("POST", "/lost", step=6)
    pupils[0]("PUT", "/place", step=5)  # still there
    pupils[2]("PUT", "/place", step=7)  # who goes on is no longer lost
    found = room("GET", "/results").json()
    assert (found["steps"], found["lost"]) == ({"5": 2, "7": 1}, {"5": 1})


def test_counts_come_as_a_table_whose_cells_are_no_formulas(client: httpx.Client) -> None:
    room = teacher(client)
    one = student(room)
    asked = ask(room, kind="sign")
    one("PUT", f"/answers/{asked['id']}", option="+")
    room("POST", f"/questions/{asked['id']}/close")
    text = room("GET", "/results?format=csv").text
    rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))
    assert ["answer", str(LAST_SUM), "1", "it rises", "变大", "False", "1"] in rows
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row)


WHO_MAY = [
    ("PUT", "/state", {"link": "#"}, "teacher"),
    ("POST", "/questions", {"step": LAST_SUM, "kind": "number", "round": 1}, "teacher"),
    ("POST", "/questions/q_1/close", {}, "teacher"),
    ("POST", "/questions/q_1/reveal", {}, "teacher"),
    ("GET", "/results", {}, "teacher"),
    ("DELETE", "", {}, "teacher"),
    ("PUT", "/answers/q_1", {"value": 1.0}, "student"),
    ("POST", "/lost", {"step": 1}, "student"),
    ("PUT", "/place", {"step": 1}, "student"),
]


@pytest.mark.parametrize(("method", "path", "body", "role"), WHO_MAY)
def test_a_route_is_for_one_role_and_says_so(
    client: httpx.Client, method: str, path: str, body: dict[str, object], role: str
) -> None:
    room = teacher(client)
    one = student(room)
    other = one if role == "teacher" else room
    nobody = Person(client, room.code, "")
    stranger = Person(client, room.code, teacher(client).token)
    assert [who(method, path, **body).status_code for who in (nobody, stranger, other)] == [401, 401, 403]


def test_a_class_that_has_ended_is_gone_and_who_follows_hears_so(tmp_path: Path) -> None:
    with running(tmp_path, GRADLENS_WORKERS="1") as client:
        room = teacher(client, {"source": "y = secretword^2", "at": {"secretword": 3.0}})
        one = student(room)
        asked = ask(room, step=1)
        one("PUT", f"/answers/{asked['id']}", value=9.0)
        with client.stream("GET", f"/classes/{room.code}/events?after=0", headers=bearer(one)) as stream:
            lines = stream.iter_lines()
            assert "event: question" in [next(lines) for _ in range(4)]
            assert room("DELETE", "").status_code == 204
            assert "event: ended" in list(lines)
        assert one("GET", "/poll").status_code == 404
        assert client.post(f"/classes/{room.code}/join").status_code == 404
    code = room.code.replace("-", "")
    kept = b"".join(
        path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and path.name != "log"
    )
    for word in (code, room.token, one.token, asked["id"], 'secretword^2", "at'):
        assert word.encode() not in kept
    log = (tmp_path / "log").read_text()
    assert code not in log
    assert room.code not in log


def bearer(person: Person) -> dict[str, str]:
    """The header that says who asks."""
    return {"authorization": f"Bearer {person.token}"}


def test_a_restart_loses_no_class(tmp_path: Path) -> None:
    with running(tmp_path, GRADLENS_WORKERS="1") as client:
        room = teacher(client)
        one = student(room)
        asked = ask(room)
        one("PUT", f"/answers/{asked['id']}", value=RIGHT)
        before = one("POST", "/join").json()
    with running(tmp_path, GRADLENS_WORKERS="1") as client:
        room.client = one.client = client
        assert one("POST", "/join").json() == before
        assert [kind for _, kind, _ in one.poll()] == ["question"]
        room("POST", f"/questions/{asked['id']}/close")
        assert room("GET", "/results").json()["questions"][0]["bins"][0]["count"] == 1


def test_wrong_codes_are_counted_and_right_ones_are_not(tmp_path: Path) -> None:
    with running(tmp_path, GRADLENS_WORKERS="1") as client:
        room = teacher(client)
        statuses = [client.post("/classes/AAAA-AAAA/join").status_code for _ in range(10)]
        assert statuses == [404] * 10
        refused = client.post("/classes/AAAA-AAAB/join")
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_codes")
        assert 1 <= int(refused.headers["retry-after"]) <= 61
        assert client.post(f"/classes/{room.code}/join").status_code == 429  # or guessing would go on
        for code in (room.code, "AAAA-AAAC"):  # nor does who has no token learn which codes there are
            asked = client.get(f"/classes/{code}/poll", headers={"Authorization": "Bearer s_unknown"})
            assert asked.status_code == 429


def test_wrong_codes_of_others_hold_up_nobody_who_is_in_a_class(tmp_path: Path) -> None:
    with running(tmp_path, GRADLENS_WORKERS="1") as client:
        room = teacher(client)
        pupil = student(room)
        assert [client.post("/classes/AAAA-AAAA/join").status_code for _ in range(11)] == [404] * 10 + [429]
        assert room("GET", "/results").json()["students"] == 1
        assert pupil("POST", "/lost", step=2).is_success


def test_sixty_join_from_one_address(client: httpx.Client) -> None:
    room = teacher(client)
    assert len({student(room).token for _ in range(60)}) == 60
    assert room("GET", "/results").json()["students"] == 60


@pytest.mark.parametrize(
    "body", [{}, {"value": 1, "option": "+"}, {"value": [1.0] * 17}, {"value": "x"}, {"node": 3}, {"said": 1}]
)
def test_an_answer_is_one_of_three(client: httpx.Client, body: dict[str, object]) -> None:
    room = teacher(client)
    one = student(room)
    asked = ask(room)
    assert one("PUT", f"/answers/{asked['id']}", **body).status_code == 422


def test_what_a_step_does_not_ask_is_refused(client: httpx.Client) -> None:
    room = teacher(client)
    refused = room("POST", "/questions", step=LAST_SUM, kind="formula", round=1)
    assert (refused.status_code, refused.json()["code"]) == (422, "no_such_question")
    refused = room("POST", "/questions", step=99, kind="number", round=1)
    assert refused.json()["code"] == "unknown_step"
    empty = teacher(client, {})
    assert empty("POST", "/questions", step=1, kind="number").json()["code"] == "no_program"


def test_an_ending_is_asked_of_a_run(client: httpx.Client) -> None:
    room = teacher(client, {"source": "y = x^2", "at": {"x": 3.0}})
    run = client.post(
        "/runs",
        json={
            "program": {"source": "y = x^2", "at": {"x": 3.0}},
            "optimizer": {"name": "GradientDescent", "learning_rate": 1.1},
            "steps": 20,
        },
    ).json()
    asked = ask(room, kind="ending", step=0, run=run["id"])
    assert [one["value"] for one in asked["options"]] == ["converge", "oscillate", "diverge"]
    room("POST", f"/questions/{asked['id']}/close")
    bins = room("GET", "/results").json()["questions"][0]["bins"]
    assert [one["label"]["en"] for one in bins if one["correct"]] == ["it diverges"]


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
        (" @SUM(1)", "' @SUM(1)"),
        ("＝1+1", "'＝1+1"),
        ("\t=1", "'\t=1"),
        ("-0.99", "'-0.99"),
        ("it rises", "it rises"),
        ("x = 3", "x = 3"),
        (7, 7),
    ],
)
def test_no_cell_of_the_counts_is_a_formula(cell: object, written: object) -> None:
    assert safe_cell(cell) == written
