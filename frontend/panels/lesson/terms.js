// Terms in a text: each is a button whose meaning is shown beside it while the pointer or the focus is on it.

import { html } from "lit";

import { piecesOf, TERMS } from "../../i18n/terms.js";
import { state } from "../../store.js";
import { withCode } from "../parts/code.js";
import { styleSheet } from "../parts/style_sheet.js";

void styleSheet("styles/terms.css");

const GAP = 6; // px between a term and what it means
const MARGIN = 8; // px to the window's edge

/** @param {string} text its terms explained, each once @param {string} place no other text has it */
export function withTerms(text, place) {
  const seen = new Set();
  return piecesOf(text, state.value.language).map(({ text: part, key }) => {
    const isFirst = key !== null && !seen.has(key);
    seen.add(key);
    return isFirst ? term(key, part, place) : withCode(part);
  });
}

/** A term under its own name, as it begins a line. @param {string} key @param {string} place */
export function named(key, place) {
  const [name] = TERMS[state.value.language][key].words;
  return term(key, name[0].toUpperCase() + name.slice(1), place);
}

/** @param {string} key @param {string} text @param {string} place */
function term(key, text, place) {
  const id = `${place}-${key}`;
  return html`<span class="term-place" @pointerenter=${show} @pointerleave=${hide} @focusin=${show} @focusout=${hide} @keydown=${escape}
    ><button class="term" aria-describedby=${id}>${text}</button
    ><span class="meaning" role="tooltip" popover="manual" id=${id}>${TERMS[state.value.language][key].meaning}</span></span>`;
}

/** @param {Event} event */
const meaningOf = ({ currentTarget }) =>
  /** @type {HTMLElement} */ (/** @type {Element} */ (currentTarget).querySelector(".meaning"));

/** Beneath the term, or above it where there is no room. @param {Event} event */
function show(event) {
  const meaning = meaningOf(event);
  const { left, top, bottom } = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
  if (!meaning.matches(":popover-open")) meaning.showPopover();
  const { width, height } = meaning.getBoundingClientRect();
  const below = bottom + GAP + height + MARGIN < innerHeight ? bottom + GAP : top - GAP - height;
  meaning.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN))}px`;
  meaning.style.top = `${Math.max(MARGIN, below)}px`;
}

/** It stays while the focus is on its term, or the pointer on either. @param {Event} event */
function hide(event) {
  const place = /** @type {Element} */ (event.currentTarget);
  const isHeld = event.type === "pointerleave" ? place.contains(document.activeElement) : place.matches(":hover");
  if (!isHeld && meaningOf(event).matches(":popover-open")) meaningOf(event).hidePopover();
}

/** @param {KeyboardEvent} event */
function escape(event) {
  if (event.key !== "Escape" || !meaningOf(event).matches(":popover-open")) return;
  event.preventDefault(); // it closes the meaning, and stops no run
  meaningOf(event).hidePopover();
}
