// Rows in the order of one of their columns: numbers by size, then texts by the alphabet, then what is blank.

/** @typedef {number | string | null | undefined} SortKey */

const byName = new Intl.Collator(undefined, { numeric: true });

/** @param {SortKey} key */
function rank(key) {
  if (typeof key === "number") return Number.isNaN(key) ? 1 : 0;
  return key === null || key === undefined || key === "" ? 3 : 2;
}

/** @param {SortKey} a @param {SortKey} b */
function compared(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b || 0;
  return byName.compare(String(a), String(b));
}

/**
 * The rows in order; equal ones stay as they stood. Descending turns numbers and texts round, but blanks stay last.
 * @template T @param {readonly T[]} rows @param {(row: T) => SortKey} keyOf @param {boolean} isDown @returns {T[]}
 */
export function sortedBy(rows, keyOf, isDown) {
  const keyed = rows.map((row) => ({ row, key: keyOf(row) }));
  const order = (/** @type {{key: SortKey}} */ a, /** @type {{key: SortKey}} */ b) => {
    const [first, second] = [rank(a.key), rank(b.key)];
    if (first !== second) return first - second;
    return first === 0 || first === 2 ? (isDown ? -1 : 1) * compared(a.key, b.key) : 0;
  };
  return keyed.sort(order).map(({ row }) => row);
}

const NUMBERS = new Map([
  ["nan", NaN],
  ["inf", Infinity],
  ["-inf", -Infinity],
]);

/** What a value is sorted by: a number by itself, an array by its shape. @param {unknown} data @param {readonly number[]} [shape] @returns {SortKey} */
export function sortKeyOf(data, shape = []) {
  if (typeof data === "string" && NUMBERS.has(data)) return NUMBERS.get(data);
  if (Array.isArray(data) || shape.length > 0)
    return `(${(shape.length > 0 ? shape : [/** @type {unknown[]} */ (data).length]).join(", ")})`;
  if (typeof data === "boolean") return Number(data);
  return typeof data === "number" || typeof data === "string" ? data : null;
}
