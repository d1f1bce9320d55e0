// The drawings of programs, one after the other: `node gallery.js` reads the server's answers from its input, draws each
// graph in both arrangements and all directions, opens and closes its scopes, and prints what is wrong with them.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { layoutGraph } from "../../../frontend/layout/layout.js";
import { rememberedGrids } from "../../../frontend/layout/memo.js";
import { nodesFrom, programOf } from "../../../frontend/neutral.js";
import * as store from "../../../frontend/store.js";
import { excessOf } from "./calmness.js";
import { assertApart, assertClear, assertDistinct, assertReadable } from "./sound.js";

/** @typedef {import("../../../frontend/layout/types.js").GraphModel} GraphModel */
/** @typedef {import("../../../frontend/layout/types.js").Scene} Scene */
/** @typedef {{drawings: number, faults: string[], moves: number[], stays: number}} Findings `moves`: beyond the growth, px; `stays`: openings that closing undid */

const DIRECTIONS = /** @type {const} */ (["right", "down", "up"]);

/** The model that the page draws of an answer. @param {import("../../../frontend/api.js").Program} answer @returns {GraphModel} */
function modelOf(answer) {
  store.state.value = store.INITIAL;
  store.update(store.answered(store.state.value, answer, []));
  return /** @type {GraphModel} */ (store.graphModel.value);
}

/** The graphs of tests/data/graphs, as the page takes such files in. */
function smallGraphs() {
  const folder = new URL("../../data/graphs/", import.meta.url);
  const answers = readdirSync(folder).map((file) => [file, programOf(nodesFrom(readFileSync(new URL(file, folder), "utf8")) ?? [])]);
  return Object.fromEntries(answers);
}

/** Draw a model in every way, and open and close its scopes. @param {string} id @param {GraphModel} base @param {Findings} findings */
function lookAt(id, base, findings) {
  for (const merged of [false, true])
    for (const direction of DIRECTIONS) {
      const name = `${id}, ${merged ? "one flow" : "lanes"}, ${direction}`;
      const model = { ...base, merged, direction };
      const layoutInside = rememberedGrids();
      const before = layoutGraph(model, null, layoutInside);
      judge(before, name, findings);
      for (const scope of unlike(before.items.filter((item) => item.kind === "scope" && !item.open))) {
        const after = layoutGraph({ ...model, open: new Set([...model.open, scope.name]) }, before, layoutInside);
        judge(after, `${name}, ${scope.name} open`, findings);
        findings.moves.push(excessOf(before, after, scope.id));
        findings.stays += Number(excessOf(before, layoutGraph(model, after, layoutInside), scope.id) < 1);
      }
    }
}

/** Of the scopes that differ in their number alone the first, the middle one and the last. @param {import("../../../frontend/layout/types.js").Item[]} scopes */
function unlike(scopes) {
  /** @type {Map<string, typeof scopes>} */
  const families = new Map();
  for (const scope of scopes) {
    const family = scope.id.replaceAll(/\d+/g, "");
    families.set(family, [...(families.get(family) ?? []), scope]);
  }
  return [...families.values()].flatMap((own) => [...new Set([own[0], own[own.length >> 1], own[own.length - 1]])]);
}

/** @param {Scene} scene @param {string} name @param {Findings} findings */
function judge(scene, name, findings) {
  findings.drawings += 1;
  for (const check of [assertApart, assertClear, assertReadable, assertDistinct]) {
    try {
      check(scene, name);
    } catch (fault) {
      findings.faults.push(/** @type {Error} */ (fault).message);
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  /** @type {Findings} */
  const findings = { drawings: 0, faults: [], moves: [], stays: 0 };
  /** @type {Record<string, import("../../../frontend/api.js").Program>} */
  const answers = JSON.parse(readFileSync(0, "utf8"));
  for (const [id, answer] of Object.entries({ ...answers, ...smallGraphs() })) lookAt(id, modelOf(answer), findings);
  console.log(JSON.stringify(findings));
}
