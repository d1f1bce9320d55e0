// Scopes: which nodes are seen as themselves, and which as the closed scope that holds them.
//
// "gradients/Exp_grad/mul" lies in the scope "gradients/Exp_grad", in the scope "gradients". An op whose
// name is also a scope's ("x" beside "x/read") lies in that scope and shows there as "(x)".

/** @typedef {import("./types.js").ApiNode} ApiNode */

export const ROOT = "";

/**
 * @typedef {object} Scope
 * @property {string} name
 * @property {string} parent            enclosing scope, or ROOT
 * @property {number[]} members         indices of all nodes inside, in program order
 */

/**
 * @typedef {object} ScopeTree
 * @property {ReadonlyArray<ApiNode>} nodes
 * @property {ReadonlyMap<string, number>} index     node name -> program position
 * @property {ReadonlyMap<string, Scope>} scopes     full name -> scope
 * @property {boolean} merged                        no scope is a band
 * @property {ReadonlySet<string>} bands             scopes drawn as bands across the picture, when open
 */

/** @type {WeakMap<ReadonlyArray<ApiNode>, ScopeTree>} a graph's nodes never change, and its tree is asked for at every opening */
const trees = new WeakMap();

/**
 * The scope tree of a graph.
 * @param {ReadonlyArray<ApiNode>} nodes @param {boolean} [merged]
 * @returns {ScopeTree}
 */
export function scopeTree(nodes, merged = false) {
  const tree = trees.get(nodes) ?? treeOf(nodes);
  trees.set(nodes, tree);
  return merged ? { ...tree, merged, bands: new Set() } : tree;
}

/** @param {ReadonlyArray<ApiNode>} nodes @returns {ScopeTree} */
function treeOf(nodes) {
  /** @type {Map<string, Scope>} */
  const scopes = new Map();
  nodes.forEach((node, i) => {
    if (node.stub) return;
    for (let slash = node.name.indexOf("/"); slash > 0; slash = node.name.indexOf("/", slash + 1)) {
      enter(scopes, node.name.slice(0, slash), i);
    }
  });
  nodes.forEach((node, i) => {
    const own = scopes.get(node.name);
    if (!own) return;
    if (holdsOperands(own, nodes)) scopes.delete(node.name);
    else insert(own.members, i);
  });
  const index = new Map(nodes.map((node, i) => [node.name, i]));
  const tree = { nodes, scopes, index, merged: false, bands: new Set() };
  const bands = [...scopes.keys()].filter((name) => isGradientCall(tree, name) || isOptimizer(tree, name));
  return { ...tree, bands: new Set(bands) };
}

/**
 * Whether a scope holds nothing but constants that its own op reads ("mul/y" of "mul", for x * 2). Such an op is
 * drawn as an op: there is nothing in it to open.
 * @param {Scope} scope without the op @param {ReadonlyArray<ApiNode>} nodes
 */
function holdsOperands({ name, members }, nodes) {
  return members.every((i) => nodes[i].op === "Const" && enclosing(nodes[i].name) === name);
}

/** @param {Map<string, Scope>} scopes @param {string} name @param {number} i */
function enter(scopes, name, i) {
  const scope = scopes.get(name) ?? { name, parent: enclosing(name), members: [] };
  scope.members.push(i);
  scopes.set(name, scope);
}

/** Keep program order. @param {number[]} members @param {number} i */
function insert(members, i) {
  const at = members.findIndex((member) => member > i);
  members.splice(at < 0 ? members.length : at, 0, i);
}

/** The scope that a name stands in. @param {string} name */
export const enclosing = (name) => name.slice(0, Math.max(0, name.lastIndexOf("/")));

/** The last part of a name. @param {string} name */
export const leaf = (name) => name.slice(name.lastIndexOf("/") + 1);

/** The node that a tensor or a control input comes from. @param {string} tensor "Split:1" */
export const nodeOf = (tensor) => tensor.replace(/:\d+$/, "");

/** The output that a tensor is. @param {string} tensor */
export const outputOf = (tensor) => Number(/:(\d+)$/.exec(tensor)?.[1] ?? 0);

/** Every scope that holds the node, outermost first. @param {ScopeTree} tree @param {string} node */
export function scopesOf(tree, node) {
  const found = [];
  for (let slash = node.indexOf("/"); slash > 0; slash = node.indexOf("/", slash + 1)) {
    found.push(node.slice(0, slash));
  }
  return [...found, node].filter((scope) => tree.scopes.has(scope));
}

/**
 * The id of the item that shows a node: the outermost closed scope around it ("x/"), else itself.
 * @param {ScopeTree} tree @param {ReadonlySet<string>} open @param {string} node
 */
export function shownAs(tree, open, node) {
  const closed = scopesOf(tree, node).find((scope) => !open.has(scope));
  return closed === undefined ? node : `${closed}/`;
}

/**
 * Whether a scope is one call of tf.gradients: outermost, all gradient nodes, with the usual name or a seed.
 * @param {ScopeTree} tree @param {string} name
 */
function isGradientCall(tree, name) {
  const scope = tree.scopes.get(name);
  if (scope?.parent !== ROOT || !scope.members.every((i) => tree.nodes[i].phase === "gradient")) return false;
  return /^gradients(_\d+)?$/.test(name) || tree.index.has(`${name}/grad_ys_0`);
}

/**
 * Whether a scope is an optimizer's: outermost, with an `update_…` scope for each variable.
 * @param {ScopeTree} tree @param {string} name
 */
function isOptimizer(tree, name) {
  const scope = tree.scopes.get(name);
  if (scope?.parent !== ROOT || tree.nodes[scope.members[0]].phase !== "update") return false;
  return scope.members.some((i) => tree.nodes[i].name.startsWith(`${name}/update_`));
}

/** Whether an open scope is drawn as a band across the picture. @param {ScopeTree} tree @param {string} name */
export const isBand = ({ bands }, name) => bands.has(name);

/**
 * The scopes that a newcomer wants open: those drawn as bands.
 * @param {ReadonlyArray<ApiNode>} nodes
 * @returns {string[]}
 */
export function scopesToOpen(nodes) {
  const tree = scopeTree(nodes);
  return [...tree.scopes.keys()].filter((name) => isBand(tree, name));
}
