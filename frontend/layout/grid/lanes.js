// Lanes and columns of the whole picture.
//
// The forward graph has the first lane and runs from left to right; its ranks are the columns. Beneath it,
// each gradient call has a lane that runs back: what belongs to an op's rule stands in the op's column. Then
// come the lanes of what is done with the gradients, and of the updates, under their variables.

import { ROOT } from "../graph/names.js";
import { isBand } from "../graph/scopes.js";
import { shownBy } from "../items/items.js";
import { inFlowOrder, ranksOf } from "./ranks.js";

/** @import { Item } from "../types.js" */
/** @import { Link } from "../items/edges.js" */
/** @import { Visible } from "../items/items.js" */

/**
 * @typedef {object} Place
 * @property {string} lane
 * @property {number} column         whole or broken; only their order matters later
 * @property {string | null} partner the item of another lane that this one stands beneath
 */

/**
 * @typedef {object} Plan
 * @property {string[]} lanes                     names, from the top
 * @property {ReadonlyMap<string, number>} flows  1: left to right, -1: right to left
 * @property {Map<string, Place>} places          by item id
 */

const FORWARD = "forward";

/** @typedef {{from: string, to: string, count: number}} Pair so many nodes that `to` shows were made by the rules of what `from` shows */

/**
 * Where each outermost item stands.
 * @param {Visible} visible @param {ReadonlyArray<Link>} links those of the root
 * @returns {Plan}
 */
export function planLanes(visible, links) {
  const items = [...visible.items.values()].filter(({ parent }) => parent === ROOT);
  const laneOf = new Map(items.map((item) => [item.id, laneName(visible, item, links)]));
  const lanes = laneOrder(laneOf, items);
  const pairs = outermostPairs(visible);
  const partners = partnersOf(visible, items, laneOf, links, pairs);
  /** @type {Map<string, number>} */
  const flows = new Map();
  /** @type {Map<string, Place>} */
  const places = new Map();
  for (const lane of lanes) {
    const ids = items.filter(({ id }) => laneOf.get(id) === lane).map(({ id }) => id);
    flows.set(lane, flowOf(lane, ids, partners, laneOf, flows));
    const here = { lane, ids, items: visible.items, links, pairs, partners, places, flows };
    if (lane === FORWARD) placeForward(here);
    else placeBeneath(here);
  }
  return { lanes, flows, places };
}

/**
 * @typedef {object} Lane
 * @property {string} lane
 * @property {string[]} ids
 * @property {ReadonlyMap<string, Item>} items
 * @property {ReadonlyArray<Link>} links
 * @property {ReadonlyArray<Pair>} pairs
 * @property {ReadonlyMap<string, string>} partners
 * @property {Map<string, Place>} places
 * @property {ReadonlyMap<string, number>} flows
 */

/** @param {Visible} visible @param {Item} item @param {ReadonlyArray<Link>} links */
function laneName({ tree, model }, item, links) {
  if (tree.merged) return FORWARD;
  if (item.kind === "tag") return item.id.startsWith("d:") ? gradientLane(item) : FORWARD;
  const band = item.name.split("/", 1)[0];
  if (isBand(tree, band)) return `${item.phase}:${band}`;
  const { op, phase: made, form } = model.nodes[item.index];
  const { phase } = item;
  if (form) return phase === "forward" ? FORWARD : `${phase}:`;
  if (item.kind === "op" && op === "NoOp") return "run:"; // init: run for what it waits for
  if (phase === "update" || (item.kind === "op" && op.startsWith("Assign"))) return "update:";
  if (phase === "process" || phase === "gradient") return "process:";
  if (made === "after" && links.some(({ from, to }) => to === item.id && from.startsWith("d:"))) return "process:";
  return FORWARD;

  /** @param {Item} tag */
  function gradientLane(tag) {
    const call = tag.name.split("/", 1)[0];
    return isBand(tree, call) ? `gradient:${call}` : `gradient:${firstCall()}`;
  }
  function firstCall() {
    const calls = [...tree.scopes].filter(([, { members }]) => tree.nodes[members[0]].phase === "gradient");
    return calls.find(([name]) => isBand(tree, name))?.[0] ?? "";
  }
}

/** The open scope that a lane is the band of. @param {Visible} visible @param {string} lane "gradient:gradients" */
export function bandOf({ tree, model }, lane) {
  const name = lane.slice(lane.indexOf(":") + 1);
  return lane.includes(":") && isBand(tree, name) && model.open.has(name) ? name : null;
}

