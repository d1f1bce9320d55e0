// Edges between what is drawn.
//
// Every edge of the graph runs from the item that shows its source to the item that shows its consumer. Where
// open scopes lie between, it is cut at their borders: one link inside each scope that it leaves or
// enters, and one in the scope that holds both. Equal links become one that knows how many it stands for;
// data, control and reference edges never share one.

import { ROOT, nodeOf, outputOf } from "./scopes.js";
import { elements, shapeLabel } from "./labels.js";

/** @typedef {import("./types.js").EdgeKind} EdgeKind */
/** @typedef {import("./types.js").Phase} Phase */
/** @typedef {import("./types.js").Item} Item */
/** @typedef {import("./types.js").ApiNode} ApiNode */
/** @typedef {import("./items.js").Visible} Visible */

/**
 * One line to draw within one container.
 * @typedef {object} Link
 * @property {string} from        item id, or IN + net: the border where the net enters the container
 * @property {string} to          item id, or OUT + net
 * @property {string} net         what it carries: tensor (of a closed scope: the scope, and to an op the shape) and kind;
 *                                links of one net may share a line
 * @property {number} slot        which input of an op it is; -1 where that is not told
 * @property {EdgeKind} kind
 * @property {Phase} phase
 * @property {string} source      id of the item where the whole edge begins
 * @property {string} target      and where it ends; "" for several
 * @property {number} count
 * @property {number} elements    of the largest tensor
 * @property {string} shape       "4×3"
 * @property {string} title
 */

export const IN = "in>";
export const OUT = "out>";

const PORTS_MOST = 24; // an op with more inputs (SaveV2 of a whole model) shows them as bundles
const WRITES = /^(Assign|Apply|Scatter|SparseApply|ResourceApply)/;

/**
 * The links of every container (open scope's id, or ROOT).
 * @param {Visible} visible
 * @returns {Map<string, Link[]>}
 */
export function linksByContainer(visible) {
  /** @type {Map<string, Map<string, Link>>} */
  const found = new Map([[ROOT, new Map()]]);
  for (const whole of [...graphEdges(visible), ...tagEdges(visible)]) {
    if (whole.from === whole.to) continue;
    for (const [container, link] of cutAtBorders(visible, whole)) addTo(found, container, link);
  }
  return new Map([...found].map(([container, links]) => [container, [...links.values()]]));
}

/** @param {Map<string, Map<string, Link>>} found @param {string} container @param {Link} link */
function addTo(found, container, link) {
  const links = found.get(container) ?? new Map();
  found.set(container, links);
  const key = `${link.from} ${link.to} ${link.net} ${link.slot}`;
  const same = links.get(key);
  if (!same) {
    links.set(key, link);
    return;
  }
  same.count += link.count;
  same.elements = Math.max(same.elements, link.elements);
  if (same.shape !== link.shape) same.shape = "";
  if (same.target !== link.target) same.target = "";
}

/** The graph's own edges, but for those that leave a constant drawn at its consumer. @param {Visible} visible */
function* graphEdges(visible) {
  const { model, tree, pills } = visible;
  for (const [consumer, node] of model.nodes.entries()) {
    const inputs = [...node.inputs, ...node.control_inputs];
    for (const [slot, input] of inputs.entries()) {
      const i = tree.index.get(nodeOf(input));
      if (i === undefined || pills.has(i)) continue;
      const kind = kindOf(model.nodes[i], node, slot);
      for (const to of endsAt(visible, consumer)) {
        const ported = to === node.name && kind !== "control" && inputs.length <= PORTS_MOST;
        yield edge(visible, i, outputOf(input), { to, kind, node, slot: ported ? slot : -1 });
      }
    }
  }
}

/** Where an edge into a node ends; for a constant drawn at its consumers: there. @param {Visible} visible @param {number} consumer @returns {string[]} */
function endsAt({ shown, pills, items, model }, consumer) {
  if (!pills.has(consumer)) return [shown[consumer]];
  const { name } = model.nodes[consumer];
  return [...items.values()].filter(({ constants }) => constants.some((each) => each.name === name)).map(({ id }) => id);
}

