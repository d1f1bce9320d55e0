// Starts a page that was saved as one file. Its modules, style sheets and answers lie in it, packed; no server is asked.
//
// A script of its own, which stands in the saved file and comes before all modules: it unpacks them, names them in an
// import map, and answers what they ask from what was recorded.

/**
 * @typedef {object} Packed
 * @property {Record<string, string>} modules  texts, by the name that they import each other under
 * @property {Record<string, string>} files    data: addresses of what they fetch, by the path from the page's folder
 * @property {string} styles
 * @property {Record<string, unknown>} answers by the path that is asked for
 * @property {unknown} otherwise               the problem document for everything else
 */

(async () => {
  const letters = atob(document.getElementById("gradlens-packed")?.textContent?.trim() ?? "");
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const { modules, files, styles, answers, otherwise } = /** @type {Packed} */ (JSON.parse(await new Response(unpacked).text()));

  document.head.append(Object.assign(document.createElement("style"), { textContent: styles }));
  Object.assign(globalThis, { gradlensFiles: files, Worker: undefined }); // a worker's script would lie beside the page

  const really = globalThis.fetch;
  globalThis.fetch = async (asked, options) => {
    if (typeof asked !== "string" || !asked.startsWith("api/")) return really(asked, options);
    const known = options?.method === undefined && asked in answers;
    const headers = { "Content-Type": "application/json" };
    return new Response(JSON.stringify(known ? answers[asked] : otherwise), { status: known ? 200 : 503, headers });
  };

  const imports = Object.fromEntries(
    Object.entries(modules).map(([name, text]) => [name, URL.createObjectURL(new Blob([text], { type: "text/javascript" }))]),
  );
  const map = Object.assign(document.createElement("script"), { type: "importmap", textContent: JSON.stringify({ imports }) });
  document.head.append(map);
  const first = "gradlens/app.js"; // a name of the import map, which no other tool knows
  await import(first);
})();
