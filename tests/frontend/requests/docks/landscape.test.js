import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { wantLandscape } from "../../../../frontend/requests/docks/landscape.js";
import { INITIAL, state, update } from "../../../../frontend/store.js";
import { CHAIN } from "../../chain.js";

/** @param {number[]} numbers */
const packed = (numbers) => ({
  dtype: "float64",
  shape: [numbers.length],
  base64: Buffer.from(new Float64Array(numbers).buffer).toString("base64"),
});
const HEADER = { type: "header", id: "l_1", target: "y:0", axes: [{ variable: "x", values: [0, 1, 2, 3] }], bands: 2 };
const LATER = { type: "band", first: 2, end: 4, values: packed([4, 9]), gradient: [packed([4, 6])] };
const EARLIER = { type: "band", first: 0, end: 2, values: packed([0, 1]), gradient: [packed([0, 2])] };
const FOOTER = { type: "footer", extent: { min: 0, max: 9, not_finite: 0 }, points: [], path: null, diagnostics: [] };

/** @type {(line: object | null) => void} */
let send;
let asked = 0;
/** To each that was asked, in order. @type {(typeof send)[]} */
const senders = [];

/** A server that sends the lines that a test wants. */
function serve() {
  asked = 0;
  senders.length = 0;
  globalThis.fetch = /** @type {typeof fetch} */ (
    async () => {
      asked += 1;
      const body = new ReadableStream({
        start(controller) {
          send = (line) =>
            line ? controller.enqueue(new TextEncoder().encode(`${JSON.stringify(line)}\n`)) : controller.close();
          senders.push(send);
        },
      });
      return new Response(body, { headers: { "Content-Type": "application/x-ndjson" } });
    }
  );
}

/** Until what was sent is taken in. */
const taken = () => new Promise((done) => setImmediate(() => setImmediate(done)));

beforeEach(() => {
  update(INITIAL);
  const source = "y = x^2";
  update({ source, answered: source, program: { ...CHAIN, bindings: [{ kind: "variable", name: "x", value: 1 }] } });
});

test("a landscape is shown as its bands come, in whatever order, and asked for once", async () => {
  serve();
  wantLandscape();
  await taken();
  send(HEADER);
  await taken();
  assert.deepEqual(state.value.landscapeFound?.coming, { done: 0, bands: 2 });
  assert.deepEqual(state.value.landscapeFound?.grid?.values, [NaN, NaN, NaN, NaN]);
  wantLandscape(); // as the page draws itself
  send(LATER);
  send(EARLIER);
  send(FOOTER);
  send(null);
  await taken();
  assert.deepEqual(state.value.landscapeFound?.grid?.values, [0, 1, 4, 9]);
  assert.equal(state.value.landscapeFound?.coming, null);
  assert.equal(state.value.landscapeFound?.answer?.extent?.max, 9);
  wantLandscape();
  assert.equal(asked, 1);
});

test("of a large program with two axes a sketch comes first, and the bands take its place", async () => {
  const axis = (/** @type {string} */ variable, /** @type {number[]} */ values) => ({ variable, values });
  const program = { ...CHAIN, gradients: ["x", "z"].map((name) => ({ ...CHAIN.gradients[0], name, x: `${name}:0` })) };
  const bindings = ["x", "z"].map((name) => ({ kind: "variable", name, value: 1 }));
  const nodes = Array.from({ length: 200 }, () => CHAIN.graph.nodes[0]);
  update({ program: /** @type {any} */ ({ ...program, bindings, graph: { nodes } }) });
  serve();
  wantLandscape();
  assert.equal(asked, 2);
  const [sketch, fine] = senders;
  fine({ ...HEADER, axes: [axis("x", [0, 1, 2, 3]), axis("z", [0, 1])], bands: 4 });
  await taken();
  fine({ type: "band", first: 1, end: 2, values: packed([NaN, 5]), gradient: [packed([0, 0]), packed([0, 0])] });
  sketch({ ...HEADER, axes: [axis("x", [0, 3]), axis("z", [0, 1])], bands: 1 });
  sketch({
    type: "band",
    first: 0,
    end: 2,
    values: packed([1, 2, 3, 4]),
    gradient: [packed([0, 0, 0, 0]), packed([0, 0, 0, 0])],
  });
  sketch(null);
  await taken();
  await taken();
  assert.deepEqual(state.value.landscapeFound?.grid?.values, [1, 2, NaN, 5, 3, 4, 3, 4]);
  assert.deepEqual(state.value.landscapeFound?.coming, { done: 1, bands: 4, isSketched: true });
});

test("a landscape that fails on its way says why, and draws no half of it", async () => {
  serve();
  wantLandscape();
  await taken();
  send(HEADER);
  send(LATER);
  send({ type: "problem", detail: "It took too long.", code: "wall_time" });
  await taken();
  assert.equal(state.value.landscapeFound?.problem?.code, "wall_time");
  assert.equal(state.value.landscapeFound?.grid, null);
});
