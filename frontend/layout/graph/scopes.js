// Scopes: which nodes are seen as themselves, and which as the closed scope that holds them.
//
// "gradients/Exp_grad/mul" lies in the scope "gradients/Exp_grad", in the scope "gradients". An op whose
// name is also a scope's ("x" beside "x/read") lies in that scope and shows there as "(x)". Where a scope holds more
// than fits on a screen, what repeats in it lies in a series (series.js), which opens and closes as a scope does.

import { atOnce, each } from "../../scheduling/scheduler.js";
import { attendantsOf, NO_ATTENDANTS } from "./attendants.js";
import { enclosing, ROOT } from "./names.js";
import { foldSeries, newScope } from "./series.js";

/** @import { ApiNode, Scope } from "../types.js" */

/**
 * @typedef {object} ScopeTree
 * @property {ReadonlyArray<ApiNode>} nodes
 * @property {ReadonlyMap<string, number>} index     node name -> program position
 * @property {ReadonlyMap<string, Scope>} scopes     full name -> scope or series, the outer ones first
 * @property {ReadonlyArray<Scope>} list             the same scopes, by number
 * @property {ReadonlyArray<Scope | null>} homes     per node: the innermost scope or series around it
 * @property {Int32Array} home                       its number; -1 for none
 * @property {Int32Array} ups                        per scope: the number of the one around it; -1 for none
 * @property {Pick<Scope, "inner" | "own">} root     what lies in no scope
 * @property {ReadonlyArray<number>} stubs           nodes that only stand for their readers' flags
 * @property {boolean} merged                        no scope is a band
 * @property {ReadonlySet<string>} bands             scopes drawn as bands across the picture, when open
 * @property {import("./attendants.js").Attendants} attendants  what is drawn beside the bands only while they are open
 */

/** @type {WeakMap<ReadonlyArray<ApiNode>, ScopeTree>} a graph's nodes never change, and its tree is asked for at every opening */
const trees = new WeakMap();

/**
 * The scope tree of a graph.
 * @param {ReadonlyArray<ApiNode>} nodes @param {boolean} [merged]
 * @returns {ScopeTree}
 */
export function scopeTree(nodes, merged = false) {
  const tree = atOnce(scopeTreeInStages(nodes));
  return merged ? { ...tree, merged, bands: new Set(), attendants: NO_ATTENDANTS } : tree;
}

/**
 * The same in stages, for a page that answers in between; a tree that is known is given at once.
 * @param {ReadonlyArray<ApiNode>} nodes @returns {Generator<void, ScopeTree, void>}
 */
export function* scopeTreeInStages(nodes) {
  const tree = trees.get(nodes) ?? (yield* treeOf(nodes));
  trees.set(nodes, tree);
  return tree;
}

/** @param {ReadonlyArray<ApiNode>} nodes @returns {Generator<void, ScopeTree, void>} */
function* treeOf(nodes) {
  const index = new Map(nodes.map((node, i) => [node.name, i]));
  yield;
  /** @type {Map<string, Scope>} */
  const scopes = new Map();
  /** @type {Array<Scope | null>} */
  const homes = [];
  yield* each(nodes, ({ name, stub }) => void homes.push(stub ? null : entered(scopes, enclosing(name), homes.length)));
  yield* each([...scopes.values()], (scope) => {
    const own = index.get(scope.name);
    if (own === undefined || nodes[own].stub) return;
    if (holdsOperands(scope, nodes)) dissolve(scopes, scope, homes);
    else {
      insert(scope.members, own);
      homes[own] = scope;
    }
  });
  const bands = new Set(scopesToOpen(nodes));
  yield;
  const attendants = yield* attendantsOf(nodes, bands);
  yield;
  const folded = yield* foldSeries({ nodes, scopes, homes, bands });
  yield;
  return { nodes, index, merged: false, ...numbered(folded, nodes), bands, attendants };
}

/**
 * What every opening of a scope asks for, made once: numbers, and what lies directly in each scope.
 * @param {{scopes: Map<string, Scope>, homes: Array<Scope | null>}} folded @param {ReadonlyArray<ApiNode>} nodes
 */
function numbered({ scopes, homes }, nodes) {
  const root = { inner: /** @type {Scope[]} */ ([]), own: /** @type {number[]} */ ([]) };
  const list = [...scopes.values()];
  list.forEach((scope, i) => {
    scope.number = i;
    (scope.up ?? root).inner.push(scope);
  });
  nodes.forEach(({ stub }, i) => stub || (homes[i] ?? root).own.push(i));
  for (const { series, inner, own } of list) {
    if (series) series.holds = [...inner.map(({ name }) => name), ...own.map((i) => nodes[i].name)];
  }
  const numberOf = (/** @type {Scope | null} */ scope) => scope?.number ?? -1;
  const stubs = nodes.flatMap(({ stub }, i) => (stub ? [i] : []));
  return {
    scopes,
    list,
    homes,
    home: Int32Array.from(homes, numberOf),
    ups: Int32Array.from(list, ({ up }) => numberOf(up)),
    root,
    stubs,
  };
}

