import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { PROGRAMS, askAhead, defaultExampleAddress, lessonAddress } from "../../frontend/api.js";
import * as session from "../../frontend/session.js";
import { INITIAL, state, update } from "../../frontend/store.js";
import { CHAIN, STEPS } from "./chain.js";

/** @typedef {{path: string, body: any, signal?: AbortSignal}} Asked */

/** @type {Asked[]} */
let asked = [];

/**
 * A server that answers from this table; a missing path is a server that does not answer.
 * @param {Record<string, (body: any) => unknown>} answers
 */
function serve(answers) {
  asked = [];
  globalThis.fetch = /** @type {typeof fetch} */ (
    async (path, { body, signal } = {}) => {
      const request = {
        path: String(path),
        body: body ? JSON.parse(String(body)) : null,
        signal: signal ?? undefined,
      };
      asked.push(request);
      const answer = Object.entries(answers).find(([name]) => request.path.startsWith(name));
      if (!answer) throw new TypeError("connection refused");
      await new Promise((resolve) => setTimeout(resolve));
      const result = answer[1](request.body);
      return result instanceof Response ? result : Response.json(result);
    }
  );
}

const PROGRAM = { ...CHAIN, id: "p_1" };
const SERVER = { "api/v1/programs/p_1/lesson": () => ({ steps: STEPS }), "api/v1/programs": () => PROGRAM };

beforeEach(() => {
  state.value = INITIAL;
  serve(SERVER);
});

/** @param {string} path */
const bodies = (path) => asked.filter((request) => request.path === path).map((request) => request.body);

test("a text is sent with the variables' values and its answer drawn with its lesson", async () => {
  update({ source: "y = exp(sin(x))", at: { x: 3 } });
  session.readAs("math");
  await settled();
  assert.deepEqual(bodies("api/v1/programs"), [{ source: "y = exp(sin(x))", dialect: "math", at: { x: 3 } }]);
  assert.equal(state.value.steps.length, STEPS.length);
  assert.equal(state.value.busy, false);
});

test("a value whose variable is gone is forgotten", async () => {
  update({ source: "y = exp(sin(x))", at: { x: 3, t: 7 } });
  session.readAs("math");
  await settled();
  assert.deepEqual(
    bodies("api/v1/programs").map((body) => body.at),
    [{ x: 3, t: 7 }, { x: 3 }],
  );
});

test("typing asks once, after a pause", async (context) => {
  /** @type {Array<() => void>} */
  const waiting = [];
  context.mock.method(globalThis, "setTimeout", (/** @type {() => void} */ run) => waiting.push(run));
  context.mock.method(globalThis, "clearTimeout", (/** @type {number} */ id) => delete waiting[id - 1]);
  session.edit("y");
  session.edit("y = x");
  assert.equal(asked.length, 0);
  context.mock.restoreAll();
  waiting.forEach((run) => run());
  await settled();
  assert.deepEqual(
    bodies("api/v1/programs").map((body) => body.source),
    ["y = x"],
  );
});

test("a new text ends the question about the old one", async () => {
  session.readAs("math");
  session.readAs("tf1");
  await settled();
  assert.equal(asked[0].signal?.aborted, true);
  assert.equal(state.value.program?.id, "p_1");
});

test("a slider that moves on waits for the answer and then asks for the latest value", async () => {
  session.setVariable("x", 1);
  session.setVariable("x", 2);
  session.setVariable("x", 3);
  await settled();
  assert.deepEqual(
    bodies("api/v1/programs").map((body) => body.at.x),
    [1, 3],
  );
});

test("a server that does not answer leaves the graph and says so", async () => {
  session.readAs("math");
  await settled();
  serve({});
  session.setVariable("x", 2);
  await settled();
  assert.deepEqual(state.value.trouble, { offline: true });
  assert.equal(state.value.program?.id, "p_1");
});

test("an answer that was asked for ahead goes to who asks the same first", async () => {
  const question = { source: "y = exp(sin(x))", dialect: "auto", at: {} };
  const { id } = await askAhead(PROGRAMS, question);
  await askAhead(lessonAddress(id));
  assert.equal(asked.length, 2);
  await session.openLinked(/** @type {any} */ (question));
  assert.equal(state.value.steps.length, STEPS.length);
  assert.equal(asked.length, 2);
  session.readAs("auto");
  await settled();
  assert.equal(asked.length, 4);
});

test("a question ahead that fails is told to who asks the same", async () => {
  serve({});
  const question = { source: "y = x", dialect: "auto", at: {} };
  await assert.rejects(askAhead(PROGRAMS, question));
  await session.openLinked(/** @type {any} */ (question));
  assert.deepEqual(state.value.trouble, { offline: true });
});

test("a link without an answer shows the example meanwhile, keeps its text and says so", async () => {
  const example = { program: CHAIN, lesson: { steps: STEPS }, source: "y = exp(sin(x))", at: { x: 3 } };
  serve({ [defaultExampleAddress()]: () => example });
  await session.openLinked({ source: "y = x^2", at: { x: 1 } });
  const { source, at, program, stale, trouble } = state.value;
  assert.deepEqual({ source, at, stale, trouble }, { source: "y = x^2", at: { x: 1 }, stale: true, trouble: { offline: true } });
  assert.deepEqual(program, CHAIN);
});

test("a problem document is kept to be shown", async () => {
  serve({ "api/v1/programs": () => Response.json({ detail: "too many requests" }, { status: 429 }) });
  session.readAs("math");
  await settled();
  assert.deepEqual(state.value.trouble, { offline: false, problem: { detail: "too many requests" } });
});

/** Wait until nothing is under way. */
async function settled() {
  do await new Promise((resolve) => setTimeout(resolve, 2));
  while (state.value.busy);
}
