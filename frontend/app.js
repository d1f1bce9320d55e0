// Starts the page: language and theme as kept, the default example drawn, the keyboard listened to.

import { effect } from "@preact/signals-core";

import { firstLanguage } from "./i18n/i18n.js";
import { actionFor, asksUndo } from "./keys.js";
import { fromHash, linkedPart, sameLink, toHash } from "./link.js";
import { undone } from "./look.js";
import { keepRecalling } from "./recalling.js";
import { stop } from "./running.js";
import { openDefault, openGraph, openGraphAt, openLinked, speak } from "./session.js";
import { INITIAL, movedTo, state, t, update } from "./store.js";

import "./panels/dock.js";
import "./panels/graph.js";
import "./panels/header.js";
import "./panels/input.js";
import "./panels/narration.js";
import "./panels/step.js";
import "./panels/tabs.js";
import "./panels/transport.js";

const ROOM_FOR_DOCK = 840; // px; below that the graph needs the height
const SMALL = 700; // px; there the dock is a tab of its own, as in styles/small.css

/** Read a setting; private windows may refuse. @param {string} key */
function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** @param {string} key @param {string | null} value */
function keep(key, value) {
  try {
    if (value !== null) localStorage.setItem(key, value);
  } catch {
    // the setting then lasts as long as the page
  }
}

function reflectSettings() {
  const { language, theme, tab, answer, detail, merged, direction } = state.value;
  const root = document.documentElement;
  root.lang = language;
  root.dataset.tab = tab;
  root.dataset.text = answer && answer.dialect !== "math" ? "program" : "expression";
  if (theme) root.dataset.theme = theme;
  document.title = t("page.title");
  const skip = document.querySelector(".skip");
  if (skip) skip.textContent = t("page.skip");
  keep("gradlens.language", language);
  keep("gradlens.theme", theme);
  keep("gradlens.detail", detail);
  keep("gradlens.merged", String(merged));
  keep("gradlens.direction", direction);
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

const theme = kept("gradlens.theme");
if (theme === "light" || theme === "dark") update({ theme });
if (kept("gradlens.detail") === "essentials") update({ detail: "essentials" });
if (kept("gradlens.merged") === "true") update({ merged: true });
const direction = kept("gradlens.direction");
if (direction === "down" || direction === "up") update({ direction });
update({ dockOpen: innerHeight >= ROOM_FOR_DOCK || innerWidth < SMALL });
await Promise.all([speak(firstLanguage(kept("gradlens.language"), navigator.languages)), openDefault()]);
const elsewhere = new URLSearchParams(location.search).get("graph");
if (elsewhere) await openGraphAt(elsewhere);
await followLink();
linked = linkedPart(state.value);
effect(keepLink);
effect(reflectSettings);
keepRecalling();
addEventListener("hashchange", () => void followLink());
addEventListener("keydown", onKey);
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => void onDrop(event));
document.documentElement.dataset.ready = "";
