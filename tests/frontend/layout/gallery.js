// The drawings of one graph: `node gallery.js` reads the server's answer, or a graph file, from its input, draws the graph in
// every arrangement and direction, opens every scope, and prints what is wrong.

import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { nodesFrom, programOf } from "../../../frontend/layout/graph/graph_import.js";
import { ROOT } from "../../../frontend/layout/graph/names.js";
import { rememberedGrids } from "../../../frontend/layout/grid/memo.js";
import { layoutGraph } from "../../../frontend/layout/layout.js";
import * as selectors from "../../../frontend/state/selectors.js";
import * as store from "../../../frontend/store.js";
import { excessOf } from "./calmness.js";
import { crossingsAtBorders } from "./fans.js";
import { assertApart, assertBanded, assertClear, assertDistinct, assertReadable } from "./sound.js";

/** @typedef {import("../../../frontend/layout/types.js").GraphModel} GraphModel */
/** @typedef {import("../../../frontend/layout/types.js").Scene} Scene */
/**
 * @typedef {{drawings: number, faults: string[], moves: number[], crossed: number}} Findings
 * `moves`: beyond the growth of an opened scope, px; `crossed`: pairs of lines right before a scope's border, at first */

const ARRANGEMENTS = /** @type {const} */ (["lanes", "flow"]);
const DIRECTIONS = /** @type {const} */ (["right", "down", "up"]);

/** The model that the page draws of an answer. @param {import("../../../frontend/types.js").Program} answer @returns {GraphModel} */
function modelOf(answer) {
  store.state.value = store.INITIAL;
  store.update(store.answered(store.state.value, answer, { steps: [] }));
  return /** @type {GraphModel} */ (selectors.graphModel.value);
}

/**
 * Judge a drawing, and those with one more of its scopes open; then that it can be made again. Where the graph runs to the
 * right, so on inwards.
 * @param {GraphModel} model @param {import("../../../frontend/layout/grid/memo.js").Layout} layoutInside
 * @param {Findings} findings @param {{scene?: Scene, within?: string}} [of] the drawing where it was made before; of the scopes only those in this one
 */
function openEach(model, layoutInside, findings, { scene, within = ROOT } = {}) {
  const before = scene ?? layoutGraph(model, layoutInside);
  judge(before, [...model.open].join(), findings);
  const closed = before.items.filter(({ kind, open, parent }) => kind === "scope" && !open && parent === within);
  for (const scope of closed) {
    const wider = { ...model, open: new Set([...model.open, scope.name]) };
    const after = layoutGraph(wider, layoutInside);
    findings.moves.push(excessOf(before, after, scope.id));
    if (model.direction === "right") openEach(wider, layoutInside, findings, { scene: after, within: scope.id });
    else judge(after, scope.name, findings);
  }
  if (closed.length > 0 && !isDeepStrictEqual(layoutGraph(model, layoutInside), before))
    findings.faults.push(`closing does not bring back: ${[...model.open].join()}`);
}

/** @param {Scene} scene @param {string} name @param {Findings} findings */
function judge(scene, name, findings) {
  findings.drawings += 1;
  for (const check of [assertApart, assertBanded, assertClear, assertReadable, assertDistinct]) {
    try {
      check(scene, name);
    } catch (fault) {
      findings.faults.push(/** @type {Error} */ (fault).message);
    }
  }
}

/** What is found in all drawings of the graph in one direction. @param {GraphModel} model @returns {Findings} */
function findingsOf(model) {
  const layoutInside = rememberedGrids();
  const scene = layoutGraph(model, layoutInside);
  /** @type {Findings} */
  const findings = { drawings: 0, faults: [], moves: [], crossed: crossingsAtBorders(scene) };
  openEach(model, layoutInside, findings, { scene });
  return findings;
}

const text = readFileSync(0, "utf8");
const answer = JSON.parse(text);
const plain = modelOf(
  answer.status ? answer : programOf(/** @type {import("../../../frontend/types.js").ApiNode[]} */ (nodesFrom(text))),
);
const found = ARRANGEMENTS.map((arrangement) => {
  const model = { ...plain, merged: arrangement === "flow" };
  return [arrangement, Object.fromEntries(DIRECTIONS.map((direction) => [direction, findingsOf({ ...model, direction })]))];
});
console.log(JSON.stringify(Object.fromEntries(found)));
