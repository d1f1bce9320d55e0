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
 * @property {number} edges         how many edges of the graph it stands for
 */

/** @typedef {{onLeft: boolean, other: number, offset: number, weight: number}} Wish to stand `offset` from another */
/** @typedef {{first: number, rooms: Float64Array, middle: number}} Column its first place, how far beneath it each stands at least, and where the middle of its items is then */

const LONG = 7; // columns; in fewer, stairs do no harm
const STAIRS = 48; // px of height that straight lines are worth
const ROUNDS = 10;
const BOTH_SIDES = 4; // of the rounds, the last look at the neighbours of both sides
const STAY = 0.01; // weight of the wish to stay

/**
 * Heights of the centre lines. Where a line leaves lower than it came in, again and again, straight lines would make
 * stairs of a long row; then the vertices stand level, and the lines bend a little.
 * @param {ReadonlyArray<ReadonlyArray<number>>} columns vertices from the top
 * @param {ReadonlyArray<Hop>} hops
 * @param {(upper: number, lower: number) => number} apart least distance of two centre lines
 * @param {(vertex: number) => boolean} [isBend] whether a vertex is only passed by a line; what no line pulls stands level with others, whatever passes it
 * @returns {Map<number, number>}
 */
export function heights(columns, hops, apart, isBend = () => false) {
  const shaped = shapedColumns(columns, apart, isBend);
  const straight = settled(columns.flat(), shaped, hops);
  if (columns.length < LONG) return straight;
  const level = settled(columns.flat(), shaped, hops.map((hop) => ({ ...hop, leftPort: 0, rightPort: 0 })));
  return spanOf(straight) > spanOf(level) + STAIRS ? level : straight;
}

/** From the highest to the lowest. @param {ReadonlyMap<number, number>} y */
function spanOf(y) {
  let [low, high] = [Infinity, -Infinity];
  for (const at of y.values()) [low, high] = [Math.min(low, at), Math.max(high, at)];
  return high - low;
}

/** @param {number[]} vertices a place is where a vertex stands in this row of columns @param {Column[]} shaped @param {ReadonlyArray<Hop>} hops */
function settled(vertices, shaped, hops) {
  const wishes = wishesBy(vertices, hops);
  const y = stacked(shaped, vertices.length);
  for (let round = 0; round < ROUNDS; round += 1) {
    const forth = round % 2 === 0;
    const side = round >= ROUNDS - BOTH_SIDES ? null : forth;
    for (let i = 0; i < shaped.length; i += 1) settle(shaped[forth ? i : shaped.length - 1 - i], y, wishes, side);
  }
  return new Map(vertices.map((vertex, place) => [vertex, y[place]]));
}

/**
 * @param {ReadonlyArray<ReadonlyArray<number>>} columns @param {(upper: number, lower: number) => number} apart
 * @param {(vertex: number) => boolean} isBend
 * @returns {Column[]}
 */
function shapedColumns(columns, apart, isBend) {
  let first = 0;
  return columns.map((column) => {
    const gaps = Float64Array.from(column, (vertex, i) => (i === 0 ? 0 : apart(column[i - 1], vertex)));
    let room = 0;
    const rooms = gaps.map((gap) => (room += gap));
    const items = rooms.filter((_, i) => !isBend(column[i]));
    const [top, bottom] = items.length > 0 ? [items[0], items[items.length - 1]] : [0, room];
    const shaped = { first, rooms, middle: (top + bottom) / 2 };
    first += column.length;
    return shaped;
  });
}

/** Each column stacked, its items around zero. @param {Column[]} columns @param {number} places */
function stacked(columns, places) {
  const y = new Float64Array(places);
  for (const { first, rooms, middle } of columns) rooms.forEach((room, i) => (y[first + i] = room - middle));
  return y;
}

/** By place. @param {number[]} vertices @param {ReadonlyArray<Hop>} hops @returns {Wish[][]} */
function wishesBy(vertices, hops) {
  const place = new Map(vertices.map((vertex, i) => [vertex, i]));
  /** @type {Wish[][]} */
  const wishes = vertices.map(() => []);
  for (const { left, right, leftPort, rightPort, weight } of hops) {
    const [a, b] = [place.get(left), place.get(right)];
    if (a === undefined || b === undefined) continue;
    wishes[a].push({ onLeft: false, other: b, offset: rightPort - leftPort, weight });
    wishes[b].push({ onLeft: true, other: a, offset: leftPort - rightPort, weight });
  }
  return wishes;
}

/**
 * Move one column as near to its wishes as order and distances allow.
 * @param {Column} column @param {Float64Array} y @param {Wish[][]} wishes
 * @param {boolean | null} onLeft whether only the neighbours at the left (right) count; null: all
 */
function settle({ first, rooms }, y, wishes, onLeft) {
  const wished = new Float64Array(rooms.length);
  const weights = new Float64Array(rooms.length);
  for (let i = 0; i < rooms.length; i += 1) {
    let [sum, weight] = [0, 0];
    for (const wish of wishes[first + i]) {
      if (onLeft !== null && wish.onLeft !== onLeft) continue;
      sum += wish.weight * (y[wish.other] + wish.offset);
      weight += wish.weight;
    }
    wished[i] = (weight === 0 ? y[first + i] : sum / weight) - rooms[i];
    weights[i] = weight === 0 ? STAY : weight;
  }
  isotonic(wished, weights).forEach((at, i) => (y[first + i] = at + rooms[i]));
}

/**
 * The non-decreasing values nearest to the given ones (weighted least squares), by pooling neighbours.
 * @param {Float64Array} values @param {Float64Array} weights
 * @returns {Float64Array}
 */
export function isotonic(values, weights) {
  const pools = { at: new Float64Array(values.length), weight: new Float64Array(values.length), end: new Int32Array(values.length) };
  let last = -1;
  for (let i = 0; i < values.length; i += 1) {
    let [at, weight] = [values[i], weights[i]];
    for (; last >= 0 && pools.at[last] > at; last -= 1) {
      const whole = pools.weight[last] + weight;
      at = (pools.at[last] * pools.weight[last] + at * weight) / whole;
      weight = whole;
    }
    last += 1;
    [pools.at[last], pools.weight[last], pools.end[last]] = [at, weight, i + 1];
  }
  const found = new Float64Array(values.length);
  for (let pool = 0; pool <= last; pool += 1) found.fill(pools.at[pool], pool === 0 ? 0 : pools.end[pool - 1], pools.end[pool]);
  return found;
}
