// Builds frontend/bundle/ from the page's modules: the same page in a few files, for who is far from the server.
//
// Files: core (what the first graph and stepping need), around (the panels), one for each part that is fetched on first use,
// the layout's worker, one style sheet, and an index.html that holds requests/prefetch.js itself, so that the first questions
// are on their way before any script has come. What the panels need stands in a template there, which app.js puts into use
// once the first graph is shown: asked for before, it would be compiled while the graph is laid out.
// The same sources give the same bytes. manifest.json has the SHA-256 of every
// source and of every file made; the server sends the modules instead where a source is no longer the one that was bundled.

import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { build, transform } from "esbuild";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const PAGE = path.join(ROOT, "frontend");
const BUNDLE = path.join(PAGE, "bundle");
const FETCHED_LATER = /codemirror|katex|uplot/; // vendored bundles that stay files of their own
const CORE = "virtual:core";
const OPTIONS = /** @type {const} */ ({
  absWorkingDir: PAGE,
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  metafile: true,
  write: false,
  legalComments: "none",
  charset: "utf8",
  logLevel: "warning",
});

/** @param {string} name of a file of the page */
const textOf = (name) => readFile(path.join(PAGE, name), "utf8");
const page = await textOf("index.html");
const [, importMap] = /** @type {RegExpMatchArray} */ (page.match(/<script type="importmap">(.*?)<\/script>/s));
/** @type {Record<string, string>} */
const packages = JSON.parse(importMap).imports;

/** Packages by the page's own import map. @type {import("esbuild").Plugin} */
const vendored = {
  name: "vendored",
  setup(building) {
    building.onResolve({ filter: /^[@\w]/ }, ({ path: name }) => {
      const file = packages[name];
      if (!file) return undefined;
      return FETCHED_LATER.test(file) ? { path: `../${file.slice(2)}`, external: true } : { path: path.join(PAGE, file) };
    });
  },
};

/** What app.js needs at once, as one module; it is complete before app.js goes on. */
const needed = [...(await textOf("app.js")).matchAll(/^import .* from "(\.[^"]+)";$/gm)].map(([, file]) => file);

/** @type {import("esbuild").Plugin} */
const core = {
  name: "core",
  setup(building) {
    building.onResolve({ filter: /^virtual:core$/ }, () => ({ path: CORE, namespace: "core" }));
    building.onLoad({ filter: /.*/, namespace: "core" }, () => ({
      contents: needed.map((file) => `import "${file}";`).join("\n"),
      resolveDir: PAGE,
    }));
  },
};

/** The modules of the core: with one build without anything that is fetched later. @returns {Promise<Set<string>>} */
async function modulesOfCore() {
  const later = {
    name: "later",
    setup(/** @type {import("esbuild").PluginBuild} */ building) {
      building.onResolve({ filter: /.*/ }, ({ path: file, kind }) =>
        kind === "dynamic-import" ? { path: file, external: true } : undefined,
      );
    },
  };
  const { metafile } = await build({ ...OPTIONS, entryPoints: [CORE], plugins: [later, core, vendored], outdir: BUNDLE });
  return new Set(Object.keys(metafile.inputs));
}

/**
 * A part that is fetched later needs all of the core, and, where a panel fetches it, all panels: so that what several parts
 * use stands in the core or among the panels, and not in a file for each such group.
 * @param {Set<string>} coreModules @returns {import("esbuild").Plugin}
 */
const parts = (coreModules) => ({
  name: "parts",
  setup(building) {
    building.onResolve({ filter: /^\./ }, ({ path: file, kind, importer, resolveDir }) => {
      if (kind !== "dynamic-import") return undefined;
      const isOfCore = coreModules.has(path.relative(PAGE, importer)) || importer.endsWith("app.js");
      const name = path.relative(PAGE, path.join(resolveDir, file)); // the same wherever the page's folder lies
      return { path: name, namespace: "part", pluginData: isOfCore, suffix: isOfCore ? "" : "?panel" };
    });
    building.onLoad({ filter: /.*/, namespace: "part" }, ({ path: file, pluginData: isOfCore }) => {
      const before = [CORE, ...(isOfCore ? [] : ["./around.js"])];
      const lines = before.map((each) => `import "${each}";`);
      return { contents: [...lines, `export * from "./${file}";`].join("\n"), resolveDir: PAGE };
    });
  },
});

