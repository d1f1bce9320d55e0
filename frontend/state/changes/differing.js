// What differs between two programs, as the page shows it: one graph of both, its marks, and a list of what differs.

import { leaf, nodeOf } from "../../layout/graph/names.js";
import { partOf } from "../../layout/graph/part.js";
import { scopesToOpen } from "../../layout/graph/scopes.js";
import { scopesAround } from "../lesson.js";

/** @import { ChangedNode, Differences, MarkedNode } from "../../types.js" */
/** @typedef {"added" | "removed" | "changed"} Kind */
/** @typedef {{kind: Kind, name: string, shown: string, op: string, phase: "forward" | "gradient" | "other", changes: ChangedNode["changes"]}} Row */
/** @typedef {{kind: "earlier", place: number} | {kind: "kept"} | {kind: "example", id: string} | {kind: "text", source: string} | {kind: "graph", id: string, name: string}} Choice */
/** @typedef {{chosen: Choice | null, kept: import("./earlier.js").DrawnText | null, hasGradients: boolean, typed: string}} ChangesSettings */

const OPENED = 60; // nodes that differ whose scopes are opened at first
const KINDS = /** @type {ReadonlySet<string>} */ (new Set(["added", "removed", "changed"]));

/** The nodes that differ by themselves. @param {Differences} answer */
const differing = ({ graph }) => graph.nodes.filter(({ difference }) => KINDS.has(difference));

/** Whether only the gradients' part differs. @param {Differences} answer */
export const isInGradientsOnly = (answer) => {
  const found = rowsOf(answer);
  return found.length > 0 && found.every(({ phase }) => phase !== "forward");
};

/** A node of the picture: with what it took before, too, and what is gone under its own name. @param {MarkedNode} node */
const drawnNode = (node) => ({
  ...node,
  inputs: [...node.inputs, ...node.removed_inputs],
  ...(node.difference === "removed" && { label: leaf(node.was ?? node.name) }),
});

/**
 * What is drawn: the forward part, or all of it.
 * @param {Differences} answer @param {boolean} hasGradients @param {ReadonlyMap<string, string>} names
 */
export function pictureOf(answer, hasGradients, names) {
  const whole = { nodes: answer.graph.nodes.map(drawnNode), target: answer.after.target, names, gradients: [] };
  return partOf(whole, hasGradients ? "both" : "forward");
}

/** The scopes that are open at first: those that always are, and those around few nodes that differ. @param {Differences} answer */
export function openAtFirst(answer) {
  const found = differing(answer);
  const around = found.length > OPENED ? [] : found.flatMap(({ name }) => scopesAround(name));
  return new Set([...scopesToOpen(answer.graph.nodes), ...around]);
}

/**
 * What a node or scope is marked as. A scope is what all in it is, else changed where anything in it differs.
 * @param {Differences} answer @returns {Map<string, Kind>}
 */
export function kindsOf(answer) {
  const kinds = new Map(differing(answer).map(({ name, difference }) => [name, /** @type {Kind} */ (difference)]));
  /** @type {Map<string, Set<string>>} */
  const inside = new Map();
  for (const { name, difference } of answer.graph.nodes)
    for (const scope of scopesAround(name)) inside.set(scope, (inside.get(scope) ?? new Set()).add(difference));
  for (const [scope, found] of inside) {
    const [only] = found;
    if (found.size === 1 && KINDS.has(only)) kinds.set(scope, /** @type {Kind} */ (only));
    else if ([...found].some((kind) => KINDS.has(kind)) && !kinds.has(scope)) kinds.set(scope, "changed");
  }
  return kinds;
}

/**
 * The edges that are gone, each as "from to" by what is drawn: nodes, or closed scopes ("hidden/") that they stand in. A line
 * between scopes that stands for other edges, too, is none.
 * @param {Differences} answer
 */
export function goneEdges({ graph }) {
  const edges = graph.nodes.flatMap(edgesOf);
  const found = new Set(edges.filter(({ isGone }) => isGone).flatMap(linesOf));
  for (const edge of edges) if (!edge.isGone && found.size > 0) for (const line of linesOf(edge)) found.delete(line);
  return found;
}

/** @typedef {{from: string, to: string, isGone: boolean}} Edge */

/** What a node takes, and what it took before. @param {MarkedNode} node @returns {Edge[]} */
const edgesOf = ({ name, difference, inputs, removed_inputs: gone }) => [
  ...inputs.map((source) => ({ from: nodeOf(source), to: name, isGone: difference === "removed" })),
  ...gone.map((source) => ({ from: nodeOf(source), to: name, isGone: true })),
];

/** The lines that may stand for an edge, whichever scopes are closed. @param {Edge} edge */
const linesOf = ({ from, to }) => drawnAs(from).flatMap((source) => drawnAs(to).map((target) => `${source} ${target}`));

/** @param {string} name of a node */
const drawnAs = (name) => [name, ...scopesAround(name).map((scope) => `${scope}/`)];

/** @type {WeakMap<Differences, Row[]>} an answer never changes, and its list is drawn at every step */
const listed = new WeakMap();

/** All that differs, the forward part first. @param {Differences} answer @returns {Row[]} */
export function rowsOf(answer) {
  const rows = listed.get(answer) ?? rowsMade(answer);
  listed.set(answer, rows);
  return rows;
}

/** @param {Differences} answer @returns {Row[]} */
function rowsMade(answer) {
  const changes = new Map(answer.changed.map((one) => [one.after, one.changes]));
  const rows = differing(answer).map((node) => rowOf(node, changes.get(node.name) ?? []));
  const order = { forward: 0, gradient: 1, other: 2 };
  return rows.sort((a, b) => order[a.phase] - order[b.phase]);
}

/** @param {MarkedNode} node @param {ChangedNode["changes"]} changes @returns {Row} */
const rowOf = ({ name, was, op, phase, difference }, changes) => ({
  kind: /** @type {Kind} */ (difference),
  name,
  shown: difference === "removed" ? (was ?? name) : name,
  op,
  phase: phase === "forward" || phase === "gradient" ? phase : "other",
  changes,
});
