// Wires: all edges of a graph as arrays of numbers, read once. A large graph has a hundred thousand of them, and each
// opening of a scope asks of every one whether it is seen.

import { elements, shapeLabel } from "../items/labels.js";
import { nodeOf, outputOf } from "./names.js";

/** @import { ApiNode } from "../types.js" */
/** @import { ScopeTree } from "./scopes.js" */

/**
 * Edge e runs from output `output[e]` of node `from[e]` to input `slot[e]` of node `to[e]`; control inputs are
 * counted after the others.
 * @typedef {object} Wires
 * @property {number} count
 * @property {Int32Array} from
 * @property {Int32Array} to
 * @property {Int32Array} output
 * @property {Int32Array} slot
 * @property {Uint8Array} kind           an index of KINDS
 * @property {Float64Array} elements     of the tensor; 1 for a control edge
 * @property {Int32Array} shape          an index of `shapes`
 * @property {ReadonlyArray<string>} shapes  "4×3"; the first is ""
 * @property {Uint8Array} read           per node: whether another takes its output as an input
 * @property {Int32Array} of             per node: the forward node whose rule made it; -1 for none
 * @property {Int32Array} leaving        the edges by source: those of node i from starts[i] on
 * @property {Int32Array} starts         per node, and the end of all
 */

export const KINDS = /** @type {const} */ (["data", "borrowed", "control", "reference"]);
const [DATA, BORROWED, CONTROL, REFERENCE] = KINDS.keys();
const WRITES = /^(Assign|Apply|Scatter|SparseApply|ResourceApply)/;
const HOLDS = /^(Variable|VarHandle)/;

/** @type {WeakMap<ReadonlyArray<ApiNode>, Wires>} */
const known = new WeakMap();

/** @param {ScopeTree} tree @returns {Wires} */
export function wiresOf(tree) {
  const wires = known.get(tree.nodes) ?? readWires(tree);
  known.set(tree.nodes, wires);
  return wires;
}

/** @param {ScopeTree} tree @returns {Wires} */
function readWires({ nodes, index }) {
  const most = nodes.reduce((sum, { inputs, control_inputs: control }) => sum + inputs.length + control.length, 0);
  const [from, to, output, slot] = [0, 1, 2, 3].map(() => new Int32Array(most));
  const kind = new Uint8Array(most);
  const sizes = tensorSizes(most);
  const read = new Uint8Array(nodes.length);
  let count = 0;
  nodes.forEach((node, consumer) => {
    const { inputs, control_inputs: control } = node;
    for (let i = 0; i < inputs.length + control.length; i += 1) {
      const tensor = i < inputs.length ? inputs[i] : control[i - inputs.length];
      const plain = index.get(tensor);
      const source = plain ?? index.get(nodeOf(tensor));
      if (source === undefined) continue;
      if (i < inputs.length) read[source] = 1;
      [from[count], to[count], slot[count]] = [source, consumer, i];
      output[count] = plain === undefined ? outputOf(tensor) : 0;
      kind[count] = i < inputs.length ? kindOf(nodes[source], node) : CONTROL;
      sizes.set(count, nodes[source], i < inputs.length ? output[count] : null);
      count += 1;
    }
  });
  const of = Int32Array.from(nodes, (node) => (node.of ? (index.get(node.of) ?? -1) : -1));
  const { leaving, starts } = bySource(nodes.length, from.subarray(0, count));
  return {
    count,
    from,
    to,
    output,
    slot,
    kind,
    elements: sizes.elements,
    shape: sizes.shape,
    shapes: sizes.shapes,
    read,
    of,
    leaving,
    starts,
  };
}

/** The sizes of tensors by edge; equal shapes share their text. @param {number} most edges */
function tensorSizes(most) {
  const sizes = { elements: new Float64Array(most).fill(1), shape: new Int32Array(most), shapes: [""] };
  const numbers = new Map([["", 0]]);
  return {
    ...sizes,
    /** @param {number} e @param {ApiNode} source @param {number | null} output null for a control edge */
    set(e, source, output) {
      if (output === null) return;
      const text = shapeLabel(source, output);
      const number = numbers.get(text) ?? sizes.shapes.push(text) - 1;
      numbers.set(text, number);
      sizes.shape[e] = number;
      sizes.elements[e] = elements(source, output);
    },
  };
}

/** The edges sorted by their source. @param {number} nodes @param {Int32Array} from */
function bySource(nodes, from) {
  const starts = new Int32Array(nodes + 1);
  for (const i of from) starts[i + 1] += 1;
  for (let i = 0; i < nodes; i += 1) starts[i + 1] += starts[i];
  const next = starts.slice();
  const leaving = new Int32Array(from.length);
  from.forEach((i, e) => {
    leaving[next[i]] = e;
    next[i] += 1;
  });
  return { leaving, starts };
}

/** The kind of a tensor's edge. @param {ApiNode} source @param {ApiNode} consumer */
function kindOf(source, consumer) {
  if (HOLDS.test(source.op) && WRITES.test(consumer.op)) return REFERENCE;
  return source.phase === "forward" && consumer.phase === "gradient" ? BORROWED : DATA;
}
