// Level: long lines run straight past the columns.
//
// The heights of coordinates.js share out the climb of a long line over all columns that it passes: it rises by a
// little in each. Here the bends of a line get one height together, for as many columns as what stands above and beneath
// them leaves room; the line climbs where it starts and where it ends. Items stay where they are.

/** @typedef {{low: number, high: number}} Room heights that a bend can have */

/**
 * Change the heights of the bends. Lines are gone through down the picture and up again: one that lies against another
 * finds room once the other has been moved.
 * @param {ReadonlyArray<ReadonlyArray<number>>} columns vertices from the top
 * @param {ReadonlyArray<ReadonlyArray<number>>} trunks the bends of each line, from the left
 * @param {Map<number, number>} y by vertex
 * @param {(upper: number, lower: number) => number} apart least distance of two centre lines
 */
export function level(columns, trunks, y, apart) {
  const at = (/** @type {number} */ vertex) => y.get(vertex) ?? 0;
  const roomOf = roomBetween(columns, at, apart);
  const lines = trunks.filter(({ length }) => length > 1).sort(([a], [b]) => at(a) - at(b));
  for (const bends of [...lines, ...lines.toReversed()]) {
    for (const { from, to, room } of stretches(bends.map(roomOf))) {
      const mean = bends.slice(from, to).reduce((sum, bend) => sum + at(bend), 0) / (to - from);
      const height = Math.min(Math.max(mean, room.low), room.high);
      for (let i = from; i < to; i += 1) y.set(bends[i], height);
    }
  }
}

/**
 * The room of a vertex between those that stand above and beneath it by now.
 * @param {ReadonlyArray<ReadonlyArray<number>>} columns @param {(vertex: number) => number} at
 * @param {(upper: number, lower: number) => number} apart
 * @returns {(vertex: number) => Room}
 */
function roomBetween(columns, at, apart) {
  /** @type {Map<number, number>} */
  const above = new Map();
  /** @type {Map<number, number>} */
  const beneath = new Map();
  for (const column of columns) {
    for (let i = 1; i < column.length; i += 1) {
      above.set(column[i], column[i - 1]);
      beneath.set(column[i - 1], column[i]);
    }
  }
  return (vertex) => {
    const [upper, lower] = [above.get(vertex), beneath.get(vertex)];
    return {
      low: upper === undefined ? -Infinity : at(upper) + apart(upper, vertex),
      high: lower === undefined ? Infinity : at(lower) - apart(vertex, lower),
    };
  };
}

/**
 * The rooms in turn, as many together as have heights in common.
 * @param {Room[]} rooms
 * @returns {Array<{from: number, to: number, room: Room}>} `to`: the first that is no longer part of it
 */
function stretches(rooms) {
  const found = [{ from: 0, to: 0, room: rooms[0] }];
  rooms.forEach(({ low, high }, i) => {
    const last = found[found.length - 1];
    const room = { low: Math.max(last.room.low, low), high: Math.min(last.room.high, high) };
    if (room.low <= room.high) Object.assign(last, { to: i + 1, room });
    else found.push({ from: i, to: i + 1, room: { low, high } });
  });
  return found;
}
