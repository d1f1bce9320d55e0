// Colours: which nodes and scopes share a hue. By structure, scopes that are built alike; by device, what runs together.

import { leaf } from "../layout/graph/names.js";
import { scopeTree } from "../layout/graph/scopes.js";

/** @import { ApiNode } from "../types.js" */
/** @typedef {"phase" | "structure" | "device"} ColourBy */
/** @typedef {{hues: ReadonlyMap<string, number>, legend: readonly {hue: number, label: string}[]}} Colours  hues in degrees, by node or scope */

/** As TensorBoard has them, in its order. */
const HUES = [220, 100, 180, 40, 20, 340, 260, 300, 140, 60];

/** @type {Colours} */
const NONE = Object.freeze({ hues: new Map(), legend: [] });

/**
 * @param {readonly ApiNode[]} nodes @param {ColourBy} by
 * @returns {Colours}
 */
export function coloursOf(nodes, by) {
  if (by === "structure") return byStructure(nodes);
  return by === "device" ? byDevice(nodes) : NONE;
}

/** A hue for each kind of scope that there are several of. @param {readonly ApiNode[]} nodes @returns {Colours} */
function byStructure(nodes) {
  /** @type {Map<string, import("../layout/types.js").Scope[]>} */
  const groups = new Map();
  for (const scope of scopeTree(nodes).scopes.values()) {
    const structure = structureOf(scope, nodes);
    groups.set(structure, [...(groups.get(structure) ?? []), scope]);
  }
  const several = [...groups.values()].filter((alike) => alike.length > 1);
  const hues = several.flatMap((alike, i) => alike.map(({ name }) => /** @type {const} */ ([name, HUES[i % HUES.length]])));
  const legend = several.map((alike, i) => ({
    hue: HUES[i % HUES.length],
    label: `${plain(leaf(alike[0].name))} × ${alike.length}`,
  }));
  return { hues: new Map(hues), legend: legend.slice(0, HUES.length) };
}

/** What a scope is built of: its nodes' ops under the names they have inside, the numbers that make names unique left out. @param {import("../layout/types.js").Scope} scope @param {readonly ApiNode[]} nodes */
const structureOf = ({ name, members }, nodes) =>
  members
    .map((i) => `${nodes[i].name.slice(name.length).split("/").map(plain).join("/")}:${nodes[i].op}`)
    .sort()
    .join(" ");

/** "Sin_1" as "Sin". @param {string} name */
const plain = (name) => name.replace(/_\d+$/, "");

/** A hue for each device; a scope has one where all that it holds runs on the same. @param {readonly ApiNode[]} nodes @returns {Colours} */
function byDevice(nodes) {
  const devices = [...new Set(nodes.map(({ device }) => device).filter(Boolean))];
  const hue = new Map(devices.map((device, i) => [device, HUES[i % HUES.length]]));
  /** @type {Map<string, number>} */
  const hues = new Map();
  for (const { name, device } of nodes) if (device) hues.set(name, /** @type {number} */ (hue.get(device)));
  for (const [name, { members }] of scopeTree(nodes).scopes) {
    const used = new Set(members.map((i) => nodes[i].device));
    const [only] = used;
    if (used.size === 1 && only) hues.set(name, /** @type {number} */ (hue.get(only)));
    else hues.delete(name);
  }
  return { hues, legend: devices.map((device) => ({ hue: /** @type {number} */ (hue.get(device)), label: device })) };
}
