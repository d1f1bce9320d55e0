import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { beginAgain, optimise, reset, settingsMoved, showRow, stop } from "../../../frontend/requests/run.js";
import { edit } from "../../../frontend/requests/session.js";
import { INITIAL, state, update } from "../../../frontend/store.js";
import { CHAIN, halvings, linesOf } from "../chain.js";

/** @typedef {{body: any, signal: AbortSignal, more: () => void}} Asked */

/** @type {Asked[]} */
let asked = [];
let otherwise = 0; // questions about something else than a run

/**
 * A server that tells these runs line by line; a line whose number `held` names waits for `more()`.
 * @param {(body: any) => import("../../../frontend/types.js").Run | Response} answer @param {number} [held]
 */
function serve(answer, held = Infinity) {
  asked = [];
  globalThis.fetch = /** @type {typeof fetch} */ (
    async (path, { body, signal } = {}) => {
      if (path !== "api/v1/runs") return Response.json({ detail: `${++otherwise}` }, { status: 404 });
      const read = JSON.parse(String(body));
      const request = { body: read, signal: /** @type {AbortSignal} */ (signal), more: () => {} };
      const held_back = new Promise((resolve) => (request.more = () => resolve(undefined)));
      asked.push(request);
      const told = answer(read);
      if (told instanceof Response) return told;
      return new Response(streamed(linesOf(told), held, held_back, request.signal));
    }
  );
}

/**
 * @param {unknown[]} lines @param {number} held @param {Promise<unknown>} release @param {AbortSignal} signal
 * @returns {ReadableStream<Uint8Array>}
 */
