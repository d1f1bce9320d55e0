// Copying a text, in every browser, with HTTPS and without.

/**
 * Copy a text, or one that is still on its way. It is asked for within the press: later, WebKit lets no page copy.
 * @param {string | Promise<string | null>} text  null: it did not come
 * @returns {Promise<boolean>} whether the browser has taken it
 */
export async function copyText(text) {
  const coming = Promise.resolve(text);
  const written = succeeds(navigator.clipboard?.write?.([new ClipboardItem({ "text/plain": coming.then(asBlob) })]));
  const [come, isWritten] = await Promise.all([coming, written]);
  if (come === null || isWritten) return isWritten;
  return (await succeeds(navigator.clipboard?.writeText(come))) || selectAndCopy(come);
}

/** @param {string | null} text */
function asBlob(text) {
  if (text === null) throw new Error("There is nothing to copy.");
  return new Blob([text], { type: "text/plain" });
}

/** Whether something is done in the end; what a browser has not got is not done. @param {Promise<void> | undefined} doing */
const succeeds = async (doing) => doing !== undefined && doing.then(() => true).catch(() => false);

/** The way of a page that was not opened over HTTPS, and has no clipboard. @param {string} text */
function selectAndCopy(text) {
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  const area = Object.assign(document.createElement("textarea"), { value: text });
  const inFront = [...document.querySelectorAll(":popover-open, dialog[open]")].at(-1); // beside it nothing can be selected
  (inFront ?? document.body).append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  before?.focus();
  return copied;
}
