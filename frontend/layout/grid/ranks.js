// Ranks: how many links lie before an item on the longest way to it.
//
// Closed scopes can depend on each other both ways. Where nothing is left that waits for nothing, the
// item that comes first in the program goes next, and the links back to it do not count.

/** @typedef {{readonly from: string, readonly to: string}} Arc */

/**
 * The ids in an order that follows the links as far as they let it; program order decides ties.
 * @param {ReadonlyArray<string>} ids in program order
 * @param {ReadonlyArray<Arc>} arcs
 * @returns {string[]}
 */
export function inFlowOrder(ids, arcs) {
  const { after, waiting } = neighbours(ids, arcs);
  const ready = ids.filter((id) => waiting.get(id) === 0);
  const done = new Set();
  const order = [];
  for (let next = 0; order.length < ids.length;) {
    const id = ready.shift() ?? /** @type {string} */ (nextUndone());
    if (done.has(id)) continue;
    done.add(id);
    order.push(id);
    for (const to of after.get(id) ?? []) {
      const left = (waiting.get(to) ?? 0) - 1;
      waiting.set(to, left);
      if (left === 0) ready.push(to);
    }
    function nextUndone() {
      while (done.has(ids[next])) next += 1;
      return ids[next];
    }
  }
  return order;
}

/**
 * Longest-path ranks. An item that nothing leads to stands right before the first that reads it.
 * @param {ReadonlyArray<string>} ids in program order
 * @param {ReadonlyArray<Arc>} arcs
 * @returns {Map<string, number>}
 */
export function ranksOf(ids, arcs) {
  const order = inFlowOrder(ids, arcs);
  const place = new Map(order.map((id, i) => [id, i]));
  const onward = arcs.filter(({ from, to }) => (place.get(from) ?? -1) < (place.get(to) ?? -1) && place.has(from));
  const { after, before } = neighbours(ids, onward);
  const ranks = new Map(ids.map((id) => [id, 0]));
  const rank = (/** @type {string} */ id) => ranks.get(id) ?? 0;
  for (const id of order) {
    for (const to of after.get(id) ?? []) ranks.set(to, Math.max(rank(to), rank(id) + 1));
  }
  for (const id of order) {
    const readers = after.get(id) ?? [];
    if (readers.length > 0 && !before.get(id)?.length) ranks.set(id, Math.min(...readers.map(rank)) - 1);
  }
  return ranks;
}

/** @param {ReadonlyArray<string>} ids @param {ReadonlyArray<Arc>} arcs */
function neighbours(ids, arcs) {
  /** @type {Map<string, string[]>} */
  const after = new Map(ids.map((id) => [id, []]));
  /** @type {Map<string, string[]>} */
  const before = new Map(ids.map((id) => [id, []]));
  const waiting = new Map(ids.map((id) => [id, 0]));
  for (const { from, to } of arcs) {
    if (from === to || !after.has(from) || !after.has(to)) continue;
    after.get(from)?.push(to);
    before.get(to)?.push(from);
    waiting.set(to, (waiting.get(to) ?? 0) + 1);
  }
  return { after, before, waiting };
}
