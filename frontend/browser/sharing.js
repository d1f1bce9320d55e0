// Links to hand on: in the address where that stays short, else kept by the server.

import { postLink } from "../api.js";
import { state } from "../store.js";
import { sharedPart } from "./link.js";
import { jsonOf, queryText, toFragment } from "./url_fragment.js";

const MOST = 2_000; // characters of an address that mail, chats and boards carry whole
const MOST_TO_SCAN = 120; // characters of which a camera reads the code from the last row

/** What is on the page, as the parts of an address. */
async function packed() {
  const shared = sharedPart(state.value);
  const { item, readyLesson, program } = state.value;
  const imported = program?.imported; // its file is kept by the server, and no state that is kept names it
  const query = new URLSearchParams({
    ...(item && { example: item.id }),
    ...(item && readyLesson && { lesson: readyLesson.id }),
    ...(imported && { import: imported }),
  });
  const rest = queryText(query) + (await toFragment(shared));
  return { rest, imported, keep: () => postLink(JSON.parse(jsonOf(shared))) };
}

/** The link to what is on the page; the server keeps it only where it is long. @returns {Promise<string>} */
export async function linkToNow() {
  const { rest, imported, keep } = await packed();
  const whole = at(`./${rest}`);
  return whole.length <= MOST || imported ? whole : at((await keep()).url);
}

/**
 * The link to what is on the page: as it is copied, as short as it can be had (for a QR code), and of the page's frame.
 * @returns {Promise<{link: string, short: string, embed: string}>}
 */
export async function linksToNow() {
  const { rest, imported, keep } = await packed();
  const whole = at(`./${rest}`);
  if (whole.length <= MOST_TO_SCAN || imported) return { link: whole, short: whole, embed: at(`./embed${rest}`) };
  const isLong = whole.length > MOST;
  const kept = await keep().catch((error) => {
    if (isLong) throw error;
    return null; // the long one is a link all the same
  });
  return {
    link: isLong && kept ? at(kept.url) : whole,
    short: kept ? at(kept.url) : whole,
    embed: at(isLong && kept ? `./embed?link=${kept.id}` : `./embed${rest}`),
  };
}

/** @param {string} path from the page */
const at = (path) => new URL(path, location.href).href;

/** What embeds a page in another one. @param {string} address @param {string} title */
export const embedText = (address, title) =>
  `<iframe src="${escaped(address)}" title="Gradlens: ${escaped(title)}" width="760" height="520" ` +
  `style="border: 1px solid #ccc" loading="lazy" allow="fullscreen"></iframe>`;

/** @param {string} text inside of quotes */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
