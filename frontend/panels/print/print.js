// Printing: a question sheet and its key in place of the page. Fetched when they are first wanted.

import katex from "katex";

import { untilFollowed } from "../../requests/lesson/levels.js";
import { untilAnswered } from "../../requests/session.js";
import { styleSheet } from "../parts/style_sheet.js";
import { fillSheets, writeSheets } from "./sheets.js";

const root = document.documentElement;

/** Open the browser's own print window on the two sheets, of the lesson that is wanted; they are gone when it closes. */
export async function printSheets() {
  document.querySelector(".sheets")?.remove();
  await Promise.all([styleSheet("styles/sheets.css"), styleSheet("vendor/katex.css"), untilAnswered().then(untilFollowed)]);
  const place = Object.assign(document.createElement("div"), { className: "sheets", ariaHidden: "true" });
  document.body.prepend(place); // first: an arrow head is looked for from the beginning of the page, and has to be in sight
  writeSheets(place, typeset);
  await document.fonts.ready; // which the formulas have asked for
  fillSheets(place, /** @type {import("../graph/graph.js").Graph | null} */ (document.querySelector("gl-graph")));
  root.toggleAttribute("data-sheets", true);
  addEventListener("afterprint", () => clear(place), { once: true });
  print();
}

/** @param {HTMLElement} place */
function clear(place) {
  place.remove();
  if (!document.querySelector(".sheets")) root.removeAttribute("data-sheets");
}

/** @param {string} latex @param {HTMLElement} into */
const typeset = (latex, into) =>
  katex.render(latex, into, {
    throwOnError: false,
    trust: false,
    strict: "ignore",
    displayMode: latex.includes("\\begin"),
    fleqn: true,
  });
