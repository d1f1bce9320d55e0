// Starts the page: the graph first, then everything around it; then the keyboard, files and links are listened to.

import { effect } from "@preact/signals-core";

import { needsKey } from "./api.js";
import { isEmbedded } from "./browser/embedded.js";
import { keepSettings, opened, spoken } from "./browser/opening.js";
import { comeToClass } from "./browser/class_address.js";
import { firstFrame } from "./panels/graph/graph.js";
import { fetched } from "./requests/request.js";
import { outputLines, partOfState, t } from "./store.js";

const LONGEST_WAIT_MS = 400; // for a graph that is slow to come

const look = partOfState("theme", "tab", "dock", "program", "answer", "source", "dialect");
const progress = partOfState("progress");
const presenting = partOfState("present");
const classroom = partOfState("classroom");
const language = partOfState("language", "catalogue");
const settings = partOfState("language", "theme", "level", "levelBefore", "detail", "merged", "direction", "catalogue");

/** What the style sheets read. */
function reflectLook() {
  const { theme, tab, dock, program } = look.value;
  const root = document.documentElement;
  root.dataset.tab = tab;
  root.dataset.dock = dock;
  root.style.setProperty("--output-lines", String(program ? outputLines(program) : 0));
  root.dataset.text = isProgram(look.value) ? "program" : "expression";
  if (theme) root.dataset.theme = theme;
}

/** Whether the text is a program; until there is an answer, one that imports is. @param {typeof look.value} state */
function isProgram({ answer, source, dialect }) {
  if (answer) return answer.dialect !== "math";
  return dialect === "auto" ? /^\s*(import|from)\s/m.test(source) : dialect !== "math";
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

/** The dialog for a service's key comes when a question first needs it. */
function askForKey() {
  if (document.querySelector("gl-access-key")) return;
  document.body.append(document.createElement("gl-access-key"));
  void fetched(() => import("./panels/parts/access_key.js"));
}

/** The card of a program that takes a while comes with the first of them. */
function showProgress() {
  if (!progress.value.progress || document.querySelector("gl-progress")) return;
  document.body.append(document.createElement("gl-progress"));
  void fetched(() => import("./panels/progress.js"));
}

/** What shows the page to a class comes when that is first wanted. */
function showPresentation() {
  if (!presenting.value.present || document.querySelector("gl-present")) return;
  document.body.append(document.createElement("gl-present"));
  void fetched(() => import("./panels/share/present.js"));
}

/** The bar of a class comes with the class that is opened, joined, or come back to. */
function showClass() {
  if (!classroom.value.classroom || document.querySelector("gl-class")) return;
  document.querySelector("gl-header")?.after(document.createElement("gl-class"));
  void fetched(() => import("./panels/classroom/bar.js"));
}

/** Ask for what the bundled page needs next, all of it in one go: an import would ask for what it imports in its turn. */
function fetchNextFiles() {
  const next = /** @type {HTMLTemplateElement | null} */ (document.querySelector("#next-files"));
  if (next) document.head.append(next.content);
}

addEventListener("key-needed", askForKey);
if (needsKey()) askForKey(); // for what was asked before this module was here
effect(reflectLook);
effect(reflectWords);
effect(keepWhatIsSet);
effect(showProgress);
effect(showPresentation);
effect(showClass);
await Promise.race([firstFrame, new Promise((done) => setTimeout(done, LONGEST_WAIT_MS))]);
fetchNextFiles();
await spoken; // a part without words is empty, and its room would be lost
if (isEmbedded) await import("./panels/share/frame.js"); // which leaves out what is not shown in a frame
const { followLevel, followRow, keepAddress } = await import("./around.js");
const [, first] = await opened;
if (!isEmbedded) keepAddress(first);
followRow();
followLevel();
await comeToClass();
document.documentElement.dataset.ready = "";
