// Lazy values.

/**
 * A value that is made when it is first asked for.
 * @template T @param {() => T} make @returns {() => T}
 */
export function lazy(make) {
  /** @type {{value: T} | null} */
  let made = null;
  return () => (made ??= { value: make() }).value;
}
