// The drawings of one graph: `node gallery.js` reads the server's answer, or a graph file, from its input, draws the graph in
// both arrangements and all directions, opens and closes every scope, and prints what is wrong with the drawings.

import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

import { layoutGraph } from "../../../frontend/layout/layout.js";
import { rememberedGrids } from "../../../frontend/layout/memo.js";
import { ROOT } from "../../../frontend/layout/scopes.js";
import { nodesFrom, programOf } from "../../../frontend/neutral.js";
import * as store from "../../../frontend/store.js";
import { excessOf } from "./calmness.js";
import { assertApart, assertClear, assertDistinct, assertReadable } from "./sound.js";

/** @typedef {import("../../../frontend/layout/types.js").GraphModel} GraphModel */
/** @typedef {import("../../../frontend/layout/types.js").Scene} Scene */
/** @typedef {{drawings: number, faults: string[], moves: number[]}} Findings `moves`: beyond the growth of an opened scope, px */

const DIRECTIONS = /** @type {const} */ (["right", "down", "up"]);

/** The model that the page draws of an answer. @param {import("../../../frontend/api.js").Program} answer @returns {GraphModel} */
function modelOf(answer) {
  store.state.value = store.INITIAL;
  store.update(store.answered(store.state.value, answer, []));
  return /** @type {GraphModel} */ (store.graphModel.value);
}

/** Draw a model in every way, and open and close its scopes. @param {GraphModel} base @returns {Findings} */
function lookAt(base) {
  /** @type {Findings} */
  const findings = { drawings: 0, faults: [], moves: [] };
  for (const merged of [false, true])
    for (const direction of DIRECTIONS) {
      const model = { ...base, merged, direction };
      const draw = (/** @type {ReadonlySet<string>} */ open) => layoutGraph({ ...model, open }, layoutInside);
      const layoutInside = rememberedGrids();
      openEach(draw, model.open, `${merged ? "one flow" : "lanes"}, ${direction}`, findings);
    }
  return findings;
}

/**
 * Judge a drawing, and those with one more of its scopes open, and so on inwards.
 * @param {(open: ReadonlySet<string>) => Scene} draw @param {ReadonlySet<string>} open
 * @param {string} name @param {Findings} findings @param {string} [within] of the scopes only those in this one
 */
function openEach(draw, open, name, findings, within = ROOT) {
  const before = draw(open);
  judge(before, name, findings);
  for (const scope of before.items.filter((item) => item.kind === "scope" && !item.open && item.parent === within)) {
    const wider = new Set([...open, scope.name]);
    findings.moves.push(excessOf(before, draw(wider), scope.id));
    openEach(draw, wider, `${name}, ${scope.name} open`, findings, scope.id);
    if (!isDeepStrictEqual(draw(open), before)) findings.faults.push(`${name}: ${scope.name} opened and closed is not as it was`);
  }
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

const text = readFileSync(0, "utf8");
const nodes = nodesFrom(text);
console.log(JSON.stringify(lookAt(modelOf(nodes ? programOf(nodes) : JSON.parse(text)))));