function streamed(lines, held, release, signal) {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`);
  let next = 0;
  return new ReadableStream({
    start(controller) {
      signal.addEventListener("abort", () => controller.error(new DOMException("", "AbortError")));
    },
    async pull(controller) {
      if (next === held) await release;
      if (signal.aborted) return;
      if (next === text.length) controller.close();
      else {
        const bytes = new TextEncoder().encode(text[next]);
        controller.enqueue(bytes.slice(0, 7)); // a line may arrive in pieces
        controller.enqueue(bytes.slice(7));
      }
      next += 1;
    },
  });
}

beforeEach(() => {
  reset();
  state.value = { ...INITIAL, program: CHAIN };
});

/** Wait until something holds. @param {() => unknown} holds */
async function until(holds) {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 1));
}

test("updates ask for rows ahead, so that the next ones need no request", async () => {
  serve(({ steps }) => halvings(steps));
  await optimise(1);
  await optimise(10);
  assert.equal(state.value.row, 11);
  assert.equal(asked.length, 1);
  assert.deepEqual(asked[0].body.optimizer, { name: "GradientDescent", learning_rate: 0.01 });
});

test("quick presses are all counted", async () => {
  serve(({ steps }) => halvings(steps));
  await Promise.all([optimise(1), optimise(1), optimise(10)]);
  assert.equal(state.value.row, 12);
  assert.equal(asked.length, 1);
});

test("rows are shown before the last of them has arrived", async () => {
  serve(({ steps }) => halvings(steps), 2);
  const done = optimise(1000);
  await until(() => state.value.row === 1); // the first chunk has rows 0 and 1
  assert.deepEqual([state.value.busy, state.value.run?.status], [true, "running"]);
  asked[0].more();
  await done;
  assert.deepEqual([state.value.row, state.value.busy, state.value.run?.status], [1000, false, "ok"]);
});

test("a run that is stopped closes its connection and keeps its rows", async () => {
  serve(({ steps }) => halvings(steps), 2);
  const done = optimise(1000);
  await until(() => state.value.row === 1);
  stop();
  await done;
  assert.ok(asked[0].signal.aborted);
  assert.deepEqual([state.value.row, state.value.run?.status, state.value.goal], [1, "cancelled", null]);
  assert.equal(state.value.trouble, null);
});

test("a stopped run goes on from its last row", async () => {
  serve(({ steps, start }) => halvings(steps, start.x ?? 3), 2);
  const done = optimise(1000);
  await until(() => state.value.row === 1);
  stop();
  await done;
  const on = optimise(1);
  asked[1].more();
  await on;
  assert.deepEqual(asked[1].body.start, { x: 1.5 });
  assert.deepEqual(state.value.run?.variables.x.slice(0, 3), [3, 1.5, 0.75]);
});

const typeOn = () => edit("y = cos(x)");

for (const [way, go] of /** @type {[string, () => void][]} */ ([
  ["a step back", () => showRow(0)],
  ["reset", reset],
  ["another text", typeOn],
]))
  test(`${way} ends a run under way`, async () => {
    serve(({ steps }) => halvings(steps), 2);
    const done = optimise(1000);
    await until(() => state.value.row === 1);
    go();
    await done;
    assert.ok(asked[0].signal.aborted);
    assert.equal(state.value.goal, null);
    if (go === typeOn) await until(() => otherwise > 0); // the new text is asked about after a while
  });

test("a changed rate acts on the next update: the run continues from the row that is shown", async () => {
  serve(({ steps, start }) => halvings(steps, start.x));
  await optimise(2);
  update({ settings: { ...state.value.settings, rate: 0.1 } });
  await optimise(1);
  assert.deepEqual(asked[1].body.start, { x: 0.75 });
  assert.equal(state.value.row, 3);
  assert.deepEqual(state.value.run?.variables.x.slice(0, 4), [3, 1.5, 0.75, 0.375]);
});

test("a rate that is changed while a run is under way acts on it, and the goal stays", async () => {
  serve(({ steps, start }) => halvings(steps, start.x ?? 3), 2);
  const done = optimise(10);
  await until(() => state.value.row === 1);
  update({ settings: { ...state.value.settings, rate: 0.1 } });
  settingsMoved();
  await until(() => asked.length === 2);
  asked[1].more();
  await done;
  assert.deepEqual([asked[1].body.optimizer.learning_rate, asked[1].body.start], [0.1, { x: 1.5 }]);
  assert.equal(state.value.row, 10);
});

test("a run that ended goes no further than its end", async () => {
  serve(() => ({ ...halvings(3), status: "diverged" }));
  await optimise(100);
  await optimise(100);
  assert.equal(state.value.row, 3);
  assert.equal(asked.length, 1);
});

test("what has gone astray begins anew with other settings, and goes on from a row before its end", async () => {
  serve(({ steps, start }) => (start.x ? halvings(steps, start.x) : { ...halvings(3), status: "diverged" }));
  await optimise(100);
  update({ settings: { ...state.value.settings, rate: 0.001 } });
  await optimise(1);
  assert.deepEqual([asked[1].body.start, state.value.row], [{}, 1]);
  await optimise(100);
  showRow(2);
  update({ settings: { ...state.value.settings, rate: 0.002 } });
  await optimise(1);
  assert.deepEqual([asked[2].body.start, state.value.row], [{ x: 0.75 }, 3]); // 3 / 2²
});

test("the rate that is offered is taken from the start, also in place of the program's own", async () => {
  serve(({ steps, optimizer }) => (optimizer.learning_rate === 0.001 ? halvings(steps) : { ...halvings(3), status: "diverged" }));
  await optimise(1000);
  await beginAgain(0.001);
  assert.deepEqual([state.value.settings.rate, asked[1].body.start, state.value.row], [0.001, {}, 100]);
  update({ settings: { ...state.value.settings, name: "own" } });
  await beginAgain(0.001);
  assert.deepEqual([state.value.settings.ownRate, asked[2].body.optimizer], [0.001, { learning_rate: 0.001 }]);
});

test("what a limit ended goes on with the next press", async () => {
  serve(({ start }) => ({ ...halvings(3, start.x), status: "limit" }));
  await optimise(100);
  assert.equal(state.value.row, 3);
  await optimise(100);
  assert.deepEqual([asked[1].body.start, state.value.row, asked.length], [{ x: 0.375 }, 6, 2]);
});

test("clipping is sent as a process step", async () => {
  serve(({ steps }) => halvings(steps));
  update({ settings: { ...state.value.settings, process: "clip_by_norm", limit: 5 } });
  await optimise(1);
  assert.deepEqual(asked[0].body.process, [{ clip_by_norm: 5 }]);
});

test("a request that does not fit is told, and nothing is under way any more", async () => {
  serve(() => Response.json({ detail: "no such optimizer" }, { status: 422 }));
  await optimise(1);
  assert.deepEqual(state.value.trouble, { offline: false, problem: { detail: "no such optimizer" } });
  assert.deepEqual([state.value.goal, state.value.busy, state.value.run], [null, false, null]);
});

test("a run that a limit ends before its first row says why", async () => {
  const told = { ...halvings(0), steps: [], status: "limit", diagnostics: [/** @type {any} */ ({ message: "too long" })] };
  serve(() => told);
  await optimise(1);
  assert.deepEqual(state.value.trouble, { offline: false, problem: { detail: "too long", message_zh: undefined } });
});
