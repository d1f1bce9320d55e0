// Attendants: what stands beside the bands of a picture and serves them alone. Adam counts its steps in beta1_power, outside
// its own scope; init only waits for others. While the bands are closed they are not drawn by themselves.

import { each } from "../../scheduling/scheduler.js";
import { nodeOf } from "./names.js";

/** @import { ApiNode } from "../types.js" */

/**
 * @typedef {object} Attendants
 * @property {ReadonlyMap<string, string>} served  the band by the outermost scope, or op in no scope, that is read and written by it alone
 * @property {ReadonlySet<string>} waiting         ops in no scope that hand nothing on
 */

/** @type {Attendants} */
export const NO_ATTENDANTS = Object.freeze({ served: new Map(), waiting: new Set() });

/**
 * The attendants of a graph's bands.
 * @param {ReadonlyArray<ApiNode>} nodes @param {ReadonlySet<string>} bands
 * @returns {Generator<void, Attendants, void>}
 */
export function* attendantsOf(nodes, bands) {
  if (bands.size === 0) return NO_ATTENDANTS;
  const candidates = updatesBeside(nodes, bands);
  /** @type {Map<string, Set<string>>} what exchanges tensors with a candidate */
  const partners = new Map([...candidates].map((name) => [name, new Set()]));
  const meet = (/** @type {string} */ a, /** @type {string} */ b) => a !== b && partners.get(a)?.add(b);
  if (candidates.size > 0)
    yield* each(nodes, ({ name, inputs }) => {
      const own = outermost(name);
      for (const input of inputs) {
        const other = outermost(nodeOf(input));
        meet(own, other);
        meet(other, own);
      }
    });
  const served = [...partners].flatMap(([name, [band, ...more]]) =>
    band !== undefined && more.length === 0 && bands.has(band) ? [/** @type {const} */ ([name, band])] : [],
  );
  const waiting = nodes.filter(
    ({ name, op, inputs }) => op === "NoOp" && inputs.length === 0 && !name.includes("/") && !bands.has(name),
  );
  return { served: new Map(served), waiting: new Set(waiting.map(({ name }) => name)) };
}

/** The outermost scopes and ops, beside the bands, of which all is an optimizer's. @param {ReadonlyArray<ApiNode>} nodes @param {ReadonlySet<string>} bands */
function updatesBeside(nodes, bands) {
  const found = new Set();
  const others = new Set();
  for (const { name, op, phase, stub } of nodes) {
    if (op === "NoOp" || stub) continue;
    const own = outermost(name);
    if (!bands.has(own)) (phase === "update" ? found : others).add(own);
  }
  for (const name of others) found.delete(name);
  return /** @type {Set<string>} */ (found);
}

/** The outermost scope around a node; itself where there is none. @param {string} name */
const outermost = (name) => {
  const end = name.indexOf("/");
  return end < 0 ? name : name.slice(0, end);
};

/**
 * Whether an outermost scope or op is not drawn by itself.
 * @param {Attendants} attendants @param {ReadonlySet<string>} bands @param {ReadonlySet<string>} open @param {string} name
 */
export function isServing({ served, waiting }, bands, open, name) {
  const band = served.get(name);
  if (band !== undefined) return !open.has(band);
  return waiting.has(name) && ![...bands].some((scope) => open.has(scope));
}
