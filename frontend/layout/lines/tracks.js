// Tracks: where lines run side by side along one gap or aisle.
//
// Spans that overlap get different tracks, those of one net share theirs. Where two nets meet items that face each other
// across a gap at one height, the net of the left item keeps left of the other: else the last pieces of both would lie on
// one another.

/**
 * What a net takes up of a gap or an aisle; in a gap also the heights at which it turns to items on either side.
 * @typedef {{net: string, low: number, high: number, left?: ReadonlyArray<number>, right?: ReadonlyArray<number>}} Span
 */
/** @typedef {{net: string, low: number, high: number, left: number[], right: number[]}} Run all spans of one net */

const CLEAR = 6; // px between two lines that share a track
const NEAR = 2; // px: turns closer than this are at one height

/**
 * @param {ReadonlyArray<Span>} spans
 * @returns {{tracks: Map<string, number>, count: number}} by net
 */
export function tracksOf(spans) {
  const runs = runsOf(spans);
  const keepsLeft = facing(runs);
  /** @type {Run[][]} */
  const rows = [];
  /** @type {Map<string, number>} */
  const tracks = new Map();
  const seen = new Set();
  for (const run of runs) place(run);
  return { tracks, count: rows.length };

  /** In the first track that is free, right of all that keep left of it. @param {Run} run */
  function place(run) {
    if (seen.has(run)) return; // placed, or about to be: of those that keep left of one another one must give way
    seen.add(run);
    const others = keepsLeft(run);
    others.forEach(place);
    let track = Math.max(0, ...others.map(({ net }) => (tracks.get(net) ?? -1) + 1));
    while (rows[track]?.some(({ low, high }) => low < run.high + CLEAR && run.low < high + CLEAR)) track += 1;
    while (rows.length <= track) rows.push([]);
    rows[track].push(run);
    tracks.set(run.net, track);
  }
}

/** Sorted from the top. @param {ReadonlyArray<Span>} spans @returns {Run[]} */
function runsOf(spans) {
  /** @type {Map<string, Run>} */
  const runs = new Map();
  for (const { net, low, high, left = [], right = [] } of spans) {
    const known = runs.get(net) ?? { net, low, high, left: [], right: [] };
    [known.low, known.high] = [Math.min(known.low, low), Math.max(known.high, high)];
    known.left.push(...left);
    known.right.push(...right);
    runs.set(net, known);
  }
  return [...runs.values()].sort((a, b) => a.low - b.low || a.high - b.high);
}

/** Which nets turn left where another turns right. @param {Run[]} runs @returns {(run: Run) => Run[]} */
function facing(runs) {
  /** @type {Map<number, Run>} */
  const turning = new Map(runs.flatMap((run) => run.left.map((at) => [Math.round(at), run])));
  const near = Array.from({ length: 2 * NEAR + 1 }, (_, i) => i - NEAR);
  return (run) =>
    run.right.flatMap((at) => near.flatMap((by) => turning.get(Math.round(at) + by) ?? [])).filter((other) => other !== run);
}
