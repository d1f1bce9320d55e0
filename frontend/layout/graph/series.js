// Series: what repeats in a crowded scope, folded into one box "dense ×20" that opens as a scope does.
//
// The children of a scope stand in program order. Where a few of them in a row come again and again (the layers of a
// network, the turns of a loop), alike in name but for the number and alike inside, they form a series. A scope that
// still holds more than any screen shows is cut into stretches.

import { each } from "../../scheduling/scheduler.js";

/** @import { ApiNode, Scope } from "../types.js" */

/**
 * A child of a scope: a scope, or a node that is drawn.
 * @typedef {object} Child
 * @property {string} name
 * @property {number} first         program position of its first node
 * @property {Scope | null} scope   null for a node
 * @property {string} base          the last part of its name, without the number
 * @property {string} [label]       what is written on it, where that is not its name
 * @property {string} phase
 */

/** @typedef {{nodes: ReadonlyArray<ApiNode>, scopes: Map<string, Scope>, homes: Array<Scope | null>, bands: ReadonlySet<string>}} Tree without series */
/** @typedef {{from: number, length: number, count: number}} Run of children: `count` times the same */

const CROWDED = 40; // children of a scope that are drawn one by one
const CROWDED_PARTS = 200; // of a picture at level Mathematics, whose lesson leads from one to the next
const MOST = 300; // children of a scope, at all
const PERIOD_MOST = 12; // children that come again together
const TURNS_LEAST = 5; // for two or more that come together
const LENGTH_LEAST = 10; // children in a series

/**
 * Put the series into the tree.
 * @param {Tree} tree
 * @returns {Generator<void, {scopes: Map<string, Scope>, homes: Array<Scope | null>}, void>} the outer scopes first again
 */
export function* foldSeries(tree) {
  const children = yield* childrenByScope(tree);
  /** @type {Map<string, Scope>} */
  const found = new Map();
  for (const [up, own] of children) {
    if (own.length <= (own.some(({ label }) => label !== undefined) ? CROWDED_PARTS : CROWDED)) continue;
    const folded = yield* runsIn(own, tree);
    for (const run of own.length > MOST ? withStretches(own, folded) : folded) fold(tree, found, own, run, up);
  }
  const all = [...tree.scopes, ...found];
  return { scopes: new Map(all.sort(([, a], [, b]) => depthOf(a) - depthOf(b))), homes: tree.homes };
}

/** @param {Scope} scope */
function depthOf(scope) {
  let depth = 0;
  for (let at = scope.up; at !== null; at = at.up) depth += 1;
  return depth;
}

/** What any scope has at first. @returns {Pick<Scope, "members" | "series" | "number" | "inner" | "own">} */
export const newScope = () => ({ members: [], series: null, number: -1, inner: [], own: [] });

/** The children of each scope in program order, without bands and constants. @param {Tree} tree @returns {Generator<void, Map<Scope | null, Child[]>, void>} */
function* childrenByScope({ nodes, scopes, homes, bands }) {
  /** @type {Map<Scope | null, Child[]>} */
  const children = new Map();
  const add = (/** @type {Scope | null} */ up, /** @type {Child} */ child) => {
    const own = children.get(up);
    if (own) own.push(child);
    else children.set(up, [child]);
  };
  yield* each([...scopes.values()], (scope) => {
    const first = scope.members[0];
    if (!bands.has(scope.name))
      add(scope.up, { name: scope.name, first, scope, base: baseOf(scope.name), phase: nodes[first].phase });
  });
  yield* each([...nodes.keys()], (i) => {
    const { name, op, phase, stub, label } = nodes[i];
    if (!stub && op !== "Const") add(homes[i], { name, first: i, scope: null, base: baseOf(name), label, phase });
  });
  for (const own of children.values()) own.sort((a, b) => a.first - b.first);
  return children;
}

/** "a/dense_12" and "a/dense" both have the base "dense"; so has "dense_12_grad" "dense_grad". @param {string} name */
const baseOf = (name) => name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("∕")) + 1).replace(/_?\d+(?=$|_grad$)/, "");

/**
 * The runs worth folding.
 * @param {Child[]} children @param {Tree} tree
 * @returns {Generator<void, Run[], void>}
 */
