// Coming to a class as the page is loaded: by an address with its code, or again, as whoever this tab was in it.

import { update } from "../../store.js";
import { joinClass } from "./attending.js";
import { keptMembership } from "./keeping.js";
import { resumeClass } from "./teaching.js";

/** @param {string | null} code that the address holds */
export async function come(code) {
  const kept = keptMembership();
  if (kept?.role === "teacher" && (!code || isSame(code, kept.code))) await resumeClass(kept);
  else if (code || kept) {
    const isIn = await joinClass(code ?? /** @type {string} */ (kept?.code));
    if (!isIn) update({ tab: "input" }); // which says why, on a phone as well
  }
}

/** @param {string} a @param {string} b */
const isSame = (a, b) => a.toUpperCase().replace("-", "") === b.toUpperCase().replace("-", "");
