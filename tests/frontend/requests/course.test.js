import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { leaveItem, openItem, openItemAt, openStop, press } from "../../../frontend/requests/course.js";
import { FIRST_SETTINGS } from "../../../frontend/runs/optimizers.js";
import { INITIAL, state, update } from "../../../frontend/store.js";
import { CHAIN, STEPS } from "../chain.js";

const text = (/** @type {string} */ en) => ({ en, zh: en });
const ITEM = {
  id: "g01",
  source: "y = exp(sin(x))",
  at: { x: 3 },
  start: [{ optimizer: { name: "Momentum", momentum: 0.5 } }, { rate: 0.2 }, { step: "last" }, { dock: "table" }],
  actions: [],
  texts: [{ id: "other", source: "y = sin(x)", at: { x: 1 } }],
};
const COURSE = {
  examples: [],
  groups: [],
  lessons: [{ id: "chain", title: text(""), minutes: 5, stops: ["g01", "g01"].map((item) => ({ item, do: text("") })) }],
};

/** What programs were asked for. @type {any[]} */
let asked = [];

beforeEach(() => {
  Object.assign(globalThis, { innerHeight: 900, innerWidth: 1440 });
  asked = [];
  globalThis.fetch = /** @type {typeof fetch} */ (
    async (path, { body } = {}) => {
      const address = String(path);
      if (address.includes("/lesson")) return Response.json({ steps: STEPS });
      if (address.endsWith("/examples/g01")) return Response.json(ITEM);
      if (address.endsWith("/examples")) return Response.json(COURSE);
      if (!address.endsWith("/programs")) return Response.json({ status: 404 }, { status: 404 });
      asked.push(JSON.parse(String(body)));
      return Response.json({ ...CHAIN, id: "p_1" });
    }
  );
  state.value = INITIAL;
});

test("an example opens with its text, its values and what it begins with", async () => {
  await openItem("g01");
  const { item, source, at, settings, cursor, dock, tab } = state.value;
  assert.deepEqual([item?.id, source, at], ["g01", ITEM.source, { x: 3 }]);
  assert.deepEqual([settings.name, settings.parameters, settings.rate], ["Momentum", { momentum: 0.5 }, 0.2]);
  assert.deepEqual([cursor, dock, tab], [STEPS.length - 1, "table", "input"]);
});

test("where the window is low, tools are chosen and not opened", async () => {
  Object.assign(globalThis, { innerHeight: 700 });
  await openItem("g01");
  assert.deepEqual([state.value.dock, state.value.dockOpen], ["table", false]);
});

test("a button opens another text with plain settings, and gives variables values", async () => {
  await openItem("g01");
  await press([{ text: "other" }, { value: { x: 2 } }]);
  assert.deepEqual(asked.at(-1), { source: "y = sin(x)", dialect: "auto", at: { x: 2 } });
  assert.equal(state.value.settings.name, "GradientDescent");
  assert.equal(state.value.itemText, "other");
});

test("where another example is opened by a link meanwhile, the first does not begin any more", async () => {
  const answer = globalThis.fetch;
  /** @type {() => void} */ let release = () => {};
  const released = new Promise((done) => (release = () => done(null)));
  globalThis.fetch = async (path, given) => {
    if (String(path).endsWith("/programs")) await released;
    if (String(path).endsWith("/examples/g02")) return Response.json({ ...ITEM, id: "g02" });
    return answer(path, given);
  };
  const opening = openItem("g01");
  while (!state.value.item) await new Promise(setImmediate);
  await openItemAt("g02", null, true);
  release();
  await opening;
  const { item, settings, dock } = state.value;
  assert.deepEqual([item?.id, settings, dock], ["g02", FIRST_SETTINGS, INITIAL.dock]);
});

test("a button that is pressed early acts once its example is set up", async () => {
  const opening = openItem("g01");
  while (!state.value.item) await new Promise(setImmediate);
  await press([{ rate: 5 }]);
  await opening;
  assert.equal(state.value.settings.rate, 5);
});

test("once the card is closed, nothing more of a button is done", async () => {
  await openItem("g01");
  const doing = press([{ value: { x: 2 } }, { rate: 5 }]);
  leaveItem();
  await doing;
  assert.equal(state.value.settings.rate, 0.2);
});

test("an address with a text has the card alone", async () => {
  update({ source: "y = x" });
  await openItemAt("g01", null, true);
  assert.deepEqual([state.value.item?.id, state.value.source, asked], ["g01", "y = x", []]);
});

test("a lesson goes on at the kept place", async () => {
  await openItemAt("g01", "chain", false);
  assert.deepEqual(state.value.readyLesson, { id: "chain", stop: 0 });
  await openStop("chain", 1);
  assert.deepEqual(state.value.notes.places, { chain: 1 });
  await openItemAt("g01", "chain", true);
  assert.deepEqual(state.value.readyLesson, { id: "chain", stop: 1 });
});