/** One edge for each tag, from its tensor. @param {Visible} visible */
function* tagEdges(visible) {
  const { tree, model } = visible;
  for (const { id, tensor } of visible.tags) {
    const i = tree.index.get(nodeOf(tensor ?? ""));
    if (tensor === null || i === undefined) continue;
    yield edge(visible, i, outputOf(tensor), { to: id, kind: "data", node: model.nodes[i], slot: -1 });
  }
}

/**
 * @param {Visible} visible @param {number} i the source node @param {number} output
 * @param {{to: string, kind: EdgeKind, node: ApiNode, slot: number}} end
 * @returns {Link}
 */
function edge(visible, i, output, { to, kind, node, slot }) {
  const { model, shown, items } = visible;
  const source = model.nodes[i];
  const tensor = output === 0 ? source.name : `${source.name}:${output}`;
  const from = tagBefore(visible, `${source.name}:${output}`, node, kind) ?? shown[i];
  const shape = kind === "control" ? "" : shapeLabel(source, output);
  const twin = slot >= 0 && node.inputs.indexOf(node.inputs[slot]) < slot ? ` again ${slot}` : ""; // x * x: two lines
  return {
    from,
    to,
    net: `${from === source.name ? tensor : from}${to.endsWith("/") ? "" : ` ${shape}`} ${kind}${twin}`,
    slot,
    kind,
    phase: items.get(to)?.phase ?? "forward",
    source: from,
    target: to,
    count: 1,
    elements: kind === "control" ? 1 : elements(source, output),
    shape,
    title: `${tensor} → ${to.startsWith("d:") || to.startsWith("y:") ? (items.get(to)?.label ?? "") : node.name}${shape && ` [${shape}]`}`,
  };
}

/**
 * What is done with a gradient after it was computed begins at its tag "dy/dx".
 * @param {Visible} visible @param {string} tensor @param {ApiNode} consumer @param {EdgeKind} kind
 */
function tagBefore({ tags }, tensor, consumer, kind) {
  if (consumer.phase === "gradient" || consumer.phase === "forward" || kind === "control") return undefined;
  const named = tags.filter((tag) => tag.gradient && tag.tensor === tensor);
  const written = nodeOf(consumer.inputs[0] ?? "");
  return (named.find((tag) => tag.of === written || tag.of.startsWith(`${written}/`)) ?? named[0])?.id;
}

/** @param {ApiNode} source @param {ApiNode} consumer @param {number} slot @returns {EdgeKind} */
function kindOf(source, consumer, slot) {
  if (slot >= consumer.inputs.length) return "control";
  if (/^(Variable|VarHandle)/.test(source.op) && WRITES.test(consumer.op)) return "reference";
  return source.phase === "forward" && consumer.phase === "gradient" ? "borrowed" : "data";
}

/**
 * The pieces of an edge, each with the container that it is drawn in.
 * @param {Visible} visible @param {Link} whole
 * @returns {Array<[string, Link]>}
 */
function cutAtBorders({ items }, whole) {
  const outward = containersOf(items, whole.from);
  const inward = containersOf(items, whole.to);
  const shared = outward.find((container) => inward.includes(container)) ?? ROOT;
  /** @type {Array<[string, Link]>} */
  const pieces = [];
  let { from, to } = whole;
  for (const container of outward.slice(0, outward.indexOf(shared))) {
    pieces.push([container, { ...whole, from, to: OUT + whole.net, slot: -1 }]);
    from = container;
  }
  for (const container of inward.slice(0, inward.indexOf(shared))) {
    pieces.push([container, { ...whole, from: IN + whole.net, to, slot: to === whole.to ? whole.slot : -1 }]);
    to = container;
  }
  pieces.push([shared, { ...whole, from, to, slot: to === whole.to ? whole.slot : -1 }]);
  return pieces;
}

/** The containers around an item, innermost first, ROOT last. @param {ReadonlyMap<string, Item>} items @param {string} id */
function containersOf(items, id) {
  const found = [];
  for (let at = items.get(id)?.parent ?? ROOT; at !== ROOT; at = items.get(at)?.parent ?? ROOT) found.push(at);
  found.push(ROOT);
  return found;
}

