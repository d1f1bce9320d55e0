// Items: what there is to draw for a graph and a set of open scopes, and how large each is.
//
// An item is an op, a scope, or a tag: the small flag that names a result ("y", "dy/dx"). Constants are
// not items: each is drawn at every consumer, and keeps out of the layout's way.

import { textWidth, shortened } from "../geometry/text.js";
import { ROOT, enclosing, isBand, leaf, nodeOf, scopeTree, scopesOf, shownAs } from "./scopes.js";
import { constantLabel, derivativeLabel, opLabel, scopeLabel } from "./labels.js";
import * as M from "./metrics.js";

/** @typedef {import("./types.js").ApiNode} ApiNode */
/** @typedef {import("./types.js").ApiGradient} ApiGradient */
/** @typedef {import("./types.js").GraphModel} GraphModel */
/** @typedef {import("./types.js").Item} Item */
/** @typedef {import("./types.js").Phase} Phase */
/** @typedef {import("./scopes.js").ScopeTree} ScopeTree */

/**
 * @typedef {object} Visible
 * @property {GraphModel} model
 * @property {ScopeTree} tree
 * @property {Map<string, Item>} items           by id
 * @property {string[]} shown                    per node: the id of the item that shows it
 * @property {Set<number>} pills                 nodes drawn as constants at their consumers
 * @property {Tag[]} tags
 */

/** @typedef {{id: string, tensor: string | null, of: string, gradient: ApiGradient | null}} Tag `of`: the node that it is about */

/**
 * The items of a model, sized but not placed.
 * @param {GraphModel} model
 * @returns {Visible}
 */
export function visibleItems(model) {
  const tree = scopeTree(model.nodes, model.merged);
  const tags = tagsOf(model, tree);
  const names = withoutTagged(model.names, tags);
  const open = new Set([...model.open].filter((name) => tree.scopes.has(name)));
  /** @type {Map<string, Item>} */
  const items = new Map();
  const shown = model.nodes.map(({ name }) => shownAs(tree, open, name));
  const pills = constantsAtConsumers(model, tree, shown);
  shown.forEach((id, i) => {
    if (items.has(id) || model.nodes[i].stub) return;
    for (const item of openScopes(tree, model, open, i)) if (!items.has(item.id)) items.set(item.id, item);
    if (id !== model.nodes[i].name) items.set(id, scopeItem(tree, model, id, false));
    else if (!pills.has(i)) items.set(id, opItem(tree, names, i));
  });
  for (const tag of tags) items.set(tag.id, tagItem(tag, model, tree));
  const visible = { model, tree, items, shown, pills, tags };
  addConstants(visible);
  return visible;
}

/** The open scopes around node i that are drawn as boxes. @param {ScopeTree} tree @param {GraphModel} model @param {ReadonlySet<string>} open @param {number} i */
function openScopes(tree, model, open, i) {
  const scopes = scopesOf(tree, model.nodes[i].name);
  const closedAt = scopes.findIndex((name) => !open.has(name));
  const opened = closedAt < 0 ? scopes : scopes.slice(0, closedAt);
  return opened.filter((name) => !isBand(tree, name)).map((name) => scopeItem(tree, model, `${name}/`, true));
}

/**
 * The id of the open box that holds a name; bands are transparent.
 * @param {ScopeTree} tree @param {string} name of a node or a scope @param {boolean} ownScope whether the node stands in the scope of its own name
 */
function parentOf(tree, name, ownScope) {
  const scope = ownScope ? name : enclosing(name);
  return !tree.scopes.has(scope) || isBand(tree, scope) ? ROOT : `${scope}/`;
}

/** The learner's names, but for those that a tag shows. @param {ReadonlyMap<string, string>} names @param {Tag[]} tags */
function withoutTagged(names, tags) {
  const tagged = new Set(tags.flatMap(({ tensor, gradient }) => (tensor && !gradient ? [nodeOf(tensor)] : [])));
  return new Map([...names].filter(([node]) => !tagged.has(node)));
}

/** @param {ScopeTree} tree @param {ReadonlyMap<string, string>} names @param {number} i @returns {Item} */
function opItem(tree, names, i) {
  const node = tree.nodes[i];
  const label = shortened(opLabel(tree, names, node), M.LABEL_PX, M.LABEL_MOST);
  const valued = node.outputs.length > 0;
  const text = textWidth(label, M.LABEL_PX);
  const wide = valued ? Math.max(text / 0.74, M.VALUE_ROOM / 0.82) : Math.max(text / 0.82, M.SIZE_LEAST);
  return {
    ...BLANK,
    constants: [],
    id: node.name,
    name: node.name,
    kind: "op",
    label,
    detail: node.op,
    valued,
    phase: phaseOf(tree, companyOf(tree, i)),
    parent: parentOf(tree, node.name, tree.scopes.has(node.name)),
    index: i,
    width: Math.ceil(wide),
    height: M.OP_HEIGHT,
  };
}

/** @param {ScopeTree} tree @param {GraphModel} model @param {string} id @param {boolean} open @returns {Item} */
function scopeItem(tree, model, id, open) {
  const name = id.slice(0, -1);
  const members = tree.scopes.get(name)?.members ?? [];
  const label = shortened(scopeLabel(tree, model.names, name), M.LABEL_PX, M.LABEL_MOST);
  const wide = Math.max(textWidth(label, M.LABEL_PX) + 22, M.VALUE_ROOM + 14, M.SIZE_LEAST);
  return {
    ...BLANK,
    constants: [],
    id,
    name,
    kind: "scope",
    label,
    detail: String(members.length),
    phase: phaseOf(tree, members),
    open,
    parent: parentOf(tree, name, false),
    index: members[0],
    width: Math.ceil(wide),
    height: M.SCOPE_HEIGHT,
  };
}

