// Gestures: clicks and keys on the drawing, reported as what they mean.

import { neighbour } from "../../layout/scene/neighbours.js";

/**
 * @typedef {object} Meaning
 * @property {() => import("../../layout/types.js").Scene | null} scene
 * @property {() => string} focused
 * @property {(id: string) => void} focus     go there, moving the picture where needed
 * @property {(id: string) => void} attend    the focus is there already
 * @property {() => boolean} isSelected       whether anything is selected
 * @property {(id: string | null) => void} select
 * @property {(name: string) => void} selectName a constant, which is part of an item
 * @property {(id: string) => void} toggle
 * @property {(id: string | null) => void} point  the pointer or the focus has come there, or left
 * @property {(event: MouseEvent) => string | null} idAt  what a map shows there
 */

/**
 * Listen on the stage; returns what stops it.
 * @param {HTMLElement} stage @param {Meaning} meaning
 */
export function listen(stage, meaning) {
  const end = new AbortController();
  const { signal } = end;
  stage.addEventListener("click", (event) => clicked(event, meaning), { signal });
  stage.addEventListener("dblclick", (event) => doubleClicked(event, meaning), { signal });
  stage.addEventListener("keydown", (event) => pressed(event, meaning), { signal });
  stage.addEventListener("focusin", (event) => focusedOn(event, meaning), { signal });
  for (const come of ["pointerover", "focusin"])
    stage.addEventListener(come, (event) => meaning.point(keyAt(event, PART)), { signal });
  for (const leave of ["pointerleave", "focusout"]) stage.addEventListener(leave, () => meaning.point(null), { signal });
  return () => end.abort();
}

/** @param {Event} event @param {string} within */
function keyAt({ target }, within) {
  const found = target instanceof Element ? target.closest(within) : null;
  return found instanceof SVGElement ? (found.dataset.key ?? null) : null;
}

/** The name of the constant under the pointer. @param {Event} event */
function constantAt({ target }) {
  const found = target instanceof Element ? target.closest(".constant") : null;
  return found instanceof SVGElement ? (found.dataset.name ?? null) : null;
}

const PART = ".item, .band";

/** @param {MouseEvent} event @param {Meaning} meaning */
function clicked(event, { select, selectName, toggle, attend, idAt }) {
  const id = keyAt(event, PART) ?? idAt(event);
  const button = event.target instanceof Element && event.target.closest(".toggle") !== null;
  const constant = constantAt(event);
  if (id !== null && button) toggle(id);
  else if (constant !== null) selectName(constant);
  else if (keyAt(event, ".item") !== null || idAt(event) !== null) select(id);
  else select(null);
  if (id !== null) attend(id);
}

/** @param {MouseEvent} event @param {Meaning} meaning */
function doubleClicked(event, { toggle, idAt }) {
  const id = keyAt(event, PART) ?? idAt(event);
  const button = event.target instanceof Element && event.target.closest(".toggle") !== null;
  if (id?.endsWith("/") && !button) toggle(id);
}

/** @param {KeyboardEvent} event @param {Meaning} meaning */
function pressed(event, { scene, focused, focus, isSelected, select, toggle }) {
  const shown = scene();
  const id = keyAt(event, PART);
  if (!shown || id === null || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Enter" || event.key === " ") {
    if (id.endsWith("/")) toggle(id);
    else select(id);
  } else if (event.key.startsWith("Arrow")) {
    focus(neighbour(shown, focused(), event.key) ?? focused());
  } else if (event.key === "Escape" && isSelected()) select(null);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** What the Tab key has come to is brought into sight. @param {FocusEvent} event @param {Meaning} meaning */
function focusedOn(event, { focused, focus, attend }) {
  const id = keyAt(event, PART);
  if (id !== null && comesByKey(event)) focus(id);
  else if (id !== null && id !== focused()) attend(id);
}

/** Whether the focus comes from another part of the page, by a key. @param {FocusEvent} event */
const comesByKey = ({ target, relatedTarget, currentTarget }) =>
  relatedTarget instanceof Element &&
  !(/** @type {Element} */ (currentTarget).contains(relatedTarget)) &&
  /** @type {Element} */ (target).matches(":focus-visible");
