// Links to hand on: in the address where that stays short, else kept by the server.

import { postLink } from "../api.js";
import { state } from "../store.js";
import { sharedPart } from "./link.js";
import { jsonOf, toFragment } from "./url_fragment.js";

const MOST = 2_000; // characters of an address that mail, chats and boards carry whole
const MOST_TO_SCAN = 120; // characters of which a camera reads the code from the last row

/**
 * The link to what is on the page: as it is copied, as short as it can be had (for a QR code), and of the page's frame.
 * @returns {Promise<{link: string, short: string, embed: string}>}
 */
export async function linksToNow() {
  const shared = sharedPart(state.value);
  const { item, readyLesson } = state.value;
  const query = new URLSearchParams({
    ...(item && { example: item.id }),
    ...(item && readyLesson && { lesson: readyLesson.id }),
  });
  const search = query.size > 0 ? `?${query}` : "";
  const fragment = await toFragment(shared);
  const whole = at(`./${search}${fragment}`);
  if (whole.length <= MOST_TO_SCAN) return { link: whole, short: whole, embed: at(`./embed${search}${fragment}`) };
  const isLong = whole.length > MOST;
  const kept = await postLink(JSON.parse(jsonOf(shared))).catch((error) => {
    if (isLong) throw error;
    return null; // the long one is a link all the same
  });
  return {
    link: isLong && kept ? at(kept.url) : whole,
    short: kept ? at(kept.url) : whole,
    embed: at(isLong && kept ? `./embed?link=${kept.id}` : `./embed${search}${fragment}`),
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