/** One style sheet of those that the page names. */
async function styleSheet() {
  const names = [...page.matchAll(/<link rel="stylesheet" href="\.\/([^"]+)">/g)].map(([, name]) => name);
  const texts = await Promise.all(names.map(textOf));
  const { code } = await transform(texts.join("\n"), { loader: "css", minify: true, target: "es2022", charset: "utf8" });
  return { names, code };
}

/** requests/prefetch.js as a script inside the page: there, what lies beside the page is named "./…". */
async function prefetching() {
  const beside = {
    name: "beside",
    setup(/** @type {import("esbuild").PluginBuild} */ building) {
      building.onLoad({ filter: /values\/beside\.js$/ }, () => ({
        contents: 'const files = ["./"]; export const beside = (path) => new URL(files[0] + path, location.href).href;',
      }));
    },
  };
  const made = await build({ ...OPTIONS, entryPoints: ["requests/prefetch.js"], plugins: [beside], outdir: BUNDLE });
  const script = made.outputFiles[0].text.trim();
  if (!script.includes('"./"') || script.includes("</")) throw new Error("The page cannot hold requests/prefetch.js.");
  return { script, inputs: Object.keys(made.metafile.inputs) };
}

/** @param {string | Uint8Array} content */
const sha256 = (content) => createHash("sha256").update(content).digest("hex");

const app = await build({
  ...OPTIONS,
  entryPoints: ["app.js"],
  plugins: [parts(await modulesOfCore()), core, vendored],
  splitting: true,
  outdir: BUNDLE,
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
});
const worker = await build({ ...OPTIONS, entryPoints: ["layout/background/layout_worker.js"], outdir: BUNDLE });
const styles = await styleSheet();
const first = await prefetching();

/** @type {Map<string, string | Uint8Array>} */
const files = new Map();
for (const { path: file, contents } of app.outputFiles) files.set(path.basename(file), contents);
files.set("layout_worker.js", worker.outputFiles[0].contents);
const sheet = `page-${sha256(styles.code).slice(0, 8).toUpperCase()}.css`;
files.set(sheet, styles.code);

const [entry, { imports }] = /** @type {[string, {imports: {path: string, kind: string}[]}]} */ (
  Object.entries(app.metafile.outputs).find(([, { entryPoint }]) => entryPoint === "app.js")
);
/** The files that a file made imports at once. @param {{path: string, kind: string}[]} imported */
const atOnce = (imported) =>
  imported.filter(({ kind }) => kind === "import-statement").map(({ path: file }) => path.basename(file));
const around = Object.entries(app.metafile.outputs).find(([file]) => path.basename(file).startsWith("around-"));
const next = around ? [path.basename(around[0]), ...atOnce(around[1].imports)] : [];
const now = atOnce(imports);
/** @param {string} file */
const preload = (file) => `<link rel="modulepreload" href="./bundle/${file}">`;
const head = [
  `<link rel="stylesheet" href="./bundle/${sheet}">`,
  `<script type="module" async>${first.script}</script>`,
  ...now.map(preload),
  `<script type="module" src="./bundle/${path.basename(entry)}"></script>`,
  `<template id="next-files">${next
    .filter((file) => !now.includes(file))
    .map(preload)
    .join("")}</template>`,
];
const ours = /^ *(?:<link rel="(?:stylesheet|modulepreload)"[^>]*>|<script [^>]*>.*?<\/script>)\n/gms;
files.set(
  "index.html",
  page.replaceAll(ours, "").replace("</head>", () => `  ${head.join("\n  ")}\n</head>`),
);

const made = [app, worker].flatMap(({ metafile }) => Object.keys(metafile.inputs));
const inputs = [...made, ...first.inputs, ...styles.names, "index.html"].filter((name) => !name.includes(":"));
/** @type {Record<string, string>} */
const sources = {};
for (const name of [...new Set(inputs)].sort()) sources[name] = sha256(await readFile(path.join(PAGE, name)));
const digests = Object.fromEntries([...files].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, body]) => [name, sha256(body)]));

await rm(BUNDLE, { recursive: true, force: true });
await mkdir(BUNDLE, { recursive: true });
for (const [name, body] of files) await writeFile(path.join(BUNDLE, name), body);
await writeFile(path.join(BUNDLE, "manifest.json"), `${JSON.stringify({ sources, files: digests }, null, 1)}\n`);
