// Items: what there is to draw for a graph and a set of open scopes, and how large each is.
//
// An item is an op, a scope, or a tag: the small flag that names a result ("y", "dy/dx"). Constants are
// not items: each is drawn at every consumer, and keeps out of the layout's way.

import { shortened, textWidth } from "../../geometry/text.js";
import { leaf, nodeOf, ROOT } from "../graph/names.js";
import { isServing } from "../graph/attendants.js";
import { closedAround, isBand, scopeTree } from "../graph/scopes.js";
import { KINDS, wiresOf } from "../graph/wires.js";
import * as M from "../metrics.js";
import { turnOf } from "../turn.js";
import { constantLabel, derivativeLabel, opLabel, scopeLabel } from "./labels.js";
import { tagsOf } from "./tags.js";

/** @import { ApiNode, GraphModel, Item, Phase, Scope } from "../types.js" */
/** @import { ScopeTree } from "../graph/scopes.js" */
/** @import { Tag } from "./tags.js" */
/** @import { Wires } from "../graph/wires.js" */

/**
 * @typedef {object} Visible
 * @property {GraphModel} model
 * @property {ScopeTree} tree
 * @property {Wires} wires
 * @property {Map<string, Item>} items           by id
 * @property {ReadonlyArray<Item>} list          the ops and scopes among them, by number
 * @property {Int32Array} shown                  per node: the number of the item that shows it; -1 for a pill
 * @property {Set<number>} pills                 nodes drawn as constants at their consumers
 * @property {Tag[]} tags
 */

/**
 * The items of a model, sized but not placed.
 * @param {GraphModel} model
 * @returns {Visible}
 */
export function visibleItems(model) {
  const tree = scopeTree(model.nodes, model.merged);
  const wires = wiresOf(tree);
  const tags = tagsOf(model, tree, wires);
  const names = withoutTagged(model.names, tags);
  const { scopes, ops } = inSight(tree, model.open);
  const pills = constantsAtConsumers(model, tree, wires, ops);
  const found = [
    ...scopes.map((scope) => scopeItem(tree, model, scope, model.open.has(scope.name))),
    ...ops.filter((i) => !pills.has(i)).map((i) => opItem(tree, names, i)),
  ].sort((a, b) => a.index - b.index || Number(b.open) - Number(a.open));
  const items = new Map([...found, ...tags.map((tag) => tagItem(tag, model, tree))].map((item) => [item.id, item]));
  const visible = { model, tree, wires, items, list: found, shown: shownNumbers(tree, model.open, found), pills, tags };
  addConstants(visible);
  return visible;
}

/** The id of the item that shows a node. @param {Pick<Visible, "list" | "shown" | "model">} visible @param {number} i */
export const shownBy = ({ list, shown, model }, i) => (shown[i] < 0 ? model.nodes[i].name : list[shown[i]].id);

/**
 * Per node: the number of the item that shows it; -1 where none does.
 * @param {ScopeTree} tree @param {ReadonlySet<string>} open @param {ReadonlyArray<Item>} items ops and scopes
 */
function shownNumbers(tree, open, items) {
  const closed = closedAround(tree, open);
  const byScope = new Int32Array(tree.list.length);
  const shown = new Int32Array(tree.nodes.length).fill(-1);
  items.forEach(({ kind, name, index }, number) => {
    if (kind !== "scope") shown[index] = number;
    else byScope[tree.scopes.get(name)?.number ?? 0] = number;
  });
  const bandOf = servedBands(tree, open);
  tree.home.forEach((home, i) => {
    if (home >= 0 && closed[home] >= 0) shown[i] = byScope[closed[home]];
    const band = bandOf?.get(outermostName(tree.nodes[i].name));
    if (band !== undefined) shown[i] = byScope[band];
  });
  return shown;
}

/** The numbers of the closed bands, by what is not drawn beside them; null where all is. @param {ScopeTree} tree @param {ReadonlySet<string>} open */
function servedBands({ attendants, bands, scopes }, open) {
  const hidden = [...attendants.served].filter(([name]) => isServing(attendants, bands, open, name));
  return hidden.length > 0 ? new Map(hidden.map(([name, band]) => [name, scopes.get(band)?.number ?? 0])) : null;
}

/** @param {string} name */
const outermostName = (name) => name.split("/", 1)[0];

/**
 * The scopes in sight, open or closed, but for open bands; and the nodes that no closed scope hides.
 * @param {ScopeTree} tree @param {ReadonlySet<string>} open
 */
