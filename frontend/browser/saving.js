// Keeping what was made as a file.

const KEPT_MS = 60_000; // an iPad asks first whether to download, and reads the file only then

/** @param {Blob} blob @param {string} name */
export function saveBlob(blob, name) {
  const href = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), KEPT_MS);
}

/** @param {string} text @param {string} name @param {string} type */
export const saveText = (text, name, type) => saveBlob(new Blob([text], { type }), name);
