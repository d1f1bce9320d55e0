// Starts the page: the graph first, then everything around it; the keyboard listened to, the address kept a link.

import { effect } from "@preact/signals-core";

import { actionFor, asksUndo } from "./keys.js";
import { fromHash, linkedPart, sameLink, toHash } from "./link.js";
import { undone } from "./look.js";
import { keepSettings, opened, spoken } from "./opening.js";
import { nextTurn } from "./pace.js";
import { firstFrame } from "./panels/graph.js";
import { keepRecalling } from "./recalling.js";
import { stop } from "./running.js";
import { openGraph, openLinked } from "./session.js";
import { INITIAL, movedTo, partOfState, state, t, update } from "./store.js";

/** What stands around the graph, in the order in which it is missed; each has its room before it comes. */
const PARTS = [
  () => import("./panels/header.js"),
  () => import("./panels/transport.js"),
  () => import("./panels/input.js"),
  () => import("./panels/step.js"),
  () => import("./panels/tabs.js"),
  () => import("./panels/graph_bar.js"),
  () => import("./panels/dock.js"),
  () => import("./panels/narration.js"),
];
const LONGEST_WAIT_MS = 400; // for a graph that is slow to come

const look = partOfState("theme", "tab", "answer");
const language = partOfState("language", "catalogue");
const settings = partOfState("language", "theme", "detail", "merged", "direction", "catalogue");

/** What the style sheets read. */
function reflectLook() {
  const { theme, tab, answer } = look.value;
  const root = document.documentElement;
  root.dataset.tab = tab;
  root.dataset.text = answer && answer.dialect !== "math" ? "program" : "expression";
  if (theme) root.dataset.theme = theme;
}

/** What is said outside the panels, once there are words. */
function reflectWords() {
  if (Object.keys(language.value.catalogue).length === 0) return;
  document.documentElement.lang = language.value.language;
  document.title = t("page.title");
  const skip = document.querySelector(".skip");
  if (skip) skip.textContent = t("page.skip");
}

/** Once there are words the settings are known. */
function keepWhatIsSet() {
  if (Object.keys(settings.value.catalogue).length > 0) keepSettings(settings.value);
}

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
  return update(movedTo(state.value, step));
}

/** A file dropped anywhere is drawn; text dropped into the editor is the editor's. @param {DragEvent} event */
async function onDrop(event) {
  const file = event.dataTransfer?.files[0];
  if (!file) return;
  event.preventDefault();
  await openGraph(await file.arrayBuffer());
}

const LINK_PAUSE_MS = 400;
/** @type {import("./link.js").Linked} what the address leads to */
let linked = {};
/** @type {ReturnType<typeof setTimeout> | undefined} */
let linking;

/** Keep the address a link to what is on the page, once it has been left alone for a moment. */
function keepLink() {
  const now = linkedPart(state.value);
  clearTimeout(linking);
  if (sameLink(now, linked)) return;
  linking = setTimeout(async () => {
    linked = now;
    history.replaceState(null, "", location.pathname + location.search + (await toHash(now)));
  }, LINK_PAUSE_MS);
}

/** A link pasted over the address of an open page. */
async function followLink() {
  const found = await fromHash(location.hash, INITIAL);
  if (found) await openLinked(found);
}

effect(reflectLook);
effect(reflectWords);
effect(keepWhatIsSet);
addEventListener("keydown", onKey);
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => void onDrop(event));
await Promise.race([firstFrame, new Promise((done) => setTimeout(done, LONGEST_WAIT_MS))]);
await spoken; // a part without words is empty, and its room would be lost
for (const part of PARTS) {
  await part();
  await nextTurn(); // each draws itself in a turn of its own
}
await opened;
linked = linkedPart(state.value);
effect(keepLink);
keepRecalling();
addEventListener("hashchange", () => void followLink());
document.documentElement.dataset.ready = "";