/**
 * Note that node i lies in a scope and in all around it. @param {Map<string, Scope>} scopes @param {string} name @param {number} i
 * @returns {Scope | null} the scope; null for ROOT
 */
function entered(scopes, name, i) {
  const scope = scopeNamed(scopes, name);
  for (let at = scope; at !== null; at = at.up) at.members.push(i);
  return scope;
}

/** @param {Map<string, Scope>} scopes @param {string} name @returns {Scope | null} */
function scopeNamed(scopes, name) {
  if (name === ROOT) return null;
  const known = scopes.get(name);
  if (known) return known;
  const parent = enclosing(name);
  const scope = { ...newScope(), name, id: `${name}/`, parent, up: scopeNamed(scopes, parent) };
  scopes.set(name, scope);
  return scope;
}

/**
 * Whether a scope holds nothing but constants that its own op reads ("mul/y" of "mul", for x * 2). Such an op is
 * drawn as an op: there is nothing in it to open.
 * @param {Scope} scope without the op @param {ReadonlyArray<ApiNode>} nodes
 */
function holdsOperands({ name, members }, nodes) {
  return members.every((i) => nodes[i].op === "Const" && enclosing(nodes[i].name) === name);
}

/** @param {Map<string, Scope>} scopes @param {Scope} scope @param {Array<Scope | null>} homes */
function dissolve(scopes, scope, homes) {
  scopes.delete(scope.name);
  for (const i of scope.members) homes[i] = scope.up;
}

/** Keep program order. @param {number[]} members @param {number} i */
function insert(members, i) {
  const at = members.findIndex((member) => member > i);
  members.splice(at < 0 ? members.length : at, 0, i);
}

/**
 * Every scope and series that holds the node or scope, outermost first; a scope holds itself. What is drawn only beside an
 * open band is held by it. @param {ScopeTree} tree @param {string} name */
export function scopesOf(tree, name) {
  const found = [];
  const innermost = tree.scopes.get(name) ?? tree.homes[tree.index.get(name) ?? -1] ?? null;
  for (let at = innermost; at !== null; at = at.up) found.unshift(at.name);
  const [outermost = name] = found;
  const { served, waiting } = tree.attendants;
  const band = served.get(outermost) ?? (waiting.has(outermost) ? [...tree.bands][0] : undefined);
  return band === undefined ? found : [band, ...found];
}

/**
 * By scope number: the number of the outermost closed scope around it or itself; -1 where all are open.
 * @param {Pick<ScopeTree, "list" | "ups">} tree @param {ReadonlySet<string>} open
 */
export function closedAround({ list, ups }, open) {
  const closed = new Int32Array(list.length);
  for (let i = 0; i < closed.length; i += 1) {
    const outer = ups[i] < 0 ? -1 : closed[ups[i]];
    closed[i] = outer >= 0 ? outer : open.has(list[i].name) ? -1 : i;
  }
  return closed;
}

/** Whether an open scope is drawn as a band across the picture. @param {Pick<ScopeTree, "bands">} tree @param {string} name */
export const isBand = ({ bands }, name) => bands.has(name);

/**
 * The scopes that a newcomer wants open, as they are drawn as bands: each call of tf.gradients (outermost, all of it
 * gradient nodes, with the usual name or a seed), and each optimizer (outermost, with an `update_…` scope for each variable).
 * @param {ReadonlyArray<ApiNode>} nodes
 * @returns {string[]}
 */
export function scopesToOpen(nodes) {
  /** @type {Map<string, {gradient: boolean, phase: string, called: boolean, updates: boolean}>} */
  const outermost = new Map();
  for (const { name, phase, stub } of nodes) {
    const slash = name.indexOf("/");
    if (slash <= 0 || stub) continue;
    const scope = name.slice(0, slash);
    const facts = outermost.get(scope) ?? { gradient: true, phase, called: /^gradients(_\d+)?$/.test(scope), updates: false };
    facts.gradient &&= phase === "gradient";
    facts.called ||= name.endsWith("/grad_ys_0") && name.length === slash + "/grad_ys_0".length;
    facts.updates ||= name.startsWith("update_", slash + 1);
    outermost.set(scope, facts);
  }
  return [...outermost].flatMap(([scope, { gradient, phase, called, updates }]) =>
    (gradient && called) || (phase === "update" && updates) ? [scope] : [],
  );
}
