// What the page hears outside its panels: keys, files that are dropped, and its address, which it keeps a link.

import { effect } from "@preact/signals-core";
import { languageIn } from "../i18n/i18n.js";
import { LatestRequest } from "../requests/latest_request.js";
import { fetched } from "../requests/request.js";
import { showStep, stop } from "../requests/run.js";
import { isProgram, programIn } from "../requests/program_file.js";
import { begin, openDefault, openLinked, replaceText } from "../requests/session.js";
import { NOTHING_GIVEN } from "../state/given.js";
import { undone } from "../state/look.js";
import { INITIAL, partOfState, reported, state, update } from "../store.js";
import { actionFor, asksQuestion, asksUndo } from "./keys.js";
import { heldBy, linkedPart, sameChoices, sameLink, toHash } from "./link.js";
import { fromFragment } from "./url_fragment.js";

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (asksUndo(event)) {
    event.preventDefault();
    return update(undone(state.value));
  }
  if (asksQuestion(event)) return askNow(event);
  if (event.key === "Escape" && !event.defaultPrevented) stop();
  const step = actionFor(event, state.value);
  if (step === null) return undefined;
  event.preventDefault();
  return showStep(step);
}

/** Ask before the next step, and bring its field or first choice under the hand. @param {Event} event */
async function askNow(event) {
  event.preventDefault();
  update({ predict: "ask", tab: "step" });
  await fetched(() => import("../panels/lesson/predict.js"));
  requestAnimationFrame(() => /** @type {HTMLElement | null} */ (document.querySelector(".predict :is(input, button)"))?.focus());
}

/** A file dropped anywhere is opened: a program or notebook is read, a graph drawn; text dropped into the editor is the editor's. @param {DragEvent} event */
async function onDrop(event) {
  const file = event.dataTransfer?.files[0];
  if (!file) return;
  event.preventDefault();
  const isWanted = begin();
  if (isProgram(file.name)) return openText(await programIn(file), isWanted);
  const coming = file.arrayBuffer();
  const opener = await fetched(() => import("../requests/graph_file.js"));
  if (isWanted()) await opener?.openGraph(coming);
}

/** @param {string} source @param {() => boolean} isWanted */
function openText(source, isWanted) {
  if (!isWanted()) return;
  update({ ...NOTHING_GIVEN, ranges: {}, tab: "graph", item: null });
  replaceText({ source, dialect: "auto", at: {} });
}

const LINK_PAUSE_MS = 400;
/** The address as a link to what is on the page. */
class Address {
  /** What it leads to, or is about to. @type {import("./link.js").Linked} */
  #linked;
  #writing = new LatestRequest();

  /** @param {import("./link.js").Linked} linked */
  constructor(linked) {
    this.#linked = linked;
  }

  /**
   * Follow the page: a choice at once, for the page may be loaded again right after it; what is typed, slid or moved once
   * it has been left alone for a moment.
   */
  follow() {
    const now = linkedPart(state.value);
    if (this.#writing.isWaiting) this.#writing.abort();
    if (sameLink(now, this.#linked)) return;
    const write = (/** @type {AbortSignal} */ signal) => this.#write(now, signal);
    if (sameChoices(now, this.#linked)) this.#writing.startAfter(LINK_PAUSE_MS, write);
    else void this.#writing.start(write);
  }

  /** @param {import("./link.js").Linked} now @param {AbortSignal} signal */
  async #write(now, signal) {
    this.#linked = now;
    const hash = await toHash(now);
    if (signal.aborted) return;
    const query = new URLSearchParams(location.search);
    if (hash) query.delete("link"); // the state that it opened is past
    history.replaceState(null, "", location.pathname + (query.size > 0 ? `?${query}` : "") + hash);
  }
}

const course = partOfState("item", "readyLesson", "language");

/** The address says which example is worked on; a language in it holds until another is chosen. @param {typeof course.value} state */
function nameItem({ item, readyLesson, language }) {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries({ example: item?.id, lesson: item && readyLesson?.id })) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  if (languageIn(location.search) !== language) query.delete("lang");
  const search = query.size > 0 ? `?${query}` : "";
  if (search === location.search) return;
  const isOther = query.get("example") !== new URLSearchParams(location.search).get("example");
  history[isOther ? "pushState" : "replaceState"](null, "", location.pathname + search + location.hash); // Back leads to what was open
}

/** A link pasted over the address of an open page, or one that Back or Forward leads to. */
async function followLink() {
  const query = new URLSearchParams(location.search);
  const [example, lesson] = [query.get("example"), query.get("lesson")];
  const held = heldBy(await fromFragment(location.hash), INITIAL);
  const isOther = example !== (state.value.item?.id ?? null);
  const opener = isOther ? await fetched(() => import("../requests/course.js")) : null;
  if (isOther && example) await opener?.openItemAt(example, lesson, held !== null);
  else if (isOther) opener?.leaveItem();
  if (held) {
    await openLinked(held.linked);
    if (Object.keys(held.place).length > 0) await (await fetched(() => import("./place.js")))?.goTo(held.place);
  } else if (!example && isOther) await openDefault();
}

/**
 * From here on the address follows the page, and the page the address: once what it led to is open.
 * @param {import("./link.js").Linked} opened
 */
export function keepAddress(opened) {
  const address = new Address(opened);
  effect(() => address.follow());
  effect(() => nameItem(course.value));
  addEventListener("popstate", () => void followLink());
}

addEventListener("keydown", onKey);
addEventListener("program-progress", (event) => update(reported(state.value, /** @type {CustomEvent} */ (event).detail)));
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => void onDrop(event));
