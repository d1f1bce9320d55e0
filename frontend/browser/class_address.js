// The class that an address leads to, or that this tab is in: joined, or come back to, once the page stands.

import { fetched } from "../requests/request.js";

const KEY = "gradlens.class"; // as requests/classroom/keeping.js has it

/** Join the class of `?join=K7F3-QX4M`, or go on with the one that this tab has kept. */
export async function comeToClass() {
  const code = new URLSearchParams(location.search).get("join");
  if (!code && !isInClass()) return;
  await (await fetched(() => import("../requests/classroom/coming.js")))?.come(code);
}

function isInClass() {
  try {
    return sessionStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}
