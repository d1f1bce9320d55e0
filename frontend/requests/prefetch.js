// The page's first questions: its words, and the text of a link with its lesson, or the example that comes with the page.
//
// A script of its own with few modules: it asks while all others are on their way, so that what they draw is there when
// they are. It only asks; what the answers mean is for opening.js.

import { catalogueAddress, defaultExampleAddress, exampleAddress, lessonAddress, PROGRAMS, prefetch } from "../api.js";
import { readSetting } from "../browser/local_storage.js";
import { fromFragment } from "../browser/url_fragment.js";
import { firstLanguage, languageIn } from "../i18n/i18n.js";

const LEVELS = ["mathematics", "tensorflow"]; // the first is that of who has not chosen

/** @param {{source: string, dialect?: string, at?: object, wrt?: {trained: unknown} | null, level?: string}} linked */
async function askForText({ source, dialect = "auto", at = {}, wrt, level }) {
  const { id } = await prefetch(PROGRAMS, { source, dialect, at, ...(wrt && { wrt: wrt.trained }) });
  const kept = level ?? readSetting("gradlens.level");
  if (id) await prefetch(lessonAddress(id, LEVELS.find((each) => each === kept) ?? LEVELS[0]));
}

/** @param {{source: string, at: object, start: {level?: string}[]}} item */
const askForItem = ({ source, at, start }) => askForText({ source, at, level: start.find(({ level }) => level)?.level });

async function askForFirst() {
  void prefetch(
    catalogueAddress(firstLanguage(languageIn(location.search) ?? readSetting("gradlens.language"), navigator.languages)),
  );
  const linked = history.state?.held ?? (await fromFragment(location.hash));
  const query = new URLSearchParams(location.search);
  const example = query.get("example");
  const item = example ? prefetch(exampleAddress(example)) : null;
  if (typeof linked?.source === "string") await askForText(linked);
  else if (item) await askForItem(await item);
  else if (!query.has("graph") && !query.has("import")) await prefetch(defaultExampleAddress());
}

await askForFirst().catch(() => {}); // who asks again hears of it
