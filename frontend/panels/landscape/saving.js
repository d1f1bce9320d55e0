// Keeping a text as a file.

/** @param {string} text @param {string} name @param {string} type */
export function saveText(text, name, type) {
  const href = URL.createObjectURL(new Blob([text], { type }));
  Object.assign(document.createElement("a"), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}
