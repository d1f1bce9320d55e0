// Settings that outlast a visit. Private windows may refuse them; they then last as long as the page, as in a frame.

import { isEmbedded } from "./embedded.js";

/** @param {string} key @returns {string | null} */
export function readSetting(key) {
  if (isEmbedded) return null;
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** @param {string} key @param {string | null} value */
export function writeSetting(key, value) {
  try {
    if (value !== null && !isEmbedded) localStorage.setItem(key, value);
  } catch {
    // as said above
  }
}
