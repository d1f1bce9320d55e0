// A class as one browser sees it: how each event changes it.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  afterAnswer,
  afterEvent,
  hasTool,
  isFollowing,
  newClassroom,
  rulesOf,
  share,
  stage,
  tidyCode,
  toggledTool,
} from "../../../frontend/state/classroom.js";

const student = newClassroom({ role: "student", code: "K7F3-QX4M", token: "gs_1" });
const asked = { id: "q_1", step: 5, kind: "number", round: 1, prompt: { en: "What?", zh: "多少？" }, options: [] };

test("what the teacher shows is taken in, with its number", () => {
  const now = afterEvent(student, { seq: 7, type: "state", data: { link: "#v1=a", step: 2, node: null, mode: "free" } });
  assert.deepEqual(now.shown, { link: "#v1=a", step: 2, node: null });
  assert.deepEqual([now.mode, now.seq], ["free", 7]);
});

test("who explores alone stays away until the class is free", () => {
  const away = { ...student, away: true };
  const state = (/** @type {string} */ mode) => ({ seq: 1, type: "state", data: { mode } });
  assert.equal(isFollowing(afterEvent(away, state("follow"))), false);
  assert.equal(afterEvent(away, state("free")).away, false);
});

test("a question is open, closed, then revealed with what the class has said", () => {
  const open = afterEvent(student, { seq: 1, type: "question", data: asked });
  const said = afterAnswer(open, "q_1", 3);
  const closed = afterEvent(said, { seq: 2, type: "closed", data: { id: "q_1" } });
  const rounds = [{ round: 1, answered: 5, bins: [] }];
  const shown = afterEvent(closed, { seq: 3, type: "reveal", data: { id: "q_1", step: 5, answer: 4, rounds } });
  assert.deepEqual([student, open, closed, shown].map(stage), ["none", "open", "closed", "revealed"]);
  assert.deepEqual([shown.question?.said, shown.question?.answer, shown.question?.rounds], [3, 4, rounds]);
});

test("events about another question change nothing", () => {
  const open = afterEvent(student, { seq: 1, type: "question", data: asked });
  assert.equal(stage(afterEvent(open, { seq: 2, type: "closed", data: { id: "q_2" } })), "open");
});

test("a class that is over has no question", () => {
  const over = afterEvent(afterEvent(student, { seq: 1, type: "question", data: asked }), { seq: 2, type: "ended", data: {} });
  assert.deepEqual([over.ended, over.question], [true, null]);
});

test("bars are measured by the widest", () => {
  const bin = (/** @type {number} */ count) => ({ label: { en: "", zh: "" }, misconception: null, correct: false, count });
  const bins = [bin(4), bin(1)];
  assert.deepEqual(
    bins.map((each) => share(bins, each)),
    [1, 0.25],
  );
  assert.equal(share([bin(0)], bin(0)), 0);
});

test("a code is put in two groups of four as it is typed", () => {
  assert.deepEqual(["k7f", "k7f3qx", "K7F3-QX4M9", " k7 f3"].map(tidyCode), ["K7F", "K7F3-QX", "K7F3-QX4M", "K7F3"]);
});

test("a student has the tools that the teacher leaves, a teacher has all", () => {
  const told = afterEvent(student, { seq: 1, type: "state", data: { link: null, mode: "free", tools: ["table", "ops"] } });
  assert.deepEqual([hasTool(told, "table"), hasTool(told, "race")], [true, false]);
  assert.equal(hasTool({ ...told, role: "teacher" }, "race"), true);
  assert.equal(hasTool(null, "race"), true);
  const freed = afterEvent(told, { seq: 2, type: "state", data: { link: null, mode: "free" } });
  assert.deepEqual([freed.tools, hasTool(freed, "race")], [null, true]);
});

test("tools are left out and given again one by one; all of them are no list", () => {
  const all = /** @type {const} */ (["curves", "table", "ops"]);
  const without = toggledTool(all, null, "table");
  assert.deepEqual(without, ["curves", "ops"]);
  assert.equal(toggledTool(all, without, "table"), null);
  assert.deepEqual(toggledTool(all, ["ops"], "ops"), []);
});

test("whoever comes in finds which tools there are, and whether others may follow", () => {
  assert.deepEqual(rulesOf({ link: null, tools: ["ops"], locked: true }), { tools: ["ops"], locked: true });
  assert.deepEqual(rulesOf({ source: "y = x" }), { tools: null, locked: false });
});

test("what comes back of a teacher's choices takes none of those back that followed", () => {
  const teacher = {
    ...student,
    role: /** @type {const} */ ("teacher"),
    tools: null,
    locked: true,
    mode: /** @type {const} */ ("free"),
  };
  const later = afterEvent(teacher, { seq: 7, type: "state", data: { link: null, mode: "follow", tools: ["ops"] } });
  assert.deepEqual([later.seq, later.mode, later.tools, later.locked], [7, "free", null, true]);
});
