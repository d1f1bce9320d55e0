// Remembered: what was made before, by what it was made of.

/**
 * A memory of the last results; the oldest go first.
 * @template T
 * @param {number} most
 */
export function memoryOf(most) {
  /** @type {Map<string, T>} */
  const known = new Map();
  return {
    /** @param {string} key */
    get: (key) => known.get(key),
    /** @param {string} key @param {T} made */
    set(key, made) {
      known.set(key, made);
      if (known.size > most) known.delete(known.keys().next().value ?? "");
    },
    clear: () => known.clear(),
  };
}

/**
 * What is made once for each key, while it is among the last.
 * @template T
 * @param {number} most
 * @returns {(key: string, make: () => T) => T}
 */
export function remembered(most) {
  const memory = /** @type {ReturnType<typeof memoryOf<T>>} */ (memoryOf(most));
  return (key, make) => {
    const before = memory.get(key);
    if (before !== undefined) return before;
    const made = make();
    memory.set(key, made);
    return made;
  };
}
