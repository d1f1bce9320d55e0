// What the page hears outside its panels: keys, files that are dropped, and its address, which it keeps a link.

import { effect } from "@preact/signals-core";
import { showStep, stop } from "../requests/running.js";
import { openGraph, openLinked } from "../requests/session.js";
import { undone } from "../state/look.js";
import { INITIAL, state, update } from "../store.js";
import { actionFor, asksUndo } from "./keys.js";
import { fromHash, linkedPart, sameChoices, sameLink, toHash } from "./link.js";

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (asksUndo(event)) {
    event.preventDefault();
    return update(undone(state.value));
  }
  if (event.key === "Escape" && !event.defaultPrevented) stop();
  const step = actionFor(event, state.value);
  if (step === null) return undefined;
  event.preventDefault();
  return showStep(step);
}

/** A file dropped anywhere is drawn; text dropped into the editor is the editor's. @param {DragEvent} event */
async function onDrop(event) {
  const file = event.dataTransfer?.files[0];
  if (!file) return;
  event.preventDefault();
  await openGraph(file.arrayBuffer());
}

const LINK_PAUSE_MS = 400;
/** @type {import("./link.js").Linked} what the address leads to, or is about to */
let linked = {};
/** @type {ReturnType<typeof setTimeout> | undefined} */
let linking;

/**
 * Keep the address a link to what is on the page: a choice at once, for the page may be loaded again right after it;
 * what is typed, slid or moved once it has been left alone for a moment.
 */
function keepLink() {
  const now = linkedPart(state.value);
  clearTimeout(linking);
  if (sameLink(now, linked)) return;
  if (sameChoices(now, linked)) linking = setTimeout(writeLink, LINK_PAUSE_MS, now);
  else void writeLink(now);
}

/** @param {import("./link.js").Linked} now */
async function writeLink(now) {
  linked = now;
  const hash = await toHash(now);
  if (linked === now) history.replaceState(null, "", location.pathname + location.search + hash);
}

/** A link pasted over the address of an open page. */
async function followLink() {
  const found = await fromHash(location.hash, INITIAL);
  if (found) await openLinked(found);
}

/**
 * From here on the address follows the page, and the page the address: once what it led to is open.
 * @param {import("./link.js").Linked} opened
 */
export function keepAddress(opened) {
  linked = opened;
  effect(keepLink);
  addEventListener("hashchange", () => void followLink());
}

addEventListener("keydown", onKey);
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => void onDrop(event));