function inSight(tree, open) {
  /** @type {Scope[]} */
  const scopes = [];
  const isOwn = (/** @type {string} */ name) => !isServing(tree.attendants, tree.bands, open, name);
  const ops = tree.root.own.filter((i) => isOwn(tree.nodes[i].name));
  const pending = tree.root.inner.filter(({ name }) => isOwn(name));
  for (let scope = pending.pop(); scope; scope = pending.pop()) {
    const opened = open.has(scope.name);
    if (!opened || !isBand(tree, scope.name)) scopes.push(scope);
    if (!opened) continue;
    for (const i of scope.own) ops.push(i);
    pending.push(...scope.inner);
  }
  return { scopes, ops };
}

/** The id of the open box around what stands in a scope; bands are transparent. @param {ScopeTree} tree @param {Scope | null} scope */
function boxAround(tree, scope) {
  let at = scope;
  while (at !== null && isBand(tree, at.name)) at = at.up;
  return at?.id ?? ROOT;
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
  return {
    ...BLANK,
    constants: [],
    id: node.name,
    name: node.name,
    title: node.label ?? node.name,
    kind: node.form ?? "op",
    label,
    detail: node.op,
    valued,
    phase: phaseOf(tree, companyOf(tree, i)),
    parent: boxAround(tree, tree.homes[i]),
    index: i,
    width: Math.ceil(widthOf(node, textWidth(label, M.LABEL_PX))),
    height: node.form === "quantity" ? M.QUANTITY_HEIGHT : M.OP_HEIGHT,
  };
}

/** How wide a node is drawn, so that its label and its value have room. @param {ApiNode} node @param {number} text px of its label */
function widthOf({ form, room, outputs }, text) {
  if (form === "factor") return Math.max(text, room ?? 0) + M.FACTOR_PADDING;
  if (form === "quantity") return Math.max(text, room ?? M.VALUE_ROOM, M.SIZE_LEAST) + M.QUANTITY_PADDING;
  return outputs.length > 0 ? Math.max(text / 0.74, M.VALUE_ROOM / 0.82) : Math.max(text / 0.82, M.SIZE_LEAST);
}

/** @param {ScopeTree} tree @param {GraphModel} model @param {Scope} scope @param {boolean} open @returns {Item} */
function scopeItem(tree, model, { id, name, members, up, series }, open) {
  const label = shortened(series?.label ?? scopeLabel(tree, model.names, name), M.LABEL_PX, M.LABEL_MOST);
  return {
    ...BLANK,
    constants: [],
    id,
    name,
    title: series?.label ?? name,
    kind: "scope",
    label,
    detail: String(members.length),
    phase: phaseOf(tree, members),
    open,
    parent: boxAround(tree, up),
    index: members[0],
    width: closedWidth(label),
    height: M.SCOPE_HEIGHT,
    holds: series && !open ? series.holds : null,
  };
}

/** How wide a closed scope is. @param {string} label */
export const closedWidth = (label) => Math.ceil(Math.max(textWidth(label, M.LABEL_PX) + 22, M.VALUE_ROOM + 14, M.SIZE_LEAST));

const BLANK = { open: false, valued: true, holds: null, titleX: 0, x: 0, y: 0 };

/**
 * The phase of the first node that has a lane of its own: "after" goes with what stands beside it.
 * @param {ScopeTree} tree @param {ReadonlyArray<number>} members @returns {Phase}
 */
function phaseOf(tree, members) {
  const first = members.find((i) => tree.nodes[i].phase !== "after");
  const phase = first === undefined ? "after" : tree.nodes[first].phase;
  return phase === "gradient" || phase === "process" || phase === "update" ? phase : "forward";
}

/** The nodes that a node is seen with: for one made after the gradients, its outermost scope. @param {ScopeTree} tree @param {number} i */
function companyOf(tree, i) {
  const { name, phase } = tree.nodes[i];
  return (phase === "after" && tree.scopes.get(name.split("/", 1)[0])?.members) || [i];
}

/** @param {Tag} tag @param {GraphModel} model @param {ScopeTree} tree @returns {Item} */
function tagItem({ id, tensor, of, gradient }, model, tree) {
  const node = nodeOf(tensor ?? "");
  const text = gradient ? derivativeLabel(gradient, model.gradients ?? [], model.names) : (model.names.get(node) ?? leaf(node));
  const label = shortened(text, M.LABEL_PX, M.LABEL_MOST);
  return {
    ...BLANK,
    constants: [],
    id,
    name: node,
    title: node,
    kind: "tag",
    label,
    detail: "",
    phase: gradient ? "gradient" : "forward",
    parent: ROOT,
    index: tree.index.get(tree.merged ? of : node || of) ?? 0,
    width: Math.ceil(Math.max(textWidth(label, M.LABEL_PX), M.VALUE_ROOM) + 12),
    height: M.TAG_HEIGHT,
  };
}