const BLANK = { open: false, valued: true, x: 0, y: 0 };

/**
 * The phase of the first node that has a lane of its own: "after" goes with what stands beside it.
 * @param {ScopeTree} tree @param {ReadonlyArray<number>} members @returns {Phase}
 */
function phaseOf(tree, members) {
  const phase = members.map((i) => tree.nodes[i].phase).find((each) => each !== "after");
  return phase === "gradient" || phase === "process" || phase === "update" ? phase : "forward";
}

/** The nodes that a node is seen with: for one made after the gradients, its outermost scope. @param {ScopeTree} tree @param {number} i */
function companyOf(tree, i) {
  const { name, phase } = tree.nodes[i];
  return (phase === "after" && tree.scopes.get(name.split("/", 1)[0])?.members) || [i];
}

/** The results to name: each differentiated tensor and the target, and each derivative. @param {GraphModel} model @param {ScopeTree} tree @returns {Tag[]} */
function tagsOf(model, tree) {
  const gradients = model.gradients ?? [];
  const ys = new Set([model.target, ...gradients.map(({ y }) => y)].filter((y) => y !== null));
  /** @type {Tag[]} */
  const tags = [];
  for (const tensor of ys) {
    const i = tree.index.get(nodeOf(tensor));
    if (i !== undefined && !tree.nodes[i].stub && !gradients.some((each) => each.tensor === tensor)) {
      tags.push({ id: `y:${tensor}`, tensor, of: nodeOf(tensor), gradient: null });
    }
  }
  for (const gradient of gradients) {
    if (!tree.index.has(nodeOf(gradient.tensor ?? gradient.x))) continue;
    tags.push({ id: `d:${gradient.y} ${gradient.x} ${gradient.tensor}`, tensor: gradient.tensor, of: nodeOf(gradient.x), gradient });
  }
  return tags;
}

/** @param {Tag} tag @param {GraphModel} model @param {ScopeTree} tree @returns {Item} */
function tagItem({ id, tensor, of, gradient }, model, tree) {
  const node = nodeOf(tensor ?? "");
  const text = gradient
    ? derivativeLabel(gradient, model.gradients ?? [], model.names)
    : (model.names.get(node) ?? leaf(node));
  const label = shortened(text, M.LABEL_PX, M.LABEL_MOST);
  return {
    ...BLANK,
    constants: [],
    id,
    name: node,
    kind: "tag",
    label,
    detail: "",
    phase: gradient ? "gradient" : "forward",
    parent: ROOT,
    index: tree.index.get(node || of) ?? 0,
    width: Math.ceil(Math.max(textWidth(label, M.LABEL_PX), M.VALUE_ROOM) + 12),
    height: M.TAG_HEIGHT,
  };
}

/**
 * The constants in sight that have a consumer, and that no result is about.
 * @param {GraphModel} model @param {ScopeTree} tree @param {string[]} shown
 */
function constantsAtConsumers(model, tree, shown) {
  const asked = new Set([model.target, ...(model.gradients ?? []).flatMap(({ x, y }) => [x, y])].map((t) => nodeOf(t ?? "")));
  const read = new Set(model.nodes.flatMap(({ inputs }) => inputs.map((input) => tree.index.get(nodeOf(input)) ?? -1)));
  const apart = model.nodes.map(
    ({ name, op, stub }, i) => stub || (op === "Const" && read.has(i) && !asked.has(name) && shown[i] === name),
  );
  return new Set(apart.flatMap((each, i) => (each ? [i] : [])));
}

/** Give each item the constants that it reads from outside itself. @param {Visible} visible */
function addConstants({ model, tree, items, shown, pills }) {
  model.nodes.forEach((node, consumer) => {
    const item = items.get(shown[consumer]);
    for (const input of node.inputs) {
      const i = tree.index.get(nodeOf(input)) ?? -1;
      if (!item || !pills.has(i)) continue;
      const { name } = model.nodes[i];
      if (item.constants.some((each) => each.name === name)) continue;
      const label = shortened(constantLabel(model.nodes[i], model.names), M.SMALL_PX, 110);
      const width = Math.max(M.PILL_HEIGHT, Math.ceil(textWidth(label, M.SMALL_PX)) + 10);
      item.constants.push({ name, label, x: 0, y: 0, width, height: M.PILL_HEIGHT });
    }
  });
  for (const item of items.values()) spreadConstants(item);
}

/** Set an item's constants side by side above it (below in the lanes beneath). @param {Item} item */
function spreadConstants(item) {
  const whole = item.constants.reduce((sum, { width }) => sum + width + M.PILL_GAP, -M.PILL_GAP);
  const away = item.height / 2 + M.PILL_STALK;
  let x = -whole / 2;
  for (const constant of item.constants) {
    constant.x = x;
    constant.y = item.phase === "forward" ? -away - M.PILL_HEIGHT : away;
    x += constant.width + M.PILL_GAP;
  }
}

/**
 * The room an item takes besides its shape: above and below its centre line, and across.
 * @param {Item} item
 */
export function extentOf(item) {
  const extra = item.constants.length > 0 ? M.PILL_STALK + M.PILL_HEIGHT : 0;
  const last = item.constants[item.constants.length - 1];
  return {
    above: item.phase === "forward" ? extra : 0,
    below: item.phase === "forward" ? 0 : extra,
    across: Math.max(item.width, last ? 2 * (last.x + last.width) : 0),
  };
}
