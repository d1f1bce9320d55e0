// Order: which item stands above which in a column, so that few lines cross.
//
// A lane is a row of columns of vertices; hops join vertices of neighbouring columns. Each vertex moves to the
// mean place of its neighbours, column by column, forth and back; the best order seen is kept.

/**
 * @typedef {object} Lattice
 * @property {number[][]} columns                       vertices of each column, from the top
 * @property {ReadonlyArray<readonly [number, number]>} hops  (left vertex, right vertex)
 * @property {ReadonlyMap<number, number>} [given]      of vertices in columns whose order is given: smaller is higher
 */

const SWEEPS = 8;
const COUNTED = 4000; // with more hops than this, crossings are not counted

/**
 * The columns, each in an order with few crossings. Ties keep the given order.
 * @param {Lattice} lattice
 * @returns {number[][]}
 */
export function fewCrossings({ columns, hops, given = new Map() }) {
  const counted = hops.length <= COUNTED;
  const leftOf = neighboursBy(hops, 1);
  const rightOf = neighboursBy(hops, 0);
  let current = columns.map((column) => [...column]);
  let best = current;
  let fewest = counted ? crossings(current, hops) : Infinity;
  for (let sweep = 0; sweep < (counted ? SWEEPS : 3) && fewest > 0; sweep += 1) {
    current = sweep % 2 === 0 ? sweepOnce(current, leftOf, given) : sweepOnce(current.toReversed(), rightOf, given).toReversed();
    const now = counted ? crossings(current, hops) : -sweep;
    if (now < fewest) [best, fewest] = [current, now];
    if (!counted) fewest = Infinity;
  }
  return counted ? best : current;
}

/** @param {ReadonlyArray<readonly [number, number]>} hops @param {0 | 1} end */
function neighboursBy(hops, end) {
  /** @type {Map<number, number[]>} */
  const found = new Map();
  for (const hop of hops) {
    const own = found.get(hop[end]);
    if (own) own.push(hop[1 - end]);
    else found.set(hop[end], [hop[1 - end]]);
  }
  return found;
}

/** @param {number[][]} columns @param {ReadonlyMap<number, number[]>} neighbours in the column before @param {ReadonlyMap<number, number>} given */
function sweepOnce(columns, neighbours, given) {
  /** @type {Map<number, number>} */
  let before = new Map();
  return columns.map((column) => {
    const sorted = byMean(column, neighbours, before, given);
    before = new Map(sorted.map((vertex, i) => [vertex, i]));
    return sorted;
  });
}

/**
 * Sort as is given, then by the mean place of the neighbours; vertices without any keep their places.
 * @param {number[]} column @param {ReadonlyMap<number, number[]>} neighbours @param {ReadonlyMap<number, number>} place
 * @param {ReadonlyMap<number, number>} given
 */
function byMean(column, neighbours, place, given) {
  const mean = new Map(column.map((vertex) => [vertex, meanOf((neighbours.get(vertex) ?? []).map((n) => place.get(n) ?? 0))]));
  const movable = column.filter((vertex) => mean.get(vertex) !== null);
  movable.sort((a, b) => (given.get(a) ?? 0) - (given.get(b) ?? 0) || Number(mean.get(a)) - Number(mean.get(b)));
  return column.map((vertex) => (mean.get(vertex) === null ? vertex : /** @type {number} */ (movable.shift())));
}

/** @param {number[]} values */
const meanOf = (values) => (values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length);

/**
 * How many pairs of hops cross.
 * @param {number[][]} columns @param {ReadonlyArray<readonly [number, number]>} hops
 */
export function crossings(columns, hops) {
  const place = new Map(columns.flatMap((column, c) => column.map((vertex, i) => [vertex, { c, i }])));
  /** @type {Array<Array<[number, number]>>} */
  const byColumn = columns.map(() => []);
  for (const [a, b] of hops) {
    const [left, right] = [place.get(a), place.get(b)];
    if (left && right) byColumn[left.c].push([left.i, right.i]);
  }
  return byColumn.reduce((sum, pairs, c) => sum + inversions(pairs, columns[c + 1]?.length ?? 0), 0);
}

/** Inversions, counted with a Fenwick tree. @param {Array<[number, number]>} pairs @param {number} size */
function inversions(pairs, size) {
  pairs.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const tree = new Array(size + 1).fill(0);
  let found = 0;
  pairs.forEach(([, right], seen) => {
    let before = 0;
    for (let i = right + 1; i > 0; i -= i & -i) before += tree[i];
    found += seen - before;
    for (let i = right + 1; i <= size; i += i & -i) tree[i] += 1;
  });
  return found;
}
