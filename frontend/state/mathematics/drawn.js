// The parts of a picture at level Mathematics as nodes, in the form that the layout takes.

import { nodeOf } from "../lesson.js";

/** @import { ApiNode } from "../../types.js" */
/** @import { Part } from "./picture.js" */

const FACTOR_ROOM = 48; // px: six digits
const DIGIT = 7.4; // px
export const MOST_TERMS = 3; // of a sum that is written out

/** Characters of a sum that is written out: "0.9 + 0.54 = 1.44". @param {number} terms */
export const sumRoom = (terms) => (terms <= MOST_TERMS ? 7 * terms + 8 : 9);

/** @type {Record<Part["kind"], import("../../types.js").Phase>} */
const PHASES = {
  quantity: "forward",
  constant: "forward",
  gradient: "gradient",
  factor: "gradient",
  process: "process",
  update: "update",
};

/** @param {ReadonlyMap<string, Part>} parts @param {ReadonlyMap<string, ApiNode>} graph of TensorFlow, by name */
export const nodesFor = (parts, graph) => [...parts.values()].map((part) => nodeFor(part, graph));

/** A gradient has the shape, and the place in the text, of what it is the gradient of. @param {Part} part @param {ReadonlyMap<string, ApiNode>} graph @returns {ApiNode} */
function nodeFor({ id, kind, label, inputs, quantity, like }, graph) {
  const behind = graph.get(nodeOf(like));
  const output = behind?.outputs[Number(/:(\d+)$/.exec(like)?.[1] ?? 0)];
  return {
    ...{ name: id, op: kind === "constant" ? "Const" : "", inputs, control_inputs: [], attrs: {}, device: "" },
    ...{ phase: PHASES[kind], of: kind === "quantity" ? null : quantity, span: behind?.span ?? null },
    outputs: [output ?? { dtype: "float32", shape: [] }],
    value: kind === "constant" ? (behind?.value ?? null) : null,
    ...(kind !== "constant" && formOf(kind, label, output?.shape?.length ? 1 : inputs.length)),
  };
}

/** How a part is drawn; a gradient in which several numbers meet has room for their sum. @param {Part["kind"]} kind @param {string} label @param {number} arrivals */
function formOf(kind, label, arrivals) {
  if (kind === "factor") return { form: /** @type {const} */ ("factor"), label, room: FACTOR_ROOM };
  const wide = kind === "gradient" && arrivals > 1 ? { room: Math.ceil(sumRoom(arrivals) * DIGIT) } : {};
  return { form: /** @type {const} */ ("quantity"), label, ...wide };
}
