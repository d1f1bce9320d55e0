// What of a program's graph is known at step k of its lesson.
//
// Everything here maps values to values. A node is *told* by the step that computes it; a node
// without a step of its own (a constant, a read, a gate) is known as soon as its inputs are.

import { shortValue } from "./format.js";

/** @typedef {import("./api.js").ApiNode} ApiNode */
/** @typedef {import("./api.js").Program} Program */
/** @typedef {import("./api.js").Step} Step */
/** @typedef {import("./api.js").Value} Value */
/** @typedef {"done" | "current" | "waiting"} Status */
/** @typedef {{values: ReadonlyMap<string, string>, status: ReadonlyMap<string, Status>}} Known */

export const UNKNOWN = "?";
const ROOM = 9; // characters that the drawing keeps free for a value

/** The node that makes a tensor: "Exp:0" -> "Exp". @param {string} tensor */
export const nodeOf = (tensor) => tensor.replace(/^\^/, "").replace(/:\d+$/, "");

/** The step at which a first-time reader starts: everything forward is known, the seed is placed. @param {readonly Step[]} steps */
export function firstStop(steps) {
  const backward = steps.findIndex((step) => step.phase !== "forward");
  return backward === -1 ? steps.length - 1 : backward;
}

/** Runs of steps of one phase, in order. @param {readonly Step[]} steps */
export function phasesOf(steps) {
  /** @type {{phase: import("./api.js").Phase, first: number, count: number}[]} */
  const phases = [];
  for (const step of steps) {
    const last = phases.at(-1);
    if (last?.phase === step.phase) last.count += 1;
    else phases.push({ phase: step.phase, first: step.index, count: 1 });
  }
  return phases;
}

/**
 * For each node the index of the step after which its value is known, -1 for "from the start".
 * @param {readonly ApiNode[]} nodes @param {readonly Step[]} steps @returns {Map<string, number>}
 */
export function knownAt(nodes, steps) {
  const told = new Map(steps.map((step) => [step.node, step.index]));
  const untold = steps.length; // an update that the lesson does not reach
  /** @type {Map<string, number>} */
  const known = new Map();
  for (const node of nodes) {
    const after = node.inputs.map((input) => known.get(nodeOf(input)) ?? -1);
    const own = node.phase === "update" ? untold : -1;
    known.set(node.name, told.get(node.name) ?? Math.max(own, ...after));
  }
  return known;
}

/** The scopes around a name, outermost first. @param {string} name */
export function scopesAround(name) {
  const parts = name.split("/");
  return parts.slice(1).map((_, depth) => parts.slice(0, depth + 1).join("/"));
}

/**
 * What each scope hands on: its variable where it is one, else the nodes read from outside it or by nobody.
 * @param {readonly ApiNode[]} nodes @returns {Map<string, string[]>}
 */
export function scopeOutputs(nodes) {
  const names = new Set(nodes.map((node) => node.name));
  /** @type {Map<string, Set<string>>} */
  const outputs = new Map();
  const read = new Set(nodes.flatMap((node) => node.inputs.map(nodeOf)));
  for (const node of nodes) {
    for (const scope of scopesAround(node.name)) {
      if (!outputs.has(scope)) outputs.set(scope, new Set(names.has(scope) ? [scope] : []));
      if (!names.has(scope) && !read.has(node.name)) outputs.get(scope)?.add(node.name);
    }
    for (const input of node.inputs.map(nodeOf)) {
      for (const scope of scopesAround(input)) {
        if (!names.has(scope) && !node.name.startsWith(`${scope}/`)) outputs.get(scope)?.add(input);
      }
    }
  }
  return new Map([...outputs].map(([scope, found]) => [scope, [...found]]));
}

/** @param {number} index @param {number} cursor @returns {Status} */
const statusOf = (index, cursor) => (index === cursor ? "current" : index < cursor ? "done" : "waiting");

/** @param {Status[]} inner @returns {Status} */
function scopeStatus(inner) {
  if (inner.includes("current")) return "current";
  return inner.every((status) => status === "done") ? "done" : "waiting";
}

/** The texts of several outputs, while they fit. @param {string[]} texts */
function together(texts) {
  const joined = texts.join(", ");
  return joined.length <= ROOM ? joined : (texts.at(-1) ?? "");
}

/**
 * Give every scope the state of what it hands on.
 * @param {Map<string, string>} values @param {Map<string, Status>} status
 * @param {readonly ApiNode[]} nodes @returns {Known}
 */
function withScopes(values, status, nodes) {
  const names = new Set(nodes.map((node) => node.name));
  for (const [scope, outputs] of scopeOutputs(nodes)) {
    if (names.has(scope)) continue;
    status.set(scope, scopeStatus(outputs.map((name) => status.get(name) ?? "done")));
    values.set(scope, together(outputs.map((name) => values.get(name) ?? "").filter((text) => text !== "")));
  }
  for (const name of names) {
    const inside = [...status].filter(([other, state]) => state === "current" && other.startsWith(`${name}/`));
    if (inside.length > 0) status.set(name, "current");
  }
  return { values, status };
}

/**
 * Values and states at one step. Without a lesson everything is known.
 * @param {Program} program @param {readonly Step[]} steps @param {number} cursor @returns {Known}
 */
export function knownAfter(program, steps, cursor) {
  const { nodes } = program.graph;
  const index = knownAt(nodes, steps);
  const told = new Map(steps.map((step) => [step.node, step.output.value]));
  const status = new Map(nodes.map((node) => [node.name, statusOf(index.get(node.name) ?? -1, cursor)]));
  const values = new Map(nodes.map((node) => {
    if (status.get(node.name) === "waiting") return [node.name, UNKNOWN];
    return [node.name, nodeText(told.get(node.name) ?? node.value)];
  }));
  return withScopes(values, status, nodes);
}

/** @param {Value | undefined} value */
const nodeText = (value) => (value === null || value === undefined ? "" : shortValue(value, ROOM));

/**
 * Values after k updates of a run; what the run did not record keeps the value it had.
 * @param {import("./api.js").Run} run @param {number} row @returns {Known}
 */
export function knownInRun(run, row) {
  const { nodes } = run.program.graph;
  const column = (/** @type {string} */ name) => run.nodes?.[`${name}:0`];
  const values = new Map(nodes.map((node) => [node.name, nodeText(/** @type {Value} */ (column(node.name)?.[row] ?? node.value))]));
  const status = new Map(nodes.map((node) => [node.name, /** @type {Status} */ ("done")]));
  return withScopes(values, status, nodes);
}
