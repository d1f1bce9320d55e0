// Terms in a text: each is a button, whose meaning is shown beside it while the pointer or the focus is on either.

import { html } from "lit";

import { piecesOf, TERMS } from "../../i18n/terms.js";
import { state } from "../../store.js";
import { withCode } from "../parts/code.js";

const GAP = 6; // px between a term and what it means
const MARGIN = 8; // px to the window's edge
const ON_THE_WAY_MS = 200; // from the term to its meaning

/** @param {string} text its terms explained, each once */
export function withTerms(text) {
  const seen = new Set();
  return piecesOf(text, state.value.language).map(({ text: part, key }) => {
    const isFirst = key !== null && !seen.has(key);
    seen.add(key);
    return isFirst ? term(key, part) : withCode(part);
  });
}

/** A term under its own name, as it begins a line. @param {string} key */
export function named(key) {
  const [name] = TERMS[state.value.language][key].words;
  return term(key, name[0].toUpperCase() + name.slice(1));
}

/** @param {string} key @param {string} text */
const term = (key, text) =>
  html`<button class="term" aria-describedby=${idOf(key)} @pointerenter=${shown.show} @pointerleave=${shown.leave}
    @focus=${shown.show} @blur=${shown.hide} @keydown=${shown.pressed}>${text}</button>`;

/** @param {string} key */
const idOf = (key) => `meaning-of-${key}`;

/** What the terms mean; they stand outside the texts that they explain, and are shown one at a time. */
export const meanings = () =>
  Object.entries(TERMS[state.value.language]).map(
    ([key, { meaning }]) => html`<div class="meaning" role="tooltip" popover="manual" id=${idOf(key)}
      @pointerenter=${shown.stay} @pointerleave=${shown.leave}>${meaning}</div>`,
  );

/** The one meaning that is shown. */
class Shown {
  /** @type {HTMLElement | null} */
  #meaning = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #leaving;

  show = (/** @type {Event} */ event) => {
    const place = /** @type {HTMLElement} */ (event.currentTarget);
    const meaning = document.getElementById(place.getAttribute("aria-describedby") ?? "");
    this.hide();
    if (!meaning) return;
    meaning.showPopover();
    this.#meaning = meaning;
    put(meaning, place.getBoundingClientRect());
  };

  stay = () => clearTimeout(this.#leaving);

  leave = () => {
    this.stay();
    this.#leaving = setTimeout(this.hide, ON_THE_WAY_MS);
  };

  hide = () => {
    this.stay();
    if (this.#meaning?.matches(":popover-open")) this.#meaning.hidePopover();
    this.#meaning = null;
  };

  pressed = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape" || !this.#meaning) return;
    event.preventDefault(); // it closes the meaning, and stops no run
    this.hide();
  };
}

const shown = new Shown();

/** Beneath the term, or above it where there is no room. @param {HTMLElement} meaning @param {DOMRect} term */
function put(meaning, { left, top, bottom }) {
  const { width, height } = meaning.getBoundingClientRect();
  const below = bottom + GAP + height + MARGIN < innerHeight ? bottom + GAP : top - GAP - height;
  meaning.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN))}px`;
  meaning.style.top = `${Math.max(MARGIN, below)}px`;
}
