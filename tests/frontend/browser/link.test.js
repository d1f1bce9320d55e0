import assert from "node:assert/strict";
import { test } from "node:test";

import {
  fromHash,
  heldBy,
  linkedPart,
  placeIn,
  sameChoices,
  sameLink,
  sharedPart,
  toHash,
} from "../../../frontend/browser/link.js";
import { fromFragment, toFragment } from "../../../frontend/browser/url_fragment.js";
import { INITIAL } from "../../../frontend/store.js";

const STATE = {
  ...INITIAL,
  source: "损失 = (w·x − 1)²",
  at: { x: 2 },
  open: new Set(["gradients"]),
  hidden: new Set(["Identity"]),
  moved: new Map([["Sin", /** @type {const} */ ([10, -20])]]),
  merged: true,
};

test("what a link holds comes out of it again", async () => {
  const hash = await toHash(linkedPart(STATE));
  assert.match(hash, /^#v1=[\w-]+$/);
  assert.deepEqual(await fromHash(hash, INITIAL), linkedPart(STATE));
});

/** @param {number} count names that cannot be packed much, the same each time */
const names = (count) => Array.from({ length: count }, (_, i) => `scope${((i + 1) * 2654435761) % 4294967296}`);

test("a thousand open scopes come out of a link again", async () => {
  const open = new Set(names(1000));
  assert.deepEqual((await fromHash(await toHash(linkedPart({ ...STATE, open })), INITIAL))?.open, open);
});

test("a link to more open scopes than an address holds leads to the text and its values", async () => {
  const hash = await toHash(linkedPart({ ...STATE, open: new Set(names(50_000)) }));
  assert.deepEqual(await fromHash(hash, INITIAL), { source: STATE.source, dialect: STATE.dialect, at: STATE.at });
});

test("a text that no address holds has no link", async () => {
  assert.equal(await toHash(linkedPart({ ...STATE, source: names(50_000).join() })), "");
});

test("a graph from a file has no text, so its link is the look alone", () => {
  assert.equal("source" in linkedPart({ ...STATE, source: "" }), false);
});

test("a link changes with the look, and not with the step", () => {
  assert.equal(sameLink(linkedPart(STATE), linkedPart({ ...STATE, cursor: 5 })), true);
  assert.equal(sameLink(linkedPart(STATE), linkedPart({ ...STATE, lanes: "forward" })), false);
});

test("a text, values and places change gradually, all else is chosen", () => {
  const gradual = { ...STATE, source: "x", at: { x: 3 }, moved: new Map() };
  assert.equal(sameChoices(linkedPart(STATE), linkedPart(gradual)), true);
  assert.equal(sameChoices(linkedPart(STATE), linkedPart({ ...gradual, direction: "up" })), false);
});

for (const hash of ["", "#top", "#v1=", "#v1=%%%", "#v1=AAAA", `#v1=${"A".repeat(200_000)}`]) {
  test(`no link: ${hash.slice(0, 12) || "an empty one"}`, async () => {
    assert.equal(await fromHash(hash, INITIAL), null);
  });
}

test("fields of another kind are left out", async () => {
  const strange = /** @type {any} */ ({
    source: 3,
    lanes: "sideways",
    hidden: [1],
    moved: [["Sin", [1]]],
    at: { x: "1", y: 2 },
    evil: true,
    merged: true,
  });
  assert.deepEqual(await fromHash(await toHash(strange), INITIAL), { at: { y: 2 }, merged: true });
});

test("a link that is handed on holds the place on the page, and what a tool of the dock was asked", async () => {
  const race = { contenders: null, steps: 100, scale: /** @type {const} */ ("log") };
  const now = { ...STATE, cursor: 3, row: 20, dock: /** @type {const} */ ("table"), dockOpen: true, race };
  const held = heldBy(await fromFragment(await toFragment(sharedPart(now))), INITIAL);
  assert.deepEqual(held?.linked, linkedPart(STATE));
  const { settings, language } = STATE;
  assert.deepEqual(held?.place, { cursor: 3, row: 20, dock: "table", dockOpen: true, race, settings, language });
});

test("a link holds the settings that each row of a run was made with", () => {
  const slow = { ...INITIAL.settings, rate: 0.001 };
  const part = (/** @type {number} */ first, /** @type {typeof slow} */ settings) => ({ first, settings });
  const parts = [part(0, INITIAL.settings), part(5, INITIAL.settings), part(8, slow), part(20, slow)];
  const now = /** @type {any} */ ({ ...STATE, cursor: 3, row: 12, run: { parts }, settings: slow });
  assert.deepEqual(placeIn(sharedPart(now)).stages, [part(0, INITIAL.settings), part(8, slow)]); // what is computed ahead is left out
  assert.equal("stages" in sharedPart({ ...now, row: 6, settings: INITIAL.settings }), false);
  assert.deepEqual(placeIn(sharedPart({ ...now, row: 6 })).stages, [part(0, INITIAL.settings)]); // they were moved since
});

const MADE = { name: "GradientDescent", isOwn: false, rate: 0.1, process: "none", limit: 5, schedule: "none" };
const RECIPE = {
  program: { source: "x^2", dialect: /** @type {const} */ ("auto"), at: { x: 3 } },
  stages: [{ first: 0, settings: INITIAL.settings }],
  rows: 2,
  place: 1,
};

test("a link holds how the kept runs were made, and none of their losses", async () => {
  const run = { ...RECIPE, made: [MADE], loss: [9, 5.76, 3.6864], diverges: null };
  const held = heldBy(await fromFragment(await toFragment(sharedPart({ ...STATE, keptRuns: [run] }))), INITIAL);
  assert.deepEqual(held?.place.kept, [RECIPE]);
});

for (const [field, value] of /** @type {[string, unknown][]} */ ([
  ["kept", [{ ...RECIPE, rows: 0 }]],
  ["kept", [{ ...RECIPE, place: 9 }]],
  ["kept", [{ ...RECIPE, stages: [] }]],
  ["kept", [{ ...RECIPE, stages: [{ first: 1, settings: INITIAL.settings }] }]],
  ["kept", [{ ...RECIPE, program: { source: 3 } }]],
  ["kept", [{ ...RECIPE, program: null }]],
  ["kept", Array(6).fill(RECIPE)],
  ["cursor", -1],
  ["row", 1e9],
  ["settings", { name: "Adam" }],
  ["dock", "<b>"],
  ["language", "de"],
  ["race", "fast"],
  ["race", { contenders: [{ name: "Adam" }], steps: 100, scale: "log" }],
  ["race", { contenders: [{ name: "Adam", rate: -1, parameters: {}, start: null }], steps: 100, scale: "log" }],
  ["race", { contenders: [{ name: "Adam", rate: 0.1, parameters: { a: {} }, start: null }], steps: 100, scale: "log" }],
  ["race", { contenders: Array(7).fill({ name: "Adam", rate: 0.1, parameters: {}, start: null }), steps: 100, scale: "log" }],
  ["race", { contenders: null, steps: 1e9, scale: "log" }],
  ["race", { contenders: null, steps: 100, scale: "cubic" }],
  ["landscape", { axes: "all" }],
  ["landscape", { ...INITIAL.landscape, axes: [{ variable: "x", index: [], direction: null, from: 2, to: 2 }] }],
  ["landscape", { ...INITIAL.landscape, axes: [{ variable: null, index: [], direction: null, from: 0, to: 2 }] }],
  ["landscape", { ...INITIAL.landscape, axes: [{ variable: "x", index: [0.5], direction: null, from: 0, to: 2 }] }],
  ["landscape", { ...INITIAL.landscape, around: null }],
  ["compare", { by: 3, power: -3, typed: "" }],
  ["compare", { by: null, power: -400, typed: "" }],
  ["settings", { ...INITIAL.settings, limit: "5" }],
  ["settings", { ...INITIAL.settings, process: "constructor" }],
  ["settings", { ...INITIAL.settings, timing: { boundaries: ["x"] } }],
  ["stages", [{ first: 0, settings: {} }]],
  ["stages", [5, 3].map((first) => ({ first, settings: INITIAL.settings }))],
  ["present", "yes"],
  ["constructor", true],
  ["program", {}],
])) {
  test(`of a place that is not sound, ${field} is left out: ${JSON.stringify(value).slice(0, 90)}`, () => {
    assert.deepEqual(heldBy({ source: "y = x", [field]: value }, INITIAL)?.place, {});
  });
}
