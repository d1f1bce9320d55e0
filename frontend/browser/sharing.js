// A link to hand on: in the address where that stays short, else kept by the server.

import { postLink } from "../api.js";
import { state } from "../store.js";
import { sharedPart } from "./link.js";
import { jsonOf, toFragment } from "./url_fragment.js";

const MOST = 2_000; // characters of an address that mail, chats and boards carry whole

/** @returns {Promise<string>} */
export async function linkToNow() {
  const shared = sharedPart(state.value);
  const { item, readyLesson } = state.value;
  const query = new URLSearchParams({
    ...(item && { example: item.id }),
    ...(item && readyLesson && { lesson: readyLesson.id }),
  });
  const search = query.size > 0 ? `?${query}` : "";
  const whole = new URL(`./${search}`, location.href).href + (await toFragment(shared));
  if (whole.length <= MOST) return whole;
  const { url } = await postLink(JSON.parse(jsonOf(shared)));
  return new URL(url, location.href).href;
}
