// Remembered: what was made before, by what it was made of.

/**
 * A memory of the last results; the oldest go first.
 * @template T
 * @param {number} most
 * @returns {(key: string, make: () => T) => T}
 */
export function remembered(most) {
  /** @type {Map<string, T>} */
  const known = new Map();
  return (key, make) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const made = make();
    known.set(key, made);
    if (known.size > most) known.delete(known.keys().next().value ?? "");
    return made;
  };
}
