// Coordinates: the heights at which a lane's vertices stand, so that lines run straight.
//
// Each vertex would like to stand level with its neighbours. Given such wishes for one column, the nearest
// heights that keep the order and the distances are an isotonic regression; forth and back over the columns
// settles them.

/**
 * @typedef {object} Hop
 * @property {number} left          vertex
 * @property {number} right
 * @property {number} leftPort      where the line leaves, from the vertex's centre line
 * @property {number} rightPort
 * @property {number} weight        how much it should be straight
 * @property {number} links         how many lines it stands for
 */

const ROUNDS = 10;
const STAY = 0.01; // weight of the wish to stay

/**
 * Heights of the centre lines.
 * @param {ReadonlyArray<ReadonlyArray<number>>} columns vertices from the top
 * @param {ReadonlyArray<Hop>} hops
 * @param {(upper: number, lower: number) => number} apart least distance of two centre lines
 * @returns {Map<number, number>}
 */
export function heights(columns, hops, apart) {
  const y = stacked(columns, apart);
  const wishes = wishesBy(hops);
  const gaps = columns.map((column) => column.slice(1).map((vertex, i) => apart(column[i], vertex)));
  for (let round = 0; round < ROUNDS; round += 1) {
    const both = round >= ROUNDS - 4;
    const forth = round % 2 === 0;
    for (let i = 0; i < columns.length; i += 1) {
      const c = forth ? i : columns.length - 1 - i;
      settle(columns[c], gaps[c], y, (vertex) => wishOf(wishes.get(vertex), y, both ? null : forth ? "left" : "right"));
    }
  }
  return y;
}

/** Each column stacked around zero. @param {ReadonlyArray<ReadonlyArray<number>>} columns @param {(a: number, b: number) => number} apart */
function stacked(columns, apart) {
  const y = new Map();
  for (const column of columns) {
    let at = 0;
    column.forEach((vertex, i) => y.set(vertex, (at += i === 0 ? 0 : apart(column[i - 1], vertex))));
    for (const vertex of column) y.set(vertex, y.get(vertex) - at / 2);
  }
  return y;
}

/** @typedef {{side: "left" | "right", other: number, offset: number, weight: number}} Wish */

/** @param {ReadonlyArray<Hop>} hops */
function wishesBy(hops) {
  /** @type {Map<number, Wish[]>} */
  const wishes = new Map();
  const add = (/** @type {number} */ vertex, /** @type {Wish} */ wish) => {
    const own = wishes.get(vertex);
    if (own) own.push(wish);
    else wishes.set(vertex, [wish]);
  };
  for (const { left, right, leftPort, rightPort, weight } of hops) {
    add(left, { side: "right", other: right, offset: rightPort - leftPort, weight });
    add(right, { side: "left", other: left, offset: leftPort - rightPort, weight });
  }
  return wishes;
}

/** The mean height wished for and its weight; null for no wish. @param {Wish[] | undefined} wishes @param {ReadonlyMap<number, number>} y @param {"left" | "right" | null} side */
function wishOf(wishes, y, side) {
  let [sum, weight] = [0, 0];
  for (const wish of wishes ?? []) {
    if (side !== null && wish.side !== side) continue;
    sum += wish.weight * ((y.get(wish.other) ?? 0) + wish.offset);
    weight += wish.weight;
  }
  return weight === 0 ? null : { at: sum / weight, weight };
}

/**
 * Move one column as near to its wishes as order and distances allow.
 * @param {ReadonlyArray<number>} column @param {ReadonlyArray<number>} gaps
 * @param {Map<number, number>} y @param {(vertex: number) => {at: number, weight: number} | null} wish
 */
function settle(column, gaps, y, wish) {
  let room = 0;
  const rooms = column.map((_, i) => (room += i === 0 ? 0 : gaps[i - 1]));
  const wished = column.map((vertex, i) => {
    const { at, weight } = wish(vertex) ?? { at: y.get(vertex) ?? 0, weight: STAY };
    return { at: at - rooms[i], weight };
  });
  isotonic(wished).forEach((at, i) => y.set(column[i], at + rooms[i]));
}

/**
 * The non-decreasing values nearest to the given ones (weighted least squares), by pooling neighbours.
 * @param {ReadonlyArray<{at: number, weight: number}>} values
 * @returns {number[]}
 */
export function isotonic(values) {
  /** @type {Array<{at: number, weight: number, size: number}>} */
  const pools = [];
  for (const { at, weight } of values) {
    let pool = { at, weight, size: 1 };
    for (let last = pools.at(-1); last && last.at > pool.at; last = pools.at(-1)) {
      const whole = last.weight + pool.weight;
      pool = { at: (last.at * last.weight + pool.at * pool.weight) / whole, weight: whole, size: last.size + pool.size };
      pools.pop();
    }
    pools.push(pool);
  }
  return pools.flatMap(({ at, size }) => new Array(size).fill(at));
}
