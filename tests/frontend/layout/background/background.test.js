// The page's side of the worker: what was laid out on trial is at hand, and not read before it is asked for.

import assert from "node:assert/strict";
import test from "node:test";

import { layoutInBackground } from "../../../../frontend/layout/background/background.js";
import { keyOf } from "../../../../frontend/layout/background/pictures.js";
import { model, node } from "../programs.js";

const READABLE = { width: 300, height: 600 };

/** What the worker was asked, and the one listener for its messages. */
const worker = /** @type {{asked: any[], say: (event: object) => void}} */ ({ asked: [], say: () => {} });

class WorkerOfTests {
  /** @param {string} _kind @param {(event: object) => void} listen */
  addEventListener(_kind, listen) {
    worker.say = listen;
  }

  /** @param {object} ask */
  postMessage(ask) {
    worker.asked.push(ask);
  }
}
Object.assign(globalThis, { Worker: WorkerOfTests });

/** @param {number} count of ops @param {string[]} open */
const row = (count, open) =>
  model(
    Array.from({ length: count }, (_, i) => node(`s/op${i}`, "Sin", i > 0 ? [`s/op${i - 1}`] : [])),
    open,
  );

const { nodes } = row(3, []);
const asked = (/** @type {string[]} */ ...open) => layoutInBackground({ ...row(3, open), nodes }, READABLE);

/** The answer to what was asked last: a scene with a page so wide. @param {number} width */
function answer(width) {
  const { ticket } = worker.asked.at(-1);
  worker.say({ data: { ticket, part: "items", piece: [] } });
  worker.say({ data: { ticket, rest: { page: { width }, rows: null } } });
}

/** A picture that was laid out on trial. @param {string} key @param {object} event */
function tried(key, event) {
  worker.say({ data: { tried: key } });
  worker.say(event);
}

const first = asked();
answer(10);
const { about } = worker.asked[0];
await first;

test("what was tried is the answer, is read once it is asked for, and the worker knows that it is", async () => {
  let reads = 0;
  const event = {
    get data() {
      reads += 1;
      return { page: { width: 20 }, rows: null, items: [], edges: [] };
    },
  };
  tried(keyOf(about, new Set(["s"])), event);
  assert.equal(reads, 0);
  const made = await asked("s");
  assert.equal(made?.scene.page.width, 20);
  assert.equal(reads, 1);
  assert.equal(worker.asked.at(-1).isKnown, true);
});

test("what was answered is at hand when it is asked for again", async () => {
  assert.equal((await asked())?.scene.page.width, 10);
  assert.equal(worker.asked.at(-1).isKnown, true);
});

test("in another window it is asked for", async () => {
  const made = layoutInBackground({ ...row(3, []), nodes }, { width: 400, height: 600 });
  assert.equal(worker.asked.at(-1).isKnown, false);
  assert.notEqual(worker.asked.at(-1).about, about);
  answer(30);
  assert.equal((await made)?.scene.page.width, 30);
});

test("of another graph nothing is known, though the names are the same, nor what still comes of the one before", async () => {
  const other = row(4, []);
  const made = layoutInBackground(other, READABLE);
  assert.equal(worker.asked.at(-1).isKnown, false);
  tried(keyOf(about, new Set(["s"])), { data: { page: { width: 20 }, rows: null, items: [], edges: [] } });
  answer(40);
  assert.equal((await made)?.scene.page.width, 40);
  const opened = layoutInBackground({ ...other, open: new Set(["s"]) }, READABLE);
  assert.equal(worker.asked.at(-1).isKnown, false);
  answer(50);
  assert.equal((await opened)?.scene.page.width, 50);
});