/** The lanes from the top, those of one kind in program order; loose updates share the first optimizer's. @param {Map<string, string>} laneOf @param {Item[]} items */
function laneOrder(laneOf, items) {
  const optimizer = [...laneOf.values()].find((lane) => /^update:./.test(lane));
  for (const [id, lane] of laneOf) if (optimizer && lane === "update:") laneOf.set(id, optimizer);
  const found = [...new Set([...items].sort((a, b) => a.index - b.index).map(({ id }) => laneOf.get(id) ?? ""))];
  return [FORWARD, "gradient:", "process:", "update:", "run:"].flatMap((kind) => found.filter((lane) => lane.startsWith(kind)));
}

/**
 * The item that each item stands beneath: of a gradient, the op whose rule made it; of a derivative, its x;
 * of an update, the variable that it writes.
 * @param {Visible} visible @param {Item[]} items @param {ReadonlyMap<string, string>} laneOf @param {ReadonlyArray<Link>} links
 * @param {ReadonlyArray<Pair>} pairs
 */
function partnersOf(visible, items, laneOf, links, pairs) {
  /** @type {Map<string, Map<string, number>>} */
  const votes = new Map(items.map(({ id }) => [id, new Map()]));
  const vote = (/** @type {string} */ id, /** @type {string} */ partner, times = 1) => {
    const count = votes.get(id);
    if (count && laneOf.get(id) !== laneOf.get(partner)) count.set(partner, (count.get(partner) ?? 0) + times);
  };
  for (const { from, to, count } of pairs) vote(to, from, count);
  for (const tag of visible.tags) if (tag.gradient) vote(tag.id, outermostOf(visible, tag.of));
  for (const link of links) if (link.kind === "reference") vote(link.to, link.from);
  return new Map([...votes].flatMap(([id, count]) => (count.size > 0 ? [[id, mostVoted(count)]] : [])));
}

/**
 * The gradient nodes with the forward nodes whose rules made them; of those that the same two items show, one pair
 * that knows how many there are.
 * @param {Visible} visible
 */
function pairsInSight({ wires, list, shown }) {
  /** @type {Map<number, [number, number, number]>} */
  const pairs = new Map();
  wires.of.forEach((of, i) => {
    if (of < 0 || shown[i] < 0 || shown[of] < 0) return;
    const key = shown[i] * list.length + shown[of];
    const known = pairs.get(key);
    if (known) known[2] += 1;
    else pairs.set(key, [i, of, 1]);
  });
  return pairs.values();
}

/** The pairs of outermost items, each a gradient with the forward item that it belongs to. @param {Visible} visible @returns {Pair[]} */
function outermostPairs(visible) {
  const pairs = [...pairsInSight(visible)].map(([i, of, count]) => ({
    from: outermost(visible, shownBy(visible, of)),
    to: outermost(visible, shownBy(visible, i)),
    count,
  }));
  return pairs.filter(({ from, to }) => from !== to);
}

/** @param {Map<string, number>} count */
const mostVoted = (count) => [...count].reduce((best, each) => (each[1] > best[1] ? each : best))[0];

/** The outermost item around an item. @param {Visible} visible @param {string} id */
function outermost({ items }, id) {
  let at = id;
  for (let up = items.get(at)?.parent ?? ROOT; up !== ROOT; up = items.get(at)?.parent ?? ROOT) at = up;
  return at;
}

/** The outermost item that shows a node. @param {Visible} visible @param {string} node */
const outermostOf = (visible, node) => outermost(visible, shownBy(visible, visible.tree.index.get(node) ?? 0));

/**
 * A gradient lane runs against the lane that it differentiates; all others run onward.
 * @param {string} lane @param {string[]} ids @param {ReadonlyMap<string, string>} partners
 * @param {ReadonlyMap<string, string>} laneOf @param {ReadonlyMap<string, number>} flows
 */
function flowOf(lane, ids, partners, laneOf, flows) {
  if (!lane.startsWith("gradient:")) return 1;
  let sum = 0;
  for (const id of ids) if (!id.startsWith("d:")) sum += flows.get(laneOf.get(partners.get(id) ?? "") ?? "") ?? 0;
  return sum < 0 ? 1 : -1;
}

/** A gradient that stands in the forward lane comes after what it differentiates. @param {Lane} here */
function placeForward({ lane, ids, links, pairs, places }) {
  const ranks = ranksOf(ids, [...links, ...pairs]);
  for (const id of ids) places.set(id, { lane, column: ranks.get(id) ?? 0, partner: null });
}

