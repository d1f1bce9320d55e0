// Keeping what was made as a file.

/** @param {Blob} blob @param {string} name */
export function saveBlob(blob, name) {
  const href = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}

/** @param {string} text @param {string} name @param {string} type */
export const saveText = (text, name, type) => saveBlob(new Blob([text], { type }), name);
