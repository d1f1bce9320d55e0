// Edges between what is drawn.
//
// Every edge of the graph runs from the item that shows its source to the item that shows its consumer. Where
// open scopes lie between, it is cut at their borders: one link inside each scope that it leaves or
// enters, and one in the scope that holds both. Equal links become one that knows how many it stands for;
// data, control and reference edges never share one.

import { nodeOf, outputOf, ROOT } from "../graph/names.js";
import { KINDS } from "../graph/wires.js";
import { shownBy } from "./items.js";
import { elements, shapeLabel } from "./labels.js";

/** @import { ApiNode, EdgeKind, Item, Phase } from "../types.js" */
/** @import { Visible } from "./items.js" */

/**
 * One line to draw within one container.
 * @typedef {object} Link
 * @property {string} from        item id, or IN + net: the border where the net enters the container
 * @property {string} to          item id, or OUT + net
 * @property {string} net         what it carries: tensor (of a closed scope: the scope, and to an op the shape) and style;
 *                                links of one net may share a line
 * @property {string} strand      what would carry it if all in its container were closed; links of one strand stay side by side
 * @property {number} first       place of its first edge among all of the graph
 * @property {number} passage     of a link to the border of an open scope: its place there, from the top
 * @property {number} slot        which input of an op it is; -1 where that is unknown
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

/**
 * The links of every container (open scope's id, or ROOT).
 * @param {Visible} visible
 * @returns {Map<string, Link[]>}
 */
export function linksByContainer(visible) {
  /** @type {Map<string, Map<string, Link>>} */
  const found = new Map([[ROOT, new Map()]]);
  for (const whole of [...graphEdges(visible), ...tagEdges(visible)]) {
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
  join(same, link);
}

/** Let a link stand for another one too. @param {Link} link @param {Link} other */
function join(link, other) {
  link.count += other.count;
  if (outranks(other.kind, link.kind)) [link.kind, link.title] = [other.kind, other.title];
  link.first = Math.min(link.first, other.first);
  link.elements = Math.max(link.elements, other.elements);
  if (link.shape !== other.shape) link.shape = "";
  if (link.target !== other.target) link.target = "";
}

/**
 * The graph's own edges between what is drawn, but for those that leave a constant drawn at its consumer. Edges
 * between the same two items come as one where none has a port of its own: there may be thousands.
 * @param {Visible} visible
 */
function graphEdges(visible) {
  const { model, wires, list, shown, tree } = visible;
  const bearers = bearersOf(visible);
  const tagged = new Set(
    visible.tags.flatMap(({ tensor, gradient }) => (tensor && gradient ? [tree.index.get(nodeOf(tensor))] : [])),
  );
  /** @type {Map<number, Link>} */
  const bundles = new Map();
  /** @type {Link[]} */
  const edges = [];
  for (let e = 0; e < wires.count; e += 1) {
    const i = wires.from[e];
    const consumer = wires.to[e];
    const a = shown[i];
    const b = shown[consumer];
    if (a === b || a < 0) continue;
    if (b < 0) for (const to of bearers.get(model.nodes[consumer].name) ?? []) edges.push(edge(visible, e, to));
    else if (
      tagged.has(i) ||
      wires.output[e] > 0 ||
      (list[b].kind !== "scope" && hasPort(model.nodes[consumer], KINDS[wires.kind[e]]))
    ) {
      edges.push(edge(visible, e, list[b].id));
    } else {
      const key = (a * list.length + b) * KINDS.length + wires.kind[e];
      const known = bundles.get(key);
      if (known) widen(known, wires, e);
      else bundles.set(key, edge(visible, e, list[b].id));
    }
  }
  return bundled([...edges.filter(({ from, to }) => from !== to), ...bundles.values()]);
}

/** The edges, those that run together between two closed scopes as one. @param {Link[]} edges */
function bundled(edges) {
  /** @type {Map<string, Link>} */
  const pairs = new Map();
  const found = edges.filter((link) => {
    const key = `${link.from} ${link.to}`;
    const known = isBetweenScopes(link) ? pairs.get(key) : undefined;
    if (known) join(known, link);
    else if (isBetweenScopes(link)) pairs.set(key, link);
    return !known;
  });
  for (const link of pairs.values()) link.net = `${link.strand} ${styleOf(link)}`;
  return found;
}

/** Whether an op shows where each of its inputs enters. @param {ApiNode} node @param {EdgeKind} kind */
const hasPort = ({ inputs, control_inputs: control }, kind) => kind !== "control" && inputs.length + control.length <= PORTS_MOST;

/** Let a bundle stand for one edge more. @param {Link} link @param {import("../graph/wires.js").Wires} wires @param {number} e */
function widen(link, wires, e) {
  link.count += 1;
  link.elements = Math.max(link.elements, wires.elements[e]);
  if (link.shape !== wires.shapes[wires.shape[e]]) link.shape = "";
}

/** The items that a constant stands at, by its name. @param {Visible} visible */
function bearersOf({ items }) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const { id, constants } of items.values()) {
    for (const name of constants.flatMap(({ names }) => names)) found.set(name, [...(found.get(name) ?? []), id]);
  }
  return found;
}

