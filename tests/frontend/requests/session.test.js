import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import { catalogueAddress, defaultExampleAddress, lessonAddress, PROGRAMS, prefetch } from "../../../frontend/api.js";
import { openGraph } from "../../../frontend/requests/graph_file.js";
import { stop } from "../../../frontend/requests/run.js";
import * as session from "../../../frontend/requests/session.js";
import { INITIAL, reported, state, update } from "../../../frontend/store.js";
import { CHAIN, STEPS } from "../chain.js";

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
      const result = await answer[1](request.body);
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

afterEach(async () => {
  serve(SERVER);
  session.readAs("auto"); // nothing that was typed is asked about in the next test
  await settled();
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

test("a program is not run with the values of the text before", async () => {
  serve({ ...SERVER, "api/v1/programs": () => ({ ...PROGRAM, dialect: "tf2" }) });
  update({ source: "n = 0\nwhile n < 9:\n  n = n + x", at: { x: 3 } });
  session.readAs("auto");
  await settled();
  assert.deepEqual(
    bodies("api/v1/programs").map((body) => body.at),
    [{}, {}],
  ); // the second, which is the same, is answered from memory
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
  assert.equal(state.value.stale, true); // until an answer comes
});

test("a prefetched answer goes to who asks the same first", async () => {
  const question = { source: "y = exp(sin(x))", dialect: "auto", at: {} };
  const { id } = await prefetch(PROGRAMS, question);
  await prefetch(lessonAddress(id, state.value.level));
  assert.equal(asked.length, 2);
  await session.openLinked(/** @type {any} */ (question));
  assert.equal(state.value.steps.length, STEPS.length);
  assert.equal(asked.length, 2);
  session.readAs("auto");
  await settled();
  assert.equal(asked.length, 4);
});

test("who takes a prefetched answer back ends its question", async () => {
  serve({ ...SERVER, "api/v1/programs": () => new Promise(() => {}) });
  const question = { source: "y = x", dialect: "auto", at: {} };
  void prefetch(PROGRAMS, question);
  void session.openLinked(/** @type {any} */ (question));
  session.stopProgram();
  assert.deepEqual([asked.length, asked[0].signal?.aborted, state.value.busy], [1, true, false]);
});

/** @param {object[]} lines */
const inLines = (...lines) =>
  new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join(""), {
    headers: { "Content-Type": "application/x-ndjson" },
  });
const REPORT = { type: "progress", line: 3, steps: 100, runs: 0, printed: ["begun"], elapsed_ms: 1000 };

test("a slow answer comes in lines, whose reports add up to what is shown of it", async () => {
  /** @type {any[]} */
  const shown = [];
  globalThis.dispatchEvent = (/** @type {Event} */ event) => {
    update(reported(state.value, /** @type {CustomEvent} */ (event).detail));
    return shown.push(state.value.progress) > 0;
  };
  serve({ ...SERVER, "api/v1/programs": () => inLines(REPORT, { ...REPORT, printed: ["on"] }, { ...PROGRAM, type: "answer" }) });
  session.readAs("tf1");
  await settled();
  assert.deepEqual(
    shown.map(({ printed, stopped }) => [printed, stopped]),
    [
      [["begun"], false],
      [["begun", "on"], false],
    ],
  );
  assert.deepEqual([state.value.program?.id, state.value.progress], ["p_1", null]);
  session.readAs("tf1");
  await settled();
  assert.deepEqual(shown.at(-1).printed, ["begun", "on"]); // not twice
});

test("a slow answer that ends in a problem is one", async () => {
  serve({ "api/v1/programs": () => inLines({ type: "problem", detail: "It broke.", status: 500 }) });
  session.readAs("tf1");
  await settled();
  assert.deepEqual(state.value.trouble, { offline: false, problem: { type: "problem", detail: "It broke.", status: 500 } });
});

test("a stopped program shows what it printed until another is asked about", async () => {
  serve({ ...SERVER, "api/v1/programs": () => new Promise(() => {}) });
  session.readAs("tf1");
  update(reported(state.value, REPORT));
  session.stopProgram();
  assert.deepEqual([state.value.progress?.stopped, state.value.progress?.printed, state.value.busy], [true, ["begun"], false]);
  serve(SERVER);
  session.askAgain();
  assert.equal(state.value.progress, null);
  await settled();
  assert.equal(state.value.program?.id, "p_1");
});

test("without its lesson a program is drawn, and why is kept", async () => {
  const broke = () => Response.json({ detail: "It broke." }, { status: 500 });
  serve({ "api/v1/programs/p_1/lesson": broke, "api/v1/programs": () => PROGRAM });
  session.readAs("math");
  await settled();
  const { program, steps, stale, trouble, lessonTrouble } = state.value;
  assert.deepEqual([program?.id, steps, stale, trouble], ["p_1", [], false, null]);
  assert.deepEqual(lessonTrouble, { offline: false, problem: { detail: "It broke." } });
  serve(SERVER);
  session.readAs("math");
  await settled();
  assert.deepEqual([state.value.steps.length, state.value.lessonTrouble], [STEPS.length, null]);
});

test("a prefetch that fails fails for who asks the same", async () => {
  serve({});
  const question = { source: "y = x", dialect: "auto", at: {} };
  await assert.rejects(prefetch(PROGRAMS, question));
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

/** An answer that comes when it is told to. @param {unknown} answer */
function held(answer) {
  /** @type {() => void} */
  let come = () => {};
  const coming = new Promise((done) => (come = () => done(answer)));
  return { answer: () => coming, come };
}

const FIRST = { id: "a", source: "y = a^2", dialect: "math" };
const SECOND = { id: "b", source: "y = b^2", dialect: "math" };

test("of two examples the one chosen last is opened, whichever comes first", async () => {
  const late = held(FIRST);
  serve({ ...SERVER, "api/v1/examples/a": late.answer, "api/v1/examples/b": () => SECOND });
  const first = session.openExample("a");
  await session.openExample("b");
  late.come();
  await first;
  assert.equal(state.value.source, SECOND.source);
});

test("what is typed stays, though an example that was chosen before comes after it", async () => {
  const late = held(FIRST);
  serve({ ...SERVER, "api/v1/examples/a": late.answer });
  const example = session.openExample("a");
  session.edit("y = exp(x)");
  late.come();
  await example;
  assert.equal(state.value.source, "y = exp(x)");
});

test("what is typed before the page's own example has come stays", async () => {
  const late = held({ program: CHAIN, lesson: { steps: STEPS }, source: "y = exp(sin(x))", at: { x: 3 } });
  serve({ ...SERVER, [defaultExampleAddress()]: late.answer });
  const example = session.openDefault();
  session.edit("y = x^2");
  late.come();
  await example;
  assert.equal(state.value.source, "y = x^2");
});

test("the text is still being worked on though another question fails meanwhile", async () => {
  const late = held(PROGRAM);
  serve({ ...SERVER, "api/v1/programs": late.answer });
  session.readAs("math");
  await session.openExample("nowhere");
  assert.deepEqual([state.value.trouble, state.value.busy], [{ offline: true }, true]);
  late.come();
  await settled();
  assert.equal(state.value.program?.id, "p_1");
});

test("typing takes back the question about the text before", async () => {
  update({ source: "y = x" });
  session.readAs("math");
  session.edit("y = x^2");
  assert.equal(asked[0].signal?.aborted, true);
});

test("what is changed in a link's look before its answer comes stays", async () => {
  const late = held(PROGRAM);
  serve({ ...SERVER, "api/v1/programs": late.answer });
  const opened = session.openLinked({ source: "y = exp(sin(x))", lanes: "forward", detail: "essentials", open: new Set(["a"]) });
  assert.equal(state.value.lanes, "forward");
  update({ lanes: "backward", open: new Set(["b"]) });
  late.come();
  await opened;
  const { program, lanes, detail, open } = state.value;
  assert.deepEqual(
    { id: program?.id, lanes, detail, open: [...open] },
    { id: "p_1", lanes: "backward", detail: "essentials", open: ["b"] },
  );
});

test("a graph file ends what would be asked about the text", async () => {
  const late = held(PROGRAM);
  serve({ ...SERVER, "api/v1/programs": late.answer });
  session.setVariable("x", 1);
  session.setVariable("x", 2); // waits for the answer
  const file = new Blob(['{"nodes": [{"id": "y", "op": "Exp", "inputs": []}]}']);
  await openGraph(Promise.resolve(file));
  late.come();
  await settled();
  assert.deepEqual([state.value.source, state.value.program?.graph.nodes[0].name], ["", "y"]);
  assert.equal(bodies("api/v1/programs").length, 1);
});

test("a file that is no JSON is sent as it is and read by the server, and drawn under its id", async () => {
  const graph = { nodes: [{ name: "y", op: "Exp", inputs: [], control_inputs: [], attrs: {}, outputs: [] }] };
  /** @type {unknown[]} */
  const sent = [];
  globalThis.fetch = /** @type {typeof fetch} */ (
    async (path, { body, headers } = {}) => {
      sent.push(path, body, new Headers(headers).get("Content-Type"));
      return Response.json({ id: "i_1", format: "pb", nodes: 1, graph, diagnostics: [] });
    }
  );
  const file = new Blob([new Uint8Array([10, 91, 10])]); // a line's end and a bracket, as a GraphDef may begin
  await openGraph(Promise.resolve(file));
  assert.deepEqual(sent, ["api/v1/imports", file, "application/octet-stream"]);
  assert.deepEqual([state.value.program?.imported, state.value.program?.graph.nodes[0].name], ["i_1", "y"]);
  assert.equal(state.value.busy, false);
});

test("a file that the server refuses leaves what is drawn, and says why", async () => {
  update({ program: PROGRAM });
  const problem = { status: 422, code: "damaged_file", detail: "This file is damaged.", message_zh: "文件已损坏。" };
  globalThis.fetch = /** @type {typeof fetch} */ (async () => Response.json(problem, { status: 422 }));
  await openGraph(Promise.resolve(new Uint8Array([10, 1]).buffer));
  assert.deepEqual([state.value.program, state.value.busy], [PROGRAM, false]);
  assert.deepEqual(state.value.trouble, { offline: false, problem });
});

test("the language chosen last is spoken, whichever words come first", async () => {
  const late = held({ "page.title": "中文" });
  serve({ [catalogueAddress("zh-CN")]: late.answer, [catalogueAddress("en")]: () => ({ "page.title": "English" }) });
  const chinese = session.speak("zh-CN");
  await session.speak("en");
  late.come();
  await chinese;
  assert.deepEqual([state.value.language, state.value.catalogue["page.title"]], ["en", "English"]);
});

test("updates asked for before a text is answered are made once it is", async () => {
  const late = held(PROGRAM);
  serve({ ...SERVER, "api/v1/programs": late.answer, "api/v1/runs": () => new Response("") });
  session.edit("y = x^2");
  const done = session.optimiseText(10);
  await new Promise((resolve) => setTimeout(resolve, 2));
  assert.deepEqual(
    asked.map(({ path }) => path),
    ["api/v1/programs"],
  );
  late.come();
  await until(() => asked.some(({ path }) => path === "api/v1/runs"));
  assert.deepEqual(state.value.goal?.to, 10);
  stop();
  await done;
});

test("updates asked for are forgotten where another text comes before the answer", async () => {
  const late = held(PROGRAM);
  serve({ ...SERVER, "api/v1/programs": late.answer });
  session.edit("y = x^2");
  const done = session.optimiseText(10);
  session.replaceText({ source: "y = x^3", dialect: "auto", at: {} });
  late.come();
  await done;
  assert.equal(state.value.goal, null);
  assert.ok(asked.every(({ path }) => path !== "api/v1/runs"));
});

/** Wait until something holds. @param {() => unknown} holds */
async function until(holds) {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** Wait until nothing is under way. */
async function settled() {
  do await new Promise((resolve) => setTimeout(resolve, 2));
  while (state.value.busy);
}