/**
 * The constants in sight that have a consumer, that no result is about, and that are not all there is in their scope; and
 * all that only stands for its reader.
 * @param {GraphModel} model @param {ScopeTree} tree @param {Wires} wires @param {number[]} shown
 * @returns {Set<number>}
 */
function constantsAtConsumers(model, { homes, stubs }, { read }, shown) {
  const asked = new Set([model.target, ...(model.gradients ?? []).flatMap(({ x, y }) => [x, y])].map((t) => nodeOf(t ?? "")));
  const isConstant = (/** @type {number} */ i) => model.nodes[i].op === "Const";
  const constants = shown.filter(isConstant);
  const filled = new Set(
    [...new Set(constants.map((i) => homes[i]))].filter((home) => home?.inner.length === 0 && home.own.every(isConstant)),
  );
  const apart = constants.filter((i) => read[i] && !asked.has(model.nodes[i].name) && !filled.has(homes[i]));
  return new Set([...apart, ...stubs]);
}

const CONSTANTS_MOST = 5; // at one item, each by itself
const PILL_MOST = 110; // px; of a longer label the middle is left out

/** Give each item the constants that it reads from outside itself; those of a scope that look alike are one, and so are many. @param {Visible} visible */
function addConstants(visible) {
  const { model, wires, items, pills } = visible;
  const leading = [...pills].flatMap((i) => [...wires.leaving.subarray(wires.starts[i], wires.starts[i + 1])]);
  for (const e of leading.sort((a, b) => a - b)) {
    const [i, consumer] = [wires.from[e], wires.to[e]];
    if (KINDS[wires.kind[e]] === "control") continue;
    const item = items.get(shownBy(visible, consumer));
    const { name } = model.nodes[i];
    if (!item || item.constants.some(({ names }) => names.includes(name))) continue;
    const label = shortened(constantLabel(model.nodes[i], model.names), M.SMALL_PX, PILL_MOST);
    const alike = item.kind === "scope" && item.constants.find((each) => each.label === label);
    if (alike) alike.names.push(name);
    else item.constants.push({ names: [name], label, x: 0, y: 0, width: 0, height: M.PILL_HEIGHT });
  }
  for (const item of items.values()) {
    if (item.constants.length > CONSTANTS_MOST) item.constants = [folded(item.constants)];
    item.constants.forEach(sizeConstant);
    (turnOf(model).upright ? stackConstants : spreadConstants)(item);
  }
}

/** "2 … 39": all constants of an item as one. @param {ReadonlyArray<import("../types.js").Constant>} constants @returns {import("../types.js").Constant} */
function folded(constants) {
  const labels = [...new Set(constants.map(({ label }) => label))];
  const ends = labels.length > 1 ? `${labels[0]} … ${labels[labels.length - 1]}` : labels[0];
  return { ...constants[0], names: constants.flatMap(({ names }) => names), label: shortened(ends, M.SMALL_PX, PILL_MOST) };
}

/** "1000 ×11" of several. @param {import("../types.js").Constant} constant */
function sizeConstant(constant) {
  if (constant.names.length > 1) constant.label += ` ×${constant.names.length}`;
  constant.width = Math.max(M.PILL_HEIGHT, Math.ceil(textWidth(constant.label, M.SMALL_PX)) + 10);
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

/** Set an item's constants one beneath the other at its left (right in the lanes beyond). @param {Item} item */
function stackConstants(item) {
  const step = M.PILL_HEIGHT + M.PILL_GAP;
  const away = item.width / 2 + M.PILL_STALK;
  item.constants.forEach((constant, i) => {
    constant.x = item.phase === "forward" ? -away - constant.width : away;
    constant.y = (i - (item.constants.length - 1) / 2) * step - M.PILL_HEIGHT / 2;
  });
}

/**
 * The room an item takes besides its shape: above and below its centre line as its grid sees it, and across.
 * @param {Item} item @param {boolean} upright
 */
export function extentOf({ width, height, phase, constants }, upright) {
  const last = constants[constants.length - 1];
  if (!last) return { above: 0, below: 0, across: upright ? height : width };
  const away = M.PILL_STALK + (upright ? Math.max(...constants.map((each) => each.width)) : M.PILL_HEIGHT);
  const across = upright ? Math.max(height, 2 * (last.y + last.height)) : Math.max(width, 2 * (last.x + last.width));
  return { above: phase === "forward" ? away : 0, below: phase === "forward" ? 0 : away, across };
}