/** One edge for each tag, from its tensor. @param {Visible} visible @returns {Iterable<Link>} */
function* tagEdges(visible) {
  const { tree, model, items, wires } = visible;
  for (const [place, { id, tensor }] of visible.tags.entries()) {
    const i = tree.index.get(nodeOf(tensor ?? ""));
    if (tensor === null || i === undefined) continue;
    const source = model.nodes[i];
    const output = outputOf(tensor);
    const [from, shape] = [shownBy(visible, i), shapeLabel(source, output)];
    const name = tensorName(source, output);
    yield {
      ...{
        from,
        to: id,
        source: from,
        target: id,
        slot: -1,
        passage: 0,
        kind: "data",
        phase: items.get(id)?.phase ?? "forward",
        count: 1,
        shape,
      },
      strand: from === source.name ? name : from,
      first: wires.count + place,
      net: `${from === source.name ? name : from} ${shape} ${items.get(id)?.phase}`,
      elements: elements(source, output),
      title: titled(name, items.get(id)?.label ?? "", shape),
    };
  }
}

/** The edge e, ending at an item. @param {Visible} visible @param {number} e @param {string} to @returns {Link} */
function edge(visible, e, to) {
  const { model, items, wires } = visible;
  const [source, node, output] = [model.nodes[wires.from[e]], model.nodes[wires.to[e]], wires.output[e]];
  const kind = KINDS[wires.kind[e]];
  const phase = items.get(to)?.phase ?? "forward";
  const slot = to === node.name && hasPort(node, kind) ? wires.slot[e] : -1;
  const from = tagBefore(visible, `${source.name}:${output}`, node, kind) ?? shownBy(visible, wires.from[e]);
  const shape = wires.shapes[wires.shape[e]];
  const twin = slot >= 0 && node.inputs.indexOf(node.inputs[slot]) < slot ? ` again ${slot}` : ""; // x * x: two lines
  const name = tensorName(source, output);
  const strand = from === source.name ? name : from;
  return {
    ...{
      from,
      to,
      slot,
      passage: 0,
      kind,
      phase,
      source: from,
      target: to,
      count: 1,
      shape,
      elements: wires.elements[e],
      strand,
      first: e,
    },
    net: `${strand}${to.endsWith("/") ? "" : ` ${shape}`} ${styleOf({ kind, phase })}${twin}`,
    title: titled(name, node.name, shape),
  };
}

/** Whether an edge runs from one outermost closed scope to another, where all but what is written runs together. @param {Link} link */
const isBetweenScopes = ({ from, to, kind }) => isOutermost(from) && isOutermost(to) && kind !== "reference";

/** Whether an id is that of a scope in no other. @param {string} id */
const isOutermost = (id) => id.indexOf("/") === id.length - 1;

/** Whether a line that stands for edges of both kinds looks like the first. @param {EdgeKind} kind @param {EdgeKind} other */
const outranks = (kind, other) => KINDS.indexOf(kind) < KINDS.indexOf(other);

/** What a line looks like: data as the phase that reads it, all else as its kind. @param {Pick<Link, "kind" | "phase">} link */
export const styleOf = ({ kind, phase }) => (kind === "data" ? phase : kind);

/** "Split:1"; of the first output just the node's name. @param {ApiNode} source @param {number} output */
const tensorName = ({ name }, output) => (output === 0 ? name : `${name}:${output}`);

/** @param {string} from @param {string} to @param {string} shape */
const titled = (from, to, shape) => `${from} → ${to}${shape && ` [${shape}]`}`;

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
  let { from, to, net } = whole;
  for (const container of outward.slice(0, outward.indexOf(shared))) {
    const door = to.endsWith("/") ? `to ${to} ${whole.kind}` : net; // what goes to one closed scope leaves together
    pieces.push([container, { ...whole, from, to: OUT + door, net, slot: -1, strand: `${from} ${whole.kind}` }]);
    [from, net] = [container, door];
  }
  const strand = `${from === whole.from ? whole.strand : from} ${whole.kind}`;
  for (const container of inward.slice(0, inward.indexOf(shared))) {
    pieces.push([container, { ...whole, from: IN + net, to, net, slot: to === whole.to ? whole.slot : -1, strand }]);
    to = container;
  }
  pieces.push([shared, { ...whole, from, to, net, slot: to === whole.to ? whole.slot : -1, strand }]);
  return pieces;
}

/** The containers around an item, innermost first, ROOT last. @param {ReadonlyMap<string, Item>} items @param {string} id */
function containersOf(items, id) {
  const found = [];
  for (let at = items.get(id)?.parent ?? ROOT; at !== ROOT; at = items.get(at)?.parent ?? ROOT) found.push(at);
  found.push(ROOT);
  return found;
}
