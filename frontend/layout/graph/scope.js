// A scope of the tree that scopes.js builds, and the series that it is where it stands for what repeats (series.js).

/**
 * @typedef {object} Series
 * @property {number} count    how many times it comes; 1 for a stretch of things that differ
 * @property {string} label    "dense ×20", "MatMul … Tanh ×20", "opa0 … opz25"
 * @property {ReadonlyArray<string>} holds  the names of what stands directly in it
 */

/**
 * @typedef {object} Scope
 * @property {string} name
 * @property {string} id                of the item that shows it: the name and "/"
 * @property {string} parent            name of the scope or series around it, or ROOT
 * @property {Scope | null} up          the same; null for ROOT
 * @property {number[]} members         indices of all nodes inside, in program order
 * @property {Series | null} series
 * @property {number} number            place among the tree's scopes
 * @property {Scope[]} inner            the scopes and series directly inside
 * @property {number[]} own             the nodes directly inside
 */

/** @returns {Pick<Scope, "members" | "series" | "number" | "inner" | "own">} */
export const newScope = () => ({ members: [], series: null, number: -1, inner: [], own: [] });