/** @param {Lane} here */
function placeBeneath(here) {
  const { lane, ids, links, partners, places } = here;
  const own = new Set(ids);
  const inside = links.filter(({ from, to }) => own.has(from) && own.has(to));
  const rows = rowsBeneath(here, inside);
  for (const id of ids) {
    const partner = partners.get(id);
    const above = places.get(partner ?? "");
    if (above) places.set(id, { lane, column: above.column + (rows.get(id) ?? 0), partner: partner ?? null });
  }
  for (const id of inFlowOrder(ids, inside)) {
    if (!places.has(id)) places.set(id, { lane, ...freePlace(here, id, inside) });
  }
}

/**
 * How far past their partner's column items stand that share it and read one another: a row along the flow, that ends
 * before the next column. Tags stay beneath.
 * @param {Lane} here @param {ReadonlyArray<Link>} inside
 */
function rowsBeneath({ lane, ids, partners, flows }, inside) {
  /** @type {Map<string, string[]>} */
  const sharing = new Map();
  for (const id of ids) {
    const partner = partners.get(id);
    if (partner !== undefined && !id.startsWith("d:")) sharing.set(partner, [...(sharing.get(partner) ?? []), id]);
  }
  /** @type {Map<string, number>} */
  const past = new Map();
  for (const own of sharing.values()) {
    const ranks = ranksOf(own, inside);
    const [first, last] = [Math.min(...ranks.values()), Math.max(...ranks.values())];
    for (const [id, rank] of ranks) past.set(id, ((flows.get(lane) ?? 1) * (rank - first)) / (last - first + 1));
  }
  return past;
}

/** Where an item stands that belongs to no op: by its neighbours. @param {Lane} here @param {string} id @param {ReadonlyArray<Link>} inside */
function freePlace(here, id, inside) {
  const { items, links, places, flows, lane } = here;
  const flow = flows.get(lane) ?? 1;
  const columns = (/** @type {string[]} */ ids) => ids.flatMap((each) => places.get(each)?.column ?? []);
  const before = columns(inside.filter(({ to }) => to === id).map(({ from }) => from));
  const readers = inside.filter(({ from }) => from === id).map(({ to }) => to);
  const gradient = lane.startsWith("gradient:");
  if (before.length > 0 && items.get(id)?.kind === "factor") return { column: Math.max(...before) + flow / 2, partner: null };
  if (before.length > 0 && !gradient) return { column: Math.max(...before) + 1, partner: null };
  if (before.length > 0) return { column: between(before, columns(readers), flow), partner: null };
  if (gradient) return seedPlace(here, readers);
  const source = links.find(({ from, to }) => to === id && places.get(from) && places.get(from)?.lane !== lane);
  if (source) return { column: places.get(source.from)?.column ?? 0, partner: source.from };
  const after = columns(readers);
  return { column: after.length > 0 ? Math.min(...after) - 1 : 0, partner: null };
}

/**
 * Past the last of `before`, and not past the first of `after`; where some of `after` lie behind all of `before`, the flow
 * turns round.
 * @param {number[]} before @param {number[]} after @param {number} flow @returns {number}
 */
function between(before, after, flow) {
  const [least, most] = [Math.min(...before), Math.max(...before)];
  const [first, last] = flow > 0 ? [least, most] : [most, least];
  const beyond = after.filter((column) => (column - last) * flow > 0);
  if (beyond.length > 0) return (last + (flow > 0 ? Math.min(...beyond) : Math.max(...beyond))) / 2;
  const isBehind = after.some((column) => (column - first) * flow < 0);
  return after.includes(last) || !isBehind ? last + flow / 2 : between(before, after, -flow);
}

/** The seed of a gradient call stands beneath what is differentiated: one step past the op it is handed to. @param {Lane} here @param {string[]} readers */
function seedPlace({ places, flows, lane }, readers) {
  const flow = flows.get(lane) ?? -1;
  const steps = readers.flatMap((id) => {
    const above = places.get(places.get(id)?.partner ?? "");
    return above && !id.startsWith("d:") ? [above.column - flow] : [];
  });
  if (steps.length > 0) return { column: flow < 0 ? Math.max(...steps) : Math.min(...steps), partner: null };
  const [target] = [...places].filter(([id]) => id.startsWith("y:")).map(([id, place]) => ({ id, place }));
  const columns = [...places.values()].map(({ column }) => column);
  return { column: target?.place.column ?? Math.max(0, ...columns) + 1, partner: target?.id ?? null };
}
