// Coordinates: the heights at which a lane's vertices stand, so that lines run straight.
//
// Each vertex would like to stand level with its neighbours. Given such wishes for one column, the nearest
// heights that keep the order and the distances are an isotonic regression; forth and back over the columns
// brings them there.

/**
 * @typedef {object} Hop
 * @property {number} left          vertex
 * @property {number} right
 * @property {number} leftPort      where the line leaves, from the vertex's centre line
 * @property {number} rightPort
 * @property {number} weight        how much it should be straight
 * @property {number} edges         how many edges of the graph it stands for
 */

/**
 * A lane's vertices, column by column; a place is where a vertex stands in this row.
 * @typedef {{vertices: ReadonlyArray<number>, columns: ReadonlyArray<Column>}} Row
 */
/** @typedef {{first: number, rooms: Float64Array, middle: number}} Column its first place, how far beneath it each stands at least, and where the middle of its items is then */

/**
 * The wishes of places, to stand `offset` from another. Those of place i are numbered from starts[i] on, those that are
 * about its neighbours on the right from middles[i] on.
 * @typedef {object} Wishes
 * @property {Int32Array} starts   one more than places
 * @property {Int32Array} middles
 * @property {Int32Array} other
 * @property {Float64Array} offset
 * @property {Float64Array} weight
 */

const LONG = 7; // columns; in fewer, stairs do no harm
const STAIRS = 48; // px of height that straight lines are worth
const ROUNDS = 10;
const BOTH_SIDES = 4; // of the rounds, the last look at the neighbours of both sides
const STAY = 0.01; // weight of the wish to stay

/**
 * A row of columns.
 * @param {ReadonlyArray<ReadonlyArray<number>>} columns vertices from the top
 * @param {(upper: number, lower: number) => number} apart least distance of two centre lines
 * @param {(vertex: number) => boolean} [isBend] whether a vertex is only passed by a line; what no line pulls stands level with others, whatever passes it
 * @returns {Row}
 */
export function rowOf(columns, apart, isBend = () => false) {
  let first = 0;
  const shaped = columns.map((column) => {
    const gaps = Float64Array.from(column, (vertex, i) => (i === 0 ? 0 : apart(column[i - 1], vertex)));
    let room = 0;
    const rooms = gaps.map((gap) => (room += gap));
    const items = rooms.filter((_, i) => !isBend(column[i]));
    const [top, bottom] = items.length > 0 ? [items[0], items[items.length - 1]] : [0, room];
    const own = { first, rooms, middle: (top + bottom) / 2 };
    first += column.length;
    return own;
  });
  return { vertices: columns.flat(), columns: shaped };
}

/** Heights of the centre lines, as if every line touched its items there. @param {Row} row @param {ReadonlyArray<Hop>} hops */
export const levelHeights = (row, hops) => heightsOf(row, hops, false);

/**
 * Heights of the centre lines with which lines run straight from port to port. Where a line leaves lower than it came in,
 * again and again, that would make stairs of a long row; then the vertices stand level, and the lines bend a little.
 * @param {Row} row @param {ReadonlyArray<Hop>} hops @param {Map<number, number>} level the row's `levelHeights`
 * @returns {Map<number, number>}
 */
export function heights(row, hops, level) {
  const straight = heightsOf(row, hops, true);
  return row.columns.length >= LONG && spanOf(straight) > spanOf(level) + STAIRS ? level : straight;
}

/** From the highest to the lowest. @param {ReadonlyMap<number, number>} y */
function spanOf(y) {
  let [low, high] = [Infinity, -Infinity];
  for (const at of y.values()) [low, high] = [Math.min(low, at), Math.max(high, at)];
  return high - low;
}

/** Heights nearest to all wishes. @param {Row} row @param {ReadonlyArray<Hop>} hops @param {boolean} fromPorts whether lines touch at their ports @returns {Map<number, number>} */
function heightsOf({ vertices, columns }, hops, fromPorts) {
  const wishes = wishesBy(vertices, hops, fromPorts);
  const y = stacked(columns, vertices.length);
  for (let round = 0; round < ROUNDS; round += 1) {
    const forth = round % 2 === 0;
    const side = round >= ROUNDS - BOTH_SIDES ? null : forth;
    for (let i = 0; i < columns.length; i += 1) moveToWishes(columns[forth ? i : columns.length - 1 - i], y, wishes, side);
  }
  return new Map(vertices.map((vertex, place) => [vertex, y[place]]));
}

