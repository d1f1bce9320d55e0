import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import {
  chooseChanges,
  choiceOf,
  compareWithFile,
  isKnown,
  isThere,
  loadChanges,
} from "../../../../frontend/requests/docks/changes.js";
import { INITIAL, state, update } from "../../../../frontend/store.js";

/** What was asked, in order. @type {{path: string, body: any}[]} */
const asked = [];

/** A server that answers every question. @param {number} [status] */
function serve(status = 200) {
  asked.length = 0;
  globalThis.fetch = /** @type {typeof fetch} */ (
    async (path, options) => {
      const { body } = options ?? {};
      asked.push({ path: String(path), body: typeof body === "string" ? JSON.parse(body) : body });
      const answer = String(path).includes("examples") ? { source: "y = sin(x)", at: { x: 3 } } : { id: "i_1", equal: true };
      return new Response(JSON.stringify(status === 200 ? answer : { code: "x", detail: "no" }), { status });
    }
  );
}

/** Until what was sent is taken in. */
async function taken() {
  for (let turn = 0; turn < 8; turn += 1) await new Promise((done) => setImmediate(done));
}

/** @param {string} source */
const text = (source) => ({ id: `p_${source}`, source, dialect: /** @type {const} */ ("auto"), at: {} });

beforeEach(() => {
  serve();
  update({ ...INITIAL, drawnText: text("new"), earlier: [text("old"), text("older")] });
});

test("of itself the program is compared with its text before the last change, once", async () => {
  loadChanges();
  loadChanges();
  await taken();
  loadChanges();
  assert.deepEqual(asked, [{ path: "api/v1/differences", body: { before: "p_old", after: "p_new" } }]);
  assert.ok(isThere(state.value));
  assert.equal(state.value.changesFound?.answer?.equal, true);
});

test("what is chosen is compared with: an older text, an example, another text", async () => {
  for (const chosen of /** @type {const} */ ([
    { kind: "earlier", place: 1 },
    { kind: "example", id: "g12" },
    { kind: "text", source: "y = x" },
  ])) {
    chooseChanges({ chosen });
    assert.equal(isThere(state.value), false);
    loadChanges();
    await taken();
  }
  const questions = asked.filter(({ path }) => path.endsWith("differences")).map(({ body }) => body.before);
  assert.deepEqual(questions, ["p_older", { source: "y = sin(x)", at: { x: 3 } }, { source: "y = x", at: {} }]);
});

test("a formula is computed at the numbers of the one that is drawn, a program at its own", async () => {
  update({ drawnText: { ...text("new"), at: { x: 3 } } });
  for (const source of ["y = x", "import torch"]) {
    chooseChanges({ chosen: { kind: "text", source } });
    loadChanges();
    await taken();
  }
  assert.deepEqual(
    asked.map(({ body }) => body.before),
    [{ source: "y = x", at: { x: 3 } }, { source: "import torch" }],
  );
});

test("the example that comes with the page has no id yet, and is sent along", async () => {
  update({ earlier: [{ ...text("y = x"), id: null, at: { x: 3 } }] });
  loadChanges();
  await taken();
  assert.deepEqual(asked[0].body.before, { source: "y = x", dialect: "auto", at: { x: 3 } });
});

test("a kept text stays the one that is compared with", async () => {
  chooseChanges({ kept: text("mine"), chosen: { kind: "kept" } });
  update({ drawnText: text("newer"), earlier: [text("new"), ...state.value.earlier] });
  loadChanges();
  await taken();
  assert.deepEqual(asked[0].body, { before: "p_mine", after: "p_newer" });
});

test("a graph in a file is opened first, a program in a file is another text", async () => {
  await compareWithFile(new File(["node {}"], "model.pb"));
  assert.deepEqual(choiceOf(state.value), { kind: "graph", id: "i_1", name: "model.pb" });
  await compareWithFile(new File(["y = x"], "a.py"));
  assert.deepEqual(choiceOf(state.value), { kind: "text", source: "y = x" });
});

test("why it cannot be compared is kept, and not asked for again", async () => {
  serve(422);
  loadChanges();
  await taken();
  loadChanges();
  assert.equal(asked.length, 1);
  assert.equal(state.value.changesFound?.trouble?.offline, false);
});

test("a graph that the server has not got is not asked about", async () => {
  update({ drawnText: { ...text(""), id: null } });
  assert.equal(isKnown(state.value), false);
  loadChanges();
  await taken();
  assert.deepEqual(asked, []);
});

test("nothing is asked without an earlier text, or while the text is being read", async () => {
  update({ earlier: [] });
  loadChanges();
  update({ earlier: [text("old")], stale: true });
  loadChanges();
  await taken();
  assert.deepEqual(asked, []);
});
