// What the page opens with: its settings as kept, its words, and the text, graph or example that is drawn first.

import { getLink } from "../api.js";
import { firstLanguage, languageIn } from "../i18n/i18n.js";
import { failed, fetched } from "../requests/request.js";
import { openDefault, openLinked, speak } from "../requests/session.js";
import { INITIAL, state, update } from "../store.js";
import { heldBy, linkedPart } from "./link.js";
import { readSetting, writeSetting } from "./local_storage.js";
import { hasRoomForDock } from "./room.js";
import { fromFragment } from "./url_fragment.js";

const PANES = ["left-expression", "left-program", "right", "upper-expression", "upper-program", "dock-height"];

function restoreSettings() {
  const theme = readSetting("gradlens.theme");
  if (theme === "light" || theme === "dark") update({ theme });
  if (readSetting("gradlens.level") === "tensorflow") update({ level: "tensorflow" });
  if (readSetting("gradlens.detail") === "essentials") update({ detail: "essentials" });
  if (readSetting("gradlens.merged") === "true") update({ merged: true });
  if (readSetting("gradlens.predict") === "ask") update({ predict: "ask" });
  const direction = readSetting("gradlens.direction");
  if (direction === "down" || direction === "up") update({ direction });
}

/** Keep the settings for the next visit. @param {Pick<import("../store.js").State, "language" | "theme" | "level" | "levelBefore" | "detail" | "merged" | "direction">} settings */
export function keepSettings({ language, theme, level, levelBefore, detail, merged, direction }) {
  writeSetting("gradlens.language", language);
  writeSetting("gradlens.theme", theme);
  writeSetting("gradlens.level", levelBefore ?? level); // an example may have a level of its own
  writeSetting("gradlens.detail", detail);
  writeSetting("gradlens.merged", String(merged));
  writeSetting("gradlens.direction", direction);
}

/**
 * What the address leads to; else the example that comes with the page.
 * @returns {Promise<import("./link.js").Linked>} what was opened, without what the learner has typed since
 */
async function openFirst() {
  const query = new URLSearchParams(location.search);
  const [elsewhere, example, imported] = [query.get("graph"), query.get("example"), query.get("import")];
  const held = heldBy(history.state?.held ?? (await linkedTo(query.get("link"))), INITIAL);
  const linked = held?.linked;
  const isLinked = linked?.source !== undefined;
  if (example) await (await fetched(() => import("../requests/course.js")))?.openItemAt(example, query.get("lesson"), isLinked);
  if (imported) await (await fetched(() => import("../requests/graph_file.js")))?.openImport(imported);
  else if (elsewhere) await (await fetched(() => import("../requests/graph_file.js")))?.openGraphAt(elsewhere);
  else if (!isLinked && !state.value.item) await openDefault();
  if (linked) await openLinked(linked);
  if (imported && linked?.feeds) await (await fetched(() => import("../requests/import_values.js")))?.computeGraph();
  if (held && Object.keys(held.place).length > 0) await (await fetched(() => import("./place.js")))?.goTo(held.place);
  return { ...linkedPart(state.value), ...(linked?.source !== undefined && { source: linked.source }) };
}

/** The panes as they were left. */
function restorePanes() {
  for (const pane of PANES) {
    const size = readSetting(`gradlens.pane.${pane}`);
    if (size) document.documentElement.style.setProperty(`--${pane}`, size);
  }
  document.documentElement.toggleAttribute("data-wrap", readSetting("gradlens.wrap") === "true");
}

/** What the address holds, or what is kept under a short link. @param {string | null} id */
async function linkedTo(id) {
  if (id === null) return fromFragment(location.hash);
  const { state: kept } = await getLink(id).catch((error) => {
    failed(error);
    return { state: null };
  });
  return kept;
}

restoreSettings();
restorePanes();
update({ dockOpen: hasRoomForDock() || readSetting("gradlens.dock") === "true" });

/** When there are words. */
export const spoken = speak(firstLanguage(languageIn(location.search) ?? readSetting("gradlens.language"), navigator.languages));

/** When there is something to draw, or it turned out that it cannot be had. */
export const opened = Promise.all([spoken, openFirst()]);