/** Each column stacked, its items around zero. @param {ReadonlyArray<Column>} columns @param {number} places */
function stacked(columns, places) {
  const y = new Float64Array(places);
  for (const { first, rooms, middle } of columns) rooms.forEach((room, i) => (y[first + i] = room - middle));
  return y;
}

/** @param {ReadonlyArray<number>} vertices @param {ReadonlyArray<Hop>} hops @param {boolean} fromPorts @returns {Wishes} */
function wishesBy(vertices, hops, fromPorts) {
  const place = new Map(vertices.map((vertex, i) => [vertex, i]));
  const here = hops.filter(({ left, right }) => place.has(left) && place.has(right));
  const count = vertices.length;
  const [starts, middles] = [new Int32Array(count + 1), new Int32Array(count)];
  const placeOf = (/** @type {number} */ vertex) => place.get(vertex) ?? 0;
  for (const { left, right } of here) {
    starts[placeOf(left) + 1] += 1;
    starts[placeOf(right) + 1] += 1;
    middles[placeOf(right)] += 1;
  }
  for (let i = 0; i < count; i += 1) {
    starts[i + 1] += starts[i];
    middles[i] += starts[i];
  }
  const [onLeft, onRight] = [starts.slice(0, count), middles.slice()];
  const wishes = {
    starts,
    middles,
    other: new Int32Array(starts[count]),
    offset: new Float64Array(starts[count]),
    weight: new Float64Array(starts[count]),
  };
  for (const { left, right, leftPort, rightPort, weight } of here) {
    const [a, b] = [placeOf(left), placeOf(right)];
    const climb = fromPorts ? rightPort - leftPort : 0;
    wish(onRight[a], b, climb, weight);
    wish(onLeft[b], a, -climb, weight);
    onRight[a] += 1;
    onLeft[b] += 1;
  }
  return wishes;

  /** @param {number} i @param {number} other @param {number} offset @param {number} weight */
  function wish(i, other, offset, weight) {
    wishes.other[i] = other;
    wishes.offset[i] = offset;
    wishes.weight[i] = weight;
  }
}

/**
 * Move one column as near to its wishes as order and distances allow.
 * @param {Column} column @param {Float64Array} y @param {Wishes} wishes
 * @param {boolean | null} onLeft whether only the neighbours at the left (right) count; null: all
 */
function moveToWishes({ first, rooms }, y, { starts, middles, other, offset, weight }, onLeft) {
  const wished = new Float64Array(rooms.length);
  const weights = new Float64Array(rooms.length);
  for (let i = 0; i < rooms.length; i += 1) {
    const place = first + i;
    const [from, to] = [onLeft === false ? middles[place] : starts[place], onLeft === true ? middles[place] : starts[place + 1]];
    let [sum, whole] = [0, 0];
    for (let k = from; k < to; k += 1) {
      sum += weight[k] * (y[other[k]] + offset[k]);
      whole += weight[k];
    }
    wished[i] = (whole === 0 ? y[place] : sum / whole) - rooms[i];
    weights[i] = whole === 0 ? STAY : whole;
  }
  const found = isotonic(wished, weights);
  for (let i = 0; i < rooms.length; i += 1) y[first + i] = found[i] + rooms[i];
}

/**
 * The non-decreasing values nearest to the given ones (weighted least squares), by pooling neighbours.
 * @param {Float64Array} values @param {Float64Array} weights
 * @returns {Float64Array}
 */
export function isotonic(values, weights) {
  const pools = {
    at: new Float64Array(values.length),
    weight: new Float64Array(values.length),
    end: new Int32Array(values.length),
  };
  let last = -1;
  for (let i = 0; i < values.length; i += 1) {
    let at = values[i];
    let weight = weights[i];
    for (; last >= 0 && pools.at[last] > at; last -= 1) {
      const whole = pools.weight[last] + weight;
      at = (pools.at[last] * pools.weight[last] + at * weight) / whole;
      weight = whole;
    }
    last += 1;
    pools.at[last] = at;
    pools.weight[last] = weight;
    pools.end[last] = i + 1;
  }
  const found = new Float64Array(values.length);
  for (let pool = 0; pool <= last; pool += 1) found.fill(pools.at[pool], pool === 0 ? 0 : pools.end[pool - 1], pools.end[pool]);
  return found;
}
