// Which class this browser tab is in: kept as long as the tab is open, so that loading the page again loses nothing.

const KEY = "gradlens.class";

/** @typedef {{role: "teacher" | "student", code: string, token: string}} Membership */

/** @returns {Membership | null} */
export function keptMembership() {
  try {
    const found = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    return found && ["role", "code", "token"].every((name) => typeof found[name] === "string") ? found : null;
  } catch {
    return null;
  }
}

/** @param {Membership | null} membership */
export function keepMembership(membership) {
  try {
    if (membership) sessionStorage.setItem(KEY, JSON.stringify(membership));
    else sessionStorage.removeItem(KEY);
  } catch {
    // the tab then forgets the class when it is loaded again
  }
}
