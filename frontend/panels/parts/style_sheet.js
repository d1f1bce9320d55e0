// A style sheet that comes with a vendored module, fetched when that module is.

import { beside } from "../../values/beside.js";

/** @type {Map<string, Promise<void>>} */
const loading = new Map();

/**
 * Add a style sheet to the page, once.
 * @param {string} path from the page's folder @returns {Promise<void>} fulfilled when it holds, or cannot be had
 */
export function styleSheet(path) {
  const known = loading.get(path) ?? added(beside(path));
  loading.set(path, known);
  return known;
}

/** @param {string} href @returns {Promise<void>} */
function added(href) {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  document.head.append(link);
  return new Promise((done) => {
    for (const end of ["load", "error"]) link.addEventListener(end, () => done(), { once: true });
  });
}