function* runsIn(children, tree) {
  /** @type {string[]} */
  const kinds = [];
  yield* each(
    children,
    (child) =>
      void kinds.push(`${child.phase} ${child.base} ${child.scope ? insideOf(child.scope, tree) : tree.nodes[child.first].op}`),
  );
  const lengths = Array.from({ length: PERIOD_MOST + 1 }, (_, period) => repeatsOf(kinds, period));
  /** @type {Run[]} */
  const runs = [];
  for (let at = 0; at < kinds.length;) {
    const run = runAt(at, lengths);
    if (run) runs.push(run);
    at += run ? run.length * run.count : 1;
  }
  return runs;
}

/** Per position: how many of the following kinds are equal to those `period` later. @param {string[]} kinds @param {number} period */
function repeatsOf(kinds, period) {
  const lengths = new Array(kinds.length + 1).fill(0);
  for (let i = kinds.length - period - 1; period > 0 && i >= 0; i -= 1) {
    lengths[i] = kinds[i] === kinds[i + period] ? lengths[i + 1] + 1 : 0;
  }
  return lengths;
}

/** The shortest repetition that begins here and is long enough. @param {number} at @param {number[][]} lengths @returns {Run | null} */
function runAt(at, lengths) {
  for (let period = 1; period <= PERIOD_MOST; period += 1) {
    const count = Math.floor(lengths[period][at] / period) + 1;
    if (count >= TURNS_LEAST && count * period >= LENGTH_LEAST) return { from: at, length: period, count };
  }
  return null;
}

/** What a scope holds, by names without their numbers and by ops; sizes do not matter. @param {Scope} scope @param {Tree} tree */
function insideOf({ name, members }, { nodes }) {
  return members.map((i) => `${nodes[i].name.slice(name.length).replaceAll(/\d+/g, "")} ${nodes[i].op}`).join();
}

/**
 * The runs, and stretches of what stands between them, so that few enough children remain.
 * @param {Child[]} children @param {Run[]} runs
 * @returns {Run[]}
 */
function withStretches(children, runs) {
  const loose = children.length - runs.reduce((sum, { length, count }) => sum + length * count, 0);
  if (loose + runs.length <= MOST) return runs;
  const most = Math.max(LENGTH_LEAST, Math.ceil(Math.sqrt(loose)));
  const starts = new Map(runs.map((run) => [run.from, run]));
  /** @type {Run[]} */
  const all = [];
  for (let at = 0; at < children.length;) {
    const run = starts.get(at) ?? stretchAt(children, at, most, starts);
    if (run.length > 1 || run.count > 1) all.push(run);
    at += run.length * run.count;
  }
  return all;
}

/** Up to `most` children of one phase, as far as the next run. @param {Child[]} children @param {number} at @param {number} most @param {ReadonlyMap<number, Run>} starts @returns {Run} */
function stretchAt(children, at, most, starts) {
  let end = at + 1;
  while (end < children.length && end - at < most && !starts.has(end) && children[end].phase === children[at].phase) end += 1;
  return { from: at, length: end - at, count: 1 };
}

/**
 * Make a series of a run; one with too many members holds stretches itself.
 * @param {Tree} tree @param {Map<string, Scope>} found @param {Child[]} siblings @param {Run} run @param {Scope | null} up
 */
function fold(tree, found, siblings, { from, length, count }, up) {
  const own = siblings.slice(from, from + length * count);
  const name = `${own[0].name}…${own[own.length - 1].name.slice(own[0].name.lastIndexOf("/") + 1)}`;
  const members = own.flatMap(({ first, scope }) => scope?.members ?? [first]).sort((a, b) => a - b);
  const label =
    count > 1 ? `${turnLabel(own.slice(0, length))} ×${count}` : `${lastPart(own[0])} … ${lastPart(own[own.length - 1])}`;
  const series = {
    ...newScope(),
    name,
    id: `${name}/`,
    parent: up?.name ?? "",
    up,
    members,
    series: { count, label, holds: [] },
  };
  found.set(name, series);
  for (const { scope, first } of own) {
    if (scope) [scope.up, scope.parent] = [series, name];
    else tree.homes[first] = series;
  }
  if (own.length > MOST) for (const run of withStretches(own, [])) fold(tree, found, own, run, series);
}

/** @param {Child} child */
const lastPart = ({ name, label }) => label ?? name.slice(name.lastIndexOf("/") + 1);

/** "dense"; "MatMul … Tanh" of several. @param {Child[]} turn */
function turnLabel(turn) {
  const [first, last] = [turn[0], turn[turn.length - 1]].map(({ base, label }) => label ?? base);
  return turn.length === 1 ? first : `${first} … ${last}`;
}
